import { setTimeout as pause } from 'node:timers/promises'
import { inTransaction, type Database, type Transaction } from '../../../platform/database/database.ts'
import type { Core } from '../../../platform/jobs/core.ts'
import type { Job } from '../../../platform/jobs/job.ts'
import { visitEach } from '../../../platform/jobs/visit-due.ts'
import { modes } from '../../merchants/mode.ts'
import {
  findLastSlice,
  insertEntries,
  lockEntries,
  readIndexed,
  readToIndex,
  replaceEntries,
  saveSlice,
  type Entry,
  type Scope,
  type Unindexed,
} from './entry-store.ts'
import { gramsOfText, textOf } from './grams.ts'
import { findMerchantsToIndex } from './unindexed-look-store.ts'

// Makes payments searchable, a minute after they were created at the earliest. Until then searches read them as they are.

/** A look jumps over all merchants, so it is seldom. A shop with ten payments a second has 1,200 to read meanwhile. */
const everyMs = 120_000
const merchantsMax = 100
const atOnce = 500
/** Of one merchant before the next one's turn. */
const stepsMax = 5
/** Rests three times as long as a step took: after a rush, customers who pay come before people who may search. */
const restFactor = 3
const restMaxMs = 1_000
/** A search reads slice by slice. Small ones keep common words quick, few ones rare words. */
const sliceSize = 20_000

export function indexPaymentsJob({ db, log }: Pick<Core, 'db' | 'log'>): Job {
  return {
    name: 'index payments',
    everyMs,
    run: async () =>
      visitEach({
        log,
        what: 'payments to index',
        max: merchantsMax,
        look: async () => findMerchantsToIndex(db, merchantsMax),
        visit: async (merchantId) => ((await indexSteps(db, merchantId)) ? 1 : 0),
        failed: "Could not index a merchant's payments for search",
      }),
  }
}

/** True if there is more. */
async function indexSteps(db: Database, merchantId: number): Promise<boolean> {
  for (let step = 0; step < stepsMax; step += 1) {
    const began = performance.now()
    if ((await indexPayments(db, merchantId)) < atOnce) return false
    const tookMs = performance.now() - began
    await pause(Math.min(restFactor * tookMs, restMaxMs)) // No test: the exact time is no promise
  }
  return true
}

/** The next payments of each mode. Returns how many. */
export async function indexPayments(db: Database, merchantId: number): Promise<number> {
  let count = 0
  for (const mode of modes)
    count += await inTransaction(db, async (tx) => {
      await lockEntries(tx, merchantId)
      return indexNext(tx, { merchantId, mode })
    })
  return count
}

async function indexNext(tx: Transaction, scope: Scope): Promise<number> {
  const last = await findLastSlice(tx, scope)
  const payments = await readToIndex(tx, scope, { after: last, max: atOnce })
  const [first, end] = [payments[0], payments.at(-1)]
  if (!first || !end) return 0
  const goesOn = last !== undefined && last.payments < sliceSize
  const slice = goesOn ? last.slice : (last?.slice ?? 0) + 1
  await saveSlice(tx, scope, {
    slice,
    payments: (goesOn ? last.payments : 0) + payments.length,
    from_at: goesOn ? last.from_at : first.created_at,
    until_at: end.created_at,
    until_number: end.number,
  })
  await insertEntries(
    tx,
    scope.merchantId,
    payments.map((payment) => entryOf(payment, { ...scope, slice })),
  )
  return payments.length
}

/** For the commit that changed what payments say: who paid was erased. */
export async function indexAgain(
  tx: Transaction,
  merchantId: number,
  numbers: readonly string[],
): Promise<void> {
  await lockEntries(tx, merchantId)
  const payments = await readIndexed(tx, merchantId, numbers)
  const entries = payments.map((payment) => entryOf(payment, { ...payment, merchantId }))
  if (entries.length > 0) await replaceEntries(tx, merchantId, entries)
}

function entryOf(payment: Unindexed, place: Scope & { readonly slice: number }): Entry {
  const text = textOf(payment)
  const { number, created_at } = payment
  return { number, created_at, slice: place.slice, text, grams: gramsOfText(text, place) }
}
