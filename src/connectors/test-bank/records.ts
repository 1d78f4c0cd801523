import type { Database } from '../../database/database.ts'
import { undecidedMs } from './bank.ts'
import { decidePage, listPages, listRefunds, type PageRow } from './store.ts'

export type { PageRow }

/** The customer's decision on the bank's page; false if it can no longer be paid. */
export type Decision = 'pay' | 'pay_later' | 'refuse'

export async function decide(
  db: Database,
  page: { merchantId: number; reference: string },
  decision: Decision,
  at: Date,
): Promise<boolean> {
  return decidePage(db, page, {
    state: decision === 'refuse' ? 'refused' : 'paid',
    at,
    toldFrom: decision === 'pay_later' ? new Date(at.getTime() + undecidedMs) : at,
  })
}

/** The ground truth: every page of a payment, oldest first. */
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
