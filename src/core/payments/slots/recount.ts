import type { Database, Transaction } from '../../../platform/database/database.ts'
import type { TotalRow } from '../daily-totals/total-store.ts'

/** What a module adds when totals are rebuilt from their sources. */
export type Recount = {
  /** Daily totals of its own rows, read in the same snapshot as those of payments. */
  readonly days?: (tx: Transaction, merchantId: number) => Promise<readonly TotalRow[]>
  /** Sums that it keeps itself. */
  readonly sums?: (db: Database, merchantId: number) => Promise<void>
}
