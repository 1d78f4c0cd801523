import type { Queryable } from '../../platform/database/database.ts'
import type { Mode } from '../../core/merchants/mode.ts'
import { sumNewestOfProject } from './project-totals-store.ts'

// A project's income, summed on request. Stored totals would make every payment of a project wait for one row; so the
// newest payments are read instead, up to a limit: 10,000 took 0.1 s on a busy machine.

export const addedUpMax = 5_000

export type ProjectTotals = {
  readonly currencies: readonly CurrencyTotals[]
  /** False: there are older payments, which are not in it. */
  readonly isWhole: boolean
}

export type CurrencyTotals = {
  readonly currency: string
  readonly paid: number
  readonly paidMinor: bigint
  readonly refundedMinor: bigint
  readonly disputedMinor: bigint
}

export async function projectTotals(
  db: Queryable,
  scope: { readonly merchantId: number; readonly mode: Mode; readonly projectId: string },
): Promise<ProjectTotals> {
  const rows = await sumNewestOfProject(db, scope, addedUpMax)
  const payments = rows.reduce((sum, row) => sum + row.payments, 0)
  return {
    currencies: rows
      .filter(({ paid }) => paid > 0)
      .map((row) => ({
        currency: row.currency,
        paid: row.paid,
        paidMinor: row.paid_minor,
        refundedMinor: row.refunded_minor,
        disputedMinor: row.disputed_minor,
      })),
    isWhole: payments <= addedUpMax,
  }
}
