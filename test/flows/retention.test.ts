import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { prune } from '../../src/platform/jobs/pruning.ts'
import { sql } from '../../src/platform/database/sql.ts'
import { makeLog } from '../../src/platform/http/log.ts'
import { retentionOf } from '../../src/app/retention.ts'
import { call, openHouse, post, testConfig, type House } from '../support/house.ts'
import { createPayment, happens } from '../support/pay.ts'
import { openReceiver, type Receiver } from '../support/receiver.ts'
import { paidPayment } from '../support/refunds.ts'

// What is kept for a time only, by a clock that is put forward.

let house: House
let receiver: Receiver
const log = makeLog('silent', { write: () => {} })
before(async () => {
  receiver = await openReceiver()
  house = await openHouse()
})
after(async () => {
  await house.close()
  await receiver.close()
})

async function pruneAfter(days: number, settings: Record<string, string> = {}): Promise<number> {
  const now = (): Date => new Date(Date.now() + days * 24 * 3_600_000)
  // The payments here are of test mode, and would go as a whole.
  const config = testConfig({ KEEP_TEST_DAYS: '0', ...settings })
  let sum = 0
  // The audit log, requests and hashes of cards have tests of their own.
  const others = new Set(['audit entries', 'requests', 'hashes of cards'])
  for (const kept of retentionOf(config).filter(({ pruning }) => !others.has(pruning.name)))
    for (let count = -1; count !== 0; sum += count) count = await prune(kept, { db: house.db, now, log })
  return sum
}

async function deliveriesOf(number: string): Promise<{ kind: string; state: string; has_body: boolean }[]> {
  return house.db.query(sql`
    select kind, state, body <> '' as has_body from deliveries where number = ${number} order by kind, state`)
}

test('bodies, attempts and mail expire, but never what still waits to be sent', async () => {
  const told = await paidPayment(house, 'good', { callback_url: receiver.url })
  const worker = house.app.startWorker()
  await receiver.first(1)
  await worker.stop()
  const waiting = await paidPayment(house, 'good', { callback_url: receiver.url })
  const live = await createPayment(house, {}, house.liveKey)
  await happens(house, live, 'paid')

  assert.equal(await pruneAfter(89), 0)
  assert.ok((await pruneAfter(91)) >= 3)
  assert.deepEqual(await deliveriesOf(told.number), [{ kind: 'ipn', state: 'delivered', has_body: false }])
  assert.deepEqual(await deliveriesOf(waiting.number), [{ kind: 'ipn', state: 'waiting', has_body: true }])
  assert.deepEqual(await deliveriesOf(live.number), [{ kind: 'mail', state: 'waiting', has_body: true }])
  assert.deepEqual(
    await house.db.query(sql`
      select 1 from delivery_attempts join deliveries
        on deliveries.merchant_id = delivery_attempts.merchant_id and deliveries.id = delivery_id
      where number = ${told.number}`),
    [],
  )
  assert.equal(await pruneAfter(91), 0)

  // Its record is still listed; there is nothing left to send again.
  const path = `${house.url}/api/transaction/${told.txRef}/notifications`
  const listed = await call(path, { key: house.secretKey })
  const id = (listed.json.data as { id: string }[])[0]?.id ?? ''
  assert.notEqual(id, '')
  const again = await post(`${path}/${id}/resend`, {}, house.secretKey)
  assert.equal(again.status, 404, again.text)
})

test('customers’ data of ended payments expires after ten years, or as set; amounts stay', async () => {
  const paid = await paidPayment(house)
  const pending = await createPayment(house)
  const read = async () =>
    house.db.query<{ email: string; amount_minor: bigint; state: string }>(sql`
      select email, amount_minor, state from payments where number in (${paid.number}, ${pending.number}) order by state`)
  const [open, ended] = await read()
  await pruneAfter(3649)
  assert.deepEqual(await read(), [open, ended])
  await pruneAfter(31, { KEEP_PERSONAL_DAYS: '0' })
  assert.deepEqual(await read(), [open, ended])
  await pruneAfter(31, { KEEP_PERSONAL_DAYS: '30' })
  assert.deepEqual(await read(), [open, { ...ended, email: 'erased@florin.invalid' }])
})
