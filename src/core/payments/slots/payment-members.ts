import { transactionJson } from '../present.ts'
import type { PaymentRow } from '../store.ts'

/** What modules add to a payment when a program or a person looks it up. */
export type PaymentMembers = {
  /** As they are now: what a payment says of a saved method may have changed since it was written. */
  readonly refresh?: (payments: readonly PaymentRow[]) => Promise<readonly PaymentRow[]>
  /** As the API shows them. */
  readonly refunds?: (payment: PaymentRow) => Promise<readonly object[]>
}

export async function lookedUpJson(
  { refresh, refunds }: PaymentMembers,
  payment: PaymentRow,
  baseUrl: string,
): Promise<string> {
  // Asked for only where there are any: a look-up is what programs do most.
  const [current = payment] = payment.saving === null ? [] : ((await refresh?.([payment])) ?? [])
  const shown = payment.refunds === 0 ? [] : await refunds?.(payment)
  return transactionJson(current, baseUrl, undefined, shown)
}
