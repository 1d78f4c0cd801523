import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from '../../../platform/database/sql.ts'
import { makeStillClock, type Clock } from '../../../../test/support/clock.ts'
import { freePort } from '../../../../test/support/free-port.ts'
import { openHouse, type House } from '../../../../test/support/house.ts'
import { runFlorin } from '../../../../test/support/run-florin.ts'
import { waitUntil } from '../../../../test/support/wait-until.ts'

// `florin trigger` with events that take a moment on the test network, by a clock that the test moves.

// By a clock that stands still nobody would be let in again.
const unlimited = { RATE_LIMIT_PER_SECOND: '1000000', RATE_LIMIT_BURST: '1000000' }

let house: House
let clock: Clock
let worker: { stop(): Promise<void> }
let settings: Record<string, string>
before(async () => {
  clock = makeStillClock()
  const port = String(await freePort())
  const baseUrl = `http://127.0.0.1:${port}`
  house = await openHouse({
    settings: { PORT: port, BASE_URL: baseUrl, ...unlimited },
    world: { now: clock.now },
  })
  worker = house.app.startWorker()
  settings = { BASE_URL: baseUrl, FLORIN_KEY: house.secretKey }
})
after(async () => {
  await worker.stop()
  await house.close()
})

/** What was told of the payment that it made. Meanwhile time goes by some twenty times as fast as it does. */
async function triggered(event: string): Promise<string[]> {
  let isOver = false
  const running = runFlorin(['trigger', event, '--json'], settings).finally(() => {
    isOver = true
  })
  await waitUntil('it has ended', () => {
    clock.jump(500)
    return isOver
  })
  const { code, out, err } = await running
  assert.equal(code, 0, err)
  const { tx_ref: txRef } = JSON.parse(out) as { tx_ref: string }
  const rows = await house.db.query<{ event: string }>(sql`
    select deliveries.event from deliveries join payments using (merchant_id, number)
    where deliveries.merchant_id = ${house.merchantId} and payments.tx_ref = ${txRef} and kind = 'ipn'`)
  return rows.map((row) => row.event).toSorted()
}

test('trigger refunds a payment', async () => {
  assert.deepEqual(await triggered('refund.success'), [
    'payment.refunded',
    'payment.success',
    'refund.success',
  ])
})

test('trigger makes a refund fail', async () => {
  assert.deepEqual(await triggered('refund.failed'), ['payment.success', 'refund.failed'])
})

test('trigger makes a payment disputed and the dispute lost', async () => {
  assert.deepEqual(await triggered('dispute.lost'), [
    'dispute.lost',
    'dispute.opened',
    'payment.reversed',
    'payment.success',
  ])
})

test('an event that can’t be triggered is refused with the list of those that can', async () => {
  const { code, err } = await runFlorin(['trigger', 'payment.expired'], settings)
  assert.equal(code, 64)
  assert.match(err, /EVENT must be one of payment\.success, .*payout\.failed, but is "payment\.expired"/)
})
