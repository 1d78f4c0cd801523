import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { readCharged } from '../src/connectors/test-network/books.ts'
import { makeClock } from '../test/support/clock.ts'
import { createTestDatabase, type TestDatabase } from '../test/support/database.ts'
import { openHouse, type House } from '../test/support/house.ts'
import { listKeys } from '../src/merchants/list.ts'
import { commands, runJob, type Real } from './model-commands.ts'
import type { Model } from './model.ts'

// Random stories against the model. `MODEL_RUNS=20000 MODEL_SEED=7 npm test -- faults/model.test.ts` plays more of
// them; fast-check prints the shortest story that fails.

const numRuns = Number(process.env['MODEL_RUNS'] ?? 200)
const seed = Number(process.env['MODEL_SEED'] ?? 20261115)
const lengthMax = 14

let database: TestDatabase
let house: House
before(async () => {
  database = await createTestDatabase()
})
after(async () => {
  await house.close()
  await database.drop()
})

test('whatever the story, the house is what the model says', { timeout: numRuns * 5_000 }, async () => {
  const settings = { RATE_LIMIT_BURST: '100000', MISS_LIMIT_PER_SECOND: '100000' }
  let clock = makeClock()
  const now = (): Date => clock.now()
  const world = { now }
  house = await openHouse({ databaseUrl: database.url, settings, world })
  const secret = (await listKeys(house.db, house.merchantId)).find(
    ({ kind, mode }) => kind === 'secret' && mode === 'test',
  )
  let key = { id: secret?.id ?? '', text: house.secretKey }

  const story = fc.commands(commands, { maxCommands: lengthMax })
  await fc.assert(
    fc.asyncProperty(story, async (steps) => {
      clock = makeClock()
      const real: Real = {
        house,
        clock: { now, jump: (ms) => clock.jump(ms) },
        key,
        async reopen() {
          house = await reopen(house, { settings, world })
          return house
        },
      }
      const state: Model = { nowMs: 0, payments: [] }
      await fc.asyncModelRun(() => ({ model: state, real }), steps)
      key = real.key
      await promisesHold(real, state)
    }),
    { numRuns, seed, endOnFailure: false },
  )
})

/** The same database and merchant behind a new server, as after a crash. */
async function reopen(old: House, options: Parameters<typeof openHouse>[0]): Promise<House> {
  await old.close()
  const fresh = await openHouse({ databaseUrl: database.url, ...options })
  const { merchantId, secretKey, liveKey, apiKey } = old
  return { ...fresh, merchantId, secretKey, liveKey, apiKey }
}

/** The faults stop, half an hour passes, and the network's books are compared with what we say. */
async function promisesHold(real: Real, { payments }: Model): Promise<void> {
  for (let round = 0; round < 3; round += 1) {
    real.clock.jump(20 * 60_000)
    await runJob(real, 'reconcile')
  }
  for (const { url, txRef } of payments) {
    const digits = url.slice(-32)
    const of = { merchantId: Number(digits.slice(0, 8)), number: digits.slice(8) }
    const answer = await fetch(`${real.house.url}/api/transaction/${txRef}`, {
      headers: { authorization: `Bearer ${real.key.text}` },
    })
    const { data } = (await answer.json()) as { data: { status: string } }
    const charges = (await readCharged(real.house.db, of)).length
    assert.equal(charges, data.status === 'success' ? 1 : 0, `${txRef} is ${data.status}`)
  }
}
