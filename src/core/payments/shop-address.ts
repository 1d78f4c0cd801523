import { withParameters } from '../../platform/input/url.ts'
import { publicStatus } from './state-machine.ts'
import type { PaymentRow } from './store.ts'

// The merchant's own URLs of a payment, with the payment's tx_ref and status in the query.

type Told = Pick<PaymentRow, 'callback_url' | 'return_url' | 'tx_ref' | 'state' | 'dialect'>

/**
 * Where notifications go. Plugins of the family are called there once a payment is paid, never otherwise: PayChangu for
 * WooCommerce takes the end of an abandoned payment for the end of its order, though a second payment has paid it.
 */
export function callbackAddress(payment: Omit<Told, 'return_url'>, event: string): string | null {
  const { callback_url: url, dialect } = payment
  if (url === null || (dialect === 'family' && event !== 'payment.success')) return null
  return withParameters(url, parametersOf(payment)) ?? url
}

/**
 * Where the customer goes. Plugins of the family finish an order when a paying customer arrives at the callback_url; their
 * return_url is for customers who have not paid.
 */
export function returnAddress(payment: Told): string | undefined {
  const { callback_url: callback, return_url: back, dialect, state } = payment
  const url = dialect === 'family' && state === 'success' ? (callback ?? back) : back
  return url === null ? undefined : withParameters(url, parametersOf(payment))
}

function parametersOf({ tx_ref, state, dialect }: Omit<Told, 'return_url' | 'callback_url'>) {
  const status = publicStatus[state]
  return dialect === 'family' ? { tx_ref, trx_ref: tx_ref, status } : { tx_ref, status }
}
