import type { Database } from '../../../src/platform/database/database.ts'
import { listPages, listRefunds, type PageRow } from '../../../src/core/test-network/bank/store.ts'

// What the built-in test bank itself recorded: the tests compare it with Florin's own records.

/** Every page of a payment, oldest first. */
export async function readPages(
  db: Database,
  payment: { merchantId: number; number: string },
): Promise<PageRow[]> {
  return listPages(db, payment)
}

/** Pages that took money, minus those refunded: there must never be two. */
export async function readPaidPages(
  db: Database,
  payment: { merchantId: number; number: string },
): Promise<(PageRow & { readonly refundedMinor: bigint })[]> {
  const paid = (await listPages(db, payment)).filter(({ state }) => state === 'paid')
  return Promise.all(
    paid.map(async (page) => {
      const refunds = await listRefunds(db, { merchantId: payment.merchantId, reference: page.reference })
      return { ...page, refundedMinor: refunds.reduce((sum, { amount_minor }) => sum + amount_minor, 0n) }
    }),
  )
}
