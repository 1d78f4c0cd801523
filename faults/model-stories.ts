import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { inspect } from 'node:util'
import fc from 'fast-check'
import { readCardRefunds, readCharged } from '../test/support/networks/test-network-records.ts'
import { makeStillClock } from '../test/support/clock.ts'
import { createTestDatabase, type TestDatabase } from '../test/support/database.ts'
import { openHouse, type House } from '../test/support/house.ts'
import { listKeys } from '../src/core/merchants/list.ts'
import { readPaidPages } from '../test/support/networks/test-bank-records.ts'
import { countDeclined } from '../src/core/payments/attempts/attempt-store.ts'
import { declinesAreTheNetworks } from './check-declines.ts'
import { disputeCommands, disputesAreTold } from './model-disputes.ts'
import { hostedCommands } from './model-hosted.ts'
import { paidMinor, refundCommands } from './model-refunds.ts'
import { commands, runJob, type Real } from './model-commands.ts'
import { reconcile, workOnRefunds, type Model } from './model.ts'

// Random stories against the model. `MODEL_RUNS=20000 MODEL_SEED=7 npm test -- faults/model.test.ts` plays more of
// them; fast-check prints the shortest story that fails.

const seed = Number(process.env['MODEL_SEED'] ?? 20261115)
const lengthMax = 14
// For each story: a busy machine takes a tenth of it, and a hang is found.
const timeoutMs = 15_000
// Nobody vacuums the database of a test run, so that every story there is slower than the one before.
const storiesPerDatabase = 500

const settings = { RATE_LIMIT_BURST: '100000', MISS_LIMIT_PER_SECOND: '100000' }
let clock = makeStillClock()
const now = (): Date => clock.now()
const world = { now }

type RunningHouse = { readonly database: TestDatabase; house: House; key: Real['key'] }

let home: RunningHouse | undefined

/** `usual`: how many are told unless MODEL_RUNS says otherwise. */
export function testStories(usual: number): void {
  const numRuns = Number(process.env['MODEL_RUNS'] ?? usual)
  after(moveOut)

  test('after any story the state matches the model', { timeout: numRuns * timeoutMs }, async () => {
    let told = 0
    const story = fc.commands([...commands, ...hostedCommands, ...refundCommands, ...disputeCommands], {
      maxCommands: lengthMax,
    })
    await fc.assert(
      fc.asyncProperty(story, async (steps) => {
        if (told % storiesPerDatabase === 0) await moveOut()
        told += 1
        clock = makeStillClock()
        const here = (home ??= await moveIn())
        const real: Real = {
          house: here.house,
          clock: { now, jump: (ms) => clock.jump(ms) },
          key: here.key,
          async reopen() {
            here.house = await reopen(here)
            return here.house
          },
        }
        const state: Model = { nowMs: 0, payments: [] }
        try {
          await fc.asyncModelRun(() => ({ model: state, real }), steps)
          await promisesHold(real, state)
        } catch (error) {
          // Whatever broke may have broken the house too, and the stories after this one need a whole one.
          await moveOut().catch(() => {})
          throw error
        }
        here.key = real.key
      }),
      { numRuns, seed, endOnFailure: false },
    )
  })
}

async function moveIn(): Promise<RunningHouse> {
  const database = await createTestDatabase()
  const house = await openHouse({ databaseUrl: database.url, settings, world })
  const keys = await listKeys(house.db, house.merchantId)
  const secret = keys.find(({ kind, mode }) => kind === 'secret' && mode === 'test')
  return { database, house, key: { id: secret?.id ?? '', text: house.secretKey } }
}

async function moveOut(): Promise<void> {
  const old = home
  home = undefined
  await old?.house.close()
  await old?.database.drop()
}

/** The same database and merchant behind a new server, as after a crash. */
async function reopen({ house: old, database }: RunningHouse): Promise<House> {
  const { merchantId, secretKey, liveKey, apiKey } = old
  await old.close()
  try {
    const fresh = await openHouse({ databaseUrl: database.url, settings, world })
    return { ...fresh, merchantId, secretKey, liveKey, apiKey }
  } catch (error) {
    // In full: fast-check shows the words of an error, not its causes.
    throw new Error(`The house did not open again: ${inspect(error)}`, { cause: error })
  }
}

/** The faults stop, half an hour passes, and the network's books are compared with what we say. */
async function promisesHold(real: Real, m: Model): Promise<void> {
  for (let round = 0; round < 4; round += 1) {
    real.clock.jump(20 * 60_000)
    m.nowMs += 20 * 60_000
    reconcile(m)
    await runJob(real, 'reconcile')
    await runJob(real, 'disputes')
    for (const payment of m.payments) workOnRefunds(payment, m.nowMs, paidMinor(payment))
    await runJob(real, 'refunds')
  }
  for (const payment of m.payments) {
    const { url, txRef } = payment
    const digits = url.slice(-32)
    const of = { merchantId: Number(digits.slice(0, 8)), number: digits.slice(8) }
    const answer = await fetch(`${real.house.url}/api/transaction/${txRef}`, {
      headers: { authorization: `Bearer ${real.key.text}` },
    })
    const { data } = (await answer.json()) as { data: { status: string } }
    const charges =
      (await readCharged(real.house.db, of)).length + (await readPaidPages(real.house.db, of)).length
    const declined = await countDeclined(real.house.db, of.merchantId, [of.number])
    assert.equal(declined.get(of.number) ?? 0, payment.declined, `${txRef}: what networks declined`)
    const isPaid = ['success', 'refunded', 'reversed'].includes(data.status)
    assert.equal(charges, isPaid ? 1 : 0, `${txRef} is ${data.status}`)
    assert.equal(data.status === 'reversed', payment.dispute?.end === 'lost', `${txRef} is ${data.status}`)
    await disputesAreTold(real, payment)
    // By the networks' own books: nothing twice, nothing forgotten, and not more than was paid.
    const pages = await readPaidPages(real.house.db, of)
    const { sumMinor } = await readCardRefunds(real.house.db, of)
    const wentBack = pages.reduce((sum, { refundedMinor }) => sum + refundedMinor, sumMinor)
    assert.equal(wentBack, payment.refundedMinor, `${txRef}: what went back`)
    assert.ok(wentBack <= paidMinor(payment))
  }
  assert.deepEqual(await declinesAreTheNetworks({ databaseUrl: real.house.db.url }), [])
}
