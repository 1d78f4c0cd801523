import type { ShownSavedMethod } from '../../core/payments/saving/saving.ts'
import { formatAmount } from '../../platform/money/money.ts'
import type { MethodRow } from './store.ts'

/** As a transaction shows it. */
export function shownMethod(method: MethodRow): ShownSavedMethod {
  const { id, kind, brand, last4, expires, connector: network } = method
  return { id, kind, brand, last4, expires, network, usable: method.ended_at === null }
}

/** As its own look-up, the list and its events show it. */
export function presentMethod(method: MethodRow, txRef?: string): object {
  return {
    ...shownMethod(method),
    mode: method.mode,
    customer_ref: method.customer_ref,
    agreement: method.agreement,
    ...(method.limit_minor !== null && {
      limit: formatAmount(method.limit_minor, method.limit_currency),
      limit_minor: Number(method.limit_minor),
      limit_currency: method.limit_currency,
    }),
    ...(txRef !== undefined && { tx_ref: txRef }),
    saved_at: method.saved_at,
    ...(method.retry_at !== null && method.ended_at === null && { retry_after: method.retry_at }),
    ...(method.ended_at !== null && { ended_at: method.ended_at, ended_by: method.ended_by }),
  }
}
