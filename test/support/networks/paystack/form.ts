import { listOf, may, must, oneOf, text, whole, type Fields, type Rule } from '../parameters.ts'

// The documented fields of the calls that we make, as Paystack's OpenAPI document has them.

const currency = oneOf('NGN', 'GHS', 'KES', 'ZAR', 'USD', 'XOF')
const amount: Rule = (value, field) =>
  typeof value === 'number'
    ? whole(1, 1e12)(value, field)
    : { kind: 'invalid', field, why: 'must be an integer' }
/** The specification names fewer for a refund. */
const refundCurrency = oneOf('NGN', 'GHS', 'KES', 'ZAR', 'USD')
const address = text(2_048, /^https?:\/\/\S+$/)
const values: Rule = (value, field) =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? undefined
    : { kind: 'invalid', field, why: 'must be an object' }

export const initialize: Fields = {
  email: must(text(255, /^[^@\s]+@[^@\s]+\.[^@\s]+$/)),
  amount: must(amount),
  currency: may(currency),
  reference: may(text(100, /^[A-Za-z0-9.=-]+$/)),
  callback_url: may(address),
  channels: may(
    listOf(oneOf('card', 'bank', 'ussd', 'qr', 'eft', 'mobile_money', 'bank_transfer', 'apple_pay'), 8),
  ),
  metadata: may(values),
}

export const chargeAuthorization: Fields = {
  email: must(text(255, /^[^@\s]+@[^@\s]+\.[^@\s]+$/)),
  amount: must(amount),
  authorization_code: must(text(100, /^AUTH_/)),
  reference: must(text(100, /^[A-Za-z0-9.=-]+$/)),
  currency: may(currency),
  metadata: may(text(10_000, /^\{.*\}$/)),
}
export const deactivate: Fields = { authorization_code: must(text(100, /^AUTH_/)) }

export const createRefund: Fields = {
  transaction: must(text(100)),
  amount: may(amount),
  currency: may(refundCurrency),
  customer_note: may(text(255)),
  merchant_note: may(text(255)),
}

const size = may(whole(1, 100))
const paging = { perPage: size, per_page: size, page: may(whole(1, 1e6)) }
const time = text(40, /^\d{4}-\d{2}-\d{2}T/)
const dated = { ...paging, from: may(time), to: may(time) }
export const lists: Readonly<Record<string, Fields>> = {
  transaction: { ...dated, status: may(oneOf('success', 'failed', 'abandoned', 'reversed')) },
  refund: dated,
  dispute: { ...dated, transaction: may(text(40)), status: may(text(40)) },
  settlement: { ...dated, status: may(oneOf('success', 'processing', 'pending', 'failed')) },
  transactions: dated,
}
