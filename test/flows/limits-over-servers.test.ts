import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createKey } from '../../src/core/merchants/change-keys.ts'
import { makeStillClock, type Clock } from '../support/clock.ts'
import { call, openHouse, type House } from '../support/house.ts'
import { waitUntil } from '../support/wait-until.ts'

// What docs/limits.md says of several servers, with two of them and a clock that stands still: nothing comes back by itself.

const limit = 10
let clock: Clock
const houses: House[] = []
before(async () => {
  clock = makeStillClock()
  const open = async (databaseUrl?: string): Promise<House> =>
    openHouse({
      ...(databaseUrl !== undefined && { databaseUrl }),
      settings: { MISS_LIMIT_PER_SECOND: String(limit), RATE_LIMIT_PER_SECOND: '20', RATE_LIMIT_BURST: '20' },
      world: { now: clock.now, role: 'florin server' },
    })
  const first = await open()
  houses.push(first, await open(first.databaseUrl))
  for (const { app } of houses) {
    await waitUntil('both are counted', async () => {
      await app.servers.refresh()
      return app.servers.count === 2
    })
    // And not again, in the middle of a test.
    app.servers.close()
  }
})
after(async () => {
  for (const house of houses.toReversed()) await house.close()
})

/** How many of these were answered with a status, over both servers. */
async function answered(status: number, times: number, path: string, key?: string): Promise<number> {
  let count = 0
  for (let time = 0; time < times; time += 1)
    for (const { url } of houses)
      if ((await call(url + path, key === undefined ? {} : { key })).status === status) count += 1
  return count
}

test('guesses are limited across servers: two together allow what one would', async () => {
  const missed = await answered(404, limit, '/api/transaction/none', houses[0]?.secretKey)
  assert.equal(missed, limit, 'look-ups of what does not exist')
  assert.equal(await answered(404, limit, `/payment/${'1'.repeat(32)}`), limit, 'links')
  const wrong = await answered(401, limit, '/api/transactions', 'sk_test_wrong')
  assert.equal(wrong, limit, 'wrong keys')

  clock.jump(1_000)
  const again = await answered(404, limit, '/api/transaction/none', houses[0]?.secretKey)
  assert.equal(again, limit, 'as many a second')
})

test('requests per key are counted by each server: two allow twice the limit, and no more', async () => {
  const { db, merchantId } = houses[0] ?? assert.fail()
  const { key } = await createKey(db, merchantId, { kind: 'secret', mode: 'test', name: 'busy' })
  assert.equal(await answered(200, 25, '/api/transactions', key), 2 * 20)
})
