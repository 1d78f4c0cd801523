import type { PaymentMethod } from '../../../platform/money/payment-methods.ts'

/** The saved method that is charged, as far as an attempt knows it. */
export type ChargedMethod = {
  readonly id: string
  readonly connector: string
  readonly accountId: string | null
  readonly kind: 'card' | 'debit'
  readonly brand: string | null
  readonly last4: string | null
}

/** The columns of an attempt that charges it: no page is opened. */
export function columnsOf(method: ChargedMethod) {
  const { id, accountId, brand, last4 } = method
  const isWhole = brand !== null && last4 !== null && /^[0-9]{4}$/.test(last4)
  return {
    card_brand: isWhole ? brand : null,
    card_last4: isWhole ? last4 : null,
    account_id: accountId,
    method: accountId === null ? null : methodOf(method),
    saved_method_id: id,
    page_expires_at: null,
    page_expires_least: null,
  }
}

export function methodOf({ kind }: Pick<ChargedMethod, 'kind'>): PaymentMethod {
  return kind === 'card' ? 'card' : 'bank'
}
