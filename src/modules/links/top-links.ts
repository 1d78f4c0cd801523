import type { Database } from '../../platform/database/database.ts'
import type { PaidPeriod, TopRow } from '../../dashboard/slots.ts'
import { listLinked } from './paid-store.ts'
import { findLinksOf } from './link-payment-store.ts'

const topMax = 5

/** The links with the largest sums in a period. */
export async function readTopLinks(db: Database, period: PaidPeriod): Promise<TopRow[]> {
  const paid = await listLinked(db, period)
  if (paid.length === 0) return []
  const amounts = new Map(paid.map(({ tx_ref, amount_minor }) => [tx_ref, amount_minor]))
  const links = new Map<string, TopRow>()
  for (const { link_id: id, title: name, tx_ref } of await findLinksOf(db, period.merchantId, [
    ...amounts.keys(),
  ])) {
    const known = links.get(id) ?? { id, name, payments: 0, paidMinor: 0n }
    const paidMinor = known.paidMinor + (amounts.get(tx_ref) ?? 0n)
    links.set(id, { ...known, payments: known.payments + 1, paidMinor })
  }
  return [...links.values()]
    .toSorted((one, other) => Number(other.paidMinor - one.paidMinor))
    .slice(0, topMax)
}
