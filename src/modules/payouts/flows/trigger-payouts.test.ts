import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from '../../../platform/database/sql.ts'
import { makeClock, minutes, type Clock } from '../../../../test/support/clock.ts'
import { freePort } from '../../../../test/support/free-port.ts'
import { openHouse, type House } from '../../../../test/support/house.ts'
import { runFlorin, type Ended } from '../../../../test/support/run-florin.ts'

// `florin trigger` with payouts: the two minutes that they take are over as soon as the payout is made.

let house: House
let clock: Clock
let settings: Record<string, string>
before(async () => {
  const port = String(await freePort())
  clock = makeClock()
  settings = { PORT: port, BASE_URL: `http://127.0.0.1:${port}` }
  house = await openHouse({ settings, world: { now: clock.now } })
})
after(() => house.close())

async function trigger(event: string): Promise<Ended> {
  const ended = runFlorin(['trigger', event, '--key', house.secretKey, '--json'], settings)
  const state = { isOver: false }
  void ended.finally(() => (state.isOver = true))
  const job = house.app.jobs.find(({ name }) => name === 'payouts') ?? assert.fail()
  while (!state.isOver) {
    const [open] = await house.db.query(sql`
      select id from payouts where merchant_id = ${house.merchantId} and state in ('announced', 'on_its_way')`)
    if (open) clock.jump(2 * minutes)
    await job.run()
    await pause(100)
  }
  return ended
}

for (const [event, status] of [
  ['payout.arrived', 'arrived'],
  ['payout.failed', 'failed'],
] as const)
  test(`trigger ${event} pays, pays out and waits for the bank`, async () => {
    const { code, out, err } = await trigger(event)
    assert.equal(code, 0, err)
    const printed = JSON.parse(out) as Record<string, string>
    assert.deepEqual([printed['event'], printed['status']], [event, status])
  })

test('trigger payout.failed takes no amount', async () => {
  const args = ['trigger', 'payout.failed', '--amount', '12', '--key', house.secretKey]
  const { code, err } = await runFlorin(args, settings)
  assert.deepEqual([code, err.trim()], [64, '--amount must be left out: only 10.55 ends with payout.failed'])
})
