import { makeMerchantBatch, type MerchantBatch } from '../../../../platform/database/batch.ts'
import type { Database, Queryable } from '../../../../platform/database/database.ts'
import type { PaymentKey } from '../../store.ts'
import type { AttemptRow } from '../attempt-store.ts'
import { findByKeys, findStanding, type PaymentSnapshot } from './hosted-store.ts'

// Customers who choose, and callbacks that are worked on, come together at a busy merchant: they share their look-ups.

export type FindHosted = {
  /** Undefined when there is no such payment. */
  findStanding(key: PaymentKey): Promise<PaymentSnapshot | undefined>
  /** The attempt on a network's own page that has this key there. */
  findByKey(merchantId: number, idempotencyKey: string): Promise<AttemptRow | undefined>
}

const batchSizeMax = 100
const batchesInFlight = 2

export function makeFindHosted(db: Database): FindHosted {
  const standing = together(db, findStanding)
  return {
    findStanding: async ({ merchantId, number }) => standing(merchantId, number),
    findByKey: together(db, findByKeys),
  }
}

function together<Result>(
  db: Database,
  find: (db: Queryable, merchantId: number, names: readonly string[]) => Promise<readonly Result[]>,
): MerchantBatch<string, Result> {
  return makeMerchantBatch<string, Result>({
    maxSize: batchSizeMax,
    maxInFlight: batchesInFlight,
    run: async (merchantId, names, tx) => find(tx ?? db, merchantId, names),
    groupOn: db,
  })
}
