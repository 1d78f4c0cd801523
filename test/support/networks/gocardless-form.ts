import { may, metadata, must, object, oneOf, text, whole, type Fields } from './parameters.ts'

// The documented fields of the calls that we make, as version 2015-07-06 has them.

const threeNames = metadata({ names: 3, name: 50, value: 500 })
const address = text(2_048, /^https?:\/\/\S+$/)
const amount = whole(1, 1e12)
/** JSON has a word for it. */
const yesOrNo = (value: unknown, field: string) =>
  typeof value === 'boolean' ? undefined : ({ kind: 'invalid', field, why: 'must be true or false' } as const)

export const createRequest: Fields = {
  metadata: may(threeNames),
  payment_request: must(
    object({
      amount: must(amount),
      currency: must(oneOf('GBP', 'EUR')),
      description: may(text(140)),
      metadata: may(threeNames),
    }),
  ),
  mandate_request: may(
    object({
      currency: must(oneOf('GBP', 'EUR')),
      scheme: may(oneOf('bacs', 'sepa_core')),
      metadata: may(threeNames),
    }),
  ),
}

export const createPayment: Fields = {
  amount: must(amount),
  currency: must(oneOf('GBP', 'EUR')),
  description: may(text(140)),
  metadata: may(threeNames),
  links: must(object({ mandate: must(text(255, /^MD/)) })),
}

export const createFlow: Fields = {
  redirect_uri: may(address),
  exit_uri: may(address),
  language: may(text(2, /^[a-z]{2}$/)),
  lock_currency: may(yesOrNo),
  prefilled_customer: may(
    object({ email: may(text(255, /@/)), given_name: may(text(100)), family_name: may(text(100)) }),
  ),
  links: must(object({ billing_request: must(text(255, /^BRQ/)) })),
}

export const createRefund: Fields = {
  amount: must(amount),
  total_amount_confirmation: must(amount),
  metadata: may(threeNames),
  reference: may(text(18)),
  links: must(object({ payment: must(text(255, /^PM/)) })),
}

export const action: Fields = { metadata: may(threeNames) }

const paging = { limit: may(whole(1, 500)), after: may(text(255)), before: may(text(255)) }
const since = may(object({ gte: may(text(40)), lte: may(text(40)) }))
export const lists: Readonly<Record<string, Fields>> = {
  billing_requests: paging,
  payments: { ...paging, mandate: may(text(255, /^MD/)), created_at: since },
  events: {
    ...paging,
    resource_type: may(oneOf('payments', 'mandates')),
    action: may(text(40)),
    payment: may(text(255, /^PM/)),
    created_at: since,
  },
  refunds: { ...paging, payment: may(text(255)) },
  payouts: { ...paging, created_at: since },
  payout_items: { ...paging, payout: must(text(255)) },
  creditors: paging,
}
