import type { Transaction } from '../../platform/database/database.ts'
import { planEachTime, sql } from '../../platform/database/sql.ts'
import type { OldTests } from '../../core/privacy/test-rows.ts'

// By the test links, of which there are few: a live link may have a payment with the same tx_ref.

/** Payments that weren't checked since they ended: their links haven't counted them yet. */
export async function findUnsettled(tx: Transaction, tests: OldTests): Promise<string[]> {
  const { merchantId, txRefs, numbers } = tests
  const rows = await tx.query<{ tx_ref: string }>(
    // No test of "link_payments.tx_ref = any": others are left out below
    planEachTime(sql`
      select link_payments.tx_ref from link_payments join links
        on links.merchant_id = ${merchantId} and links.id = link_payments.link_id and links.mode = 'test'
      where link_payments.merchant_id = ${merchantId} and link_payments.tx_ref = any(${txRefs}::text[])
        and link_payments.state = 'open'`),
  )
  const open = new Set(rows.map(({ tx_ref }) => tx_ref))
  return numbers.filter((_, at) => open.has(txRefs[at] ?? ''))
}

export async function deleteLinkPayments(tx: Transaction, { merchantId, txRefs }: OldTests): Promise<void> {
  await tx.query(
    planEachTime(sql`
      delete from link_payments using links
      where link_payments.merchant_id = ${merchantId} and links.merchant_id = ${merchantId}
        and links.id = link_payments.link_id and links.mode = 'test'
        and link_payments.tx_ref = any(${txRefs}::text[])`),
  )
}
