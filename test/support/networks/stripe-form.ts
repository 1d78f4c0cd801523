import { stripeCurrencies } from '../../../src/networks/stripe/amounts.ts'
import {
  asList,
  listOf,
  may,
  metadata,
  must,
  object,
  oneOf,
  text,
  whole,
  type Fields,
  type Rule,
} from './parameters.ts'

// The documented fields of the calls that we make, as API version 2026-10-28.endive has them.

const stripeMetadata = metadata({ names: 50, name: 40, value: 500 })
const address = text(2_048, /^https?:\/\/\S+$/)
const yesOrNo = oneOf('true', 'false')
const currency = oneOf(...stripeCurrencies.map((code) => code.toLowerCase()))
const amount = whole(1, 999_999_999_999)
const locale = oneOf(
  ...'auto bg cs da de el en en-GB es es-419 et fi fil fr fr-CA hi-IN hr hu id it ja ko lt lv ms mt nb nl pl pt pt-BR ro ru sk sl sv th tr vi zh zh-HK zh-TW'.split(
    ' ',
  ),
)
const expands = (...names: readonly string[]) => may(listOf(oneOf(...names), 4))
const created = object({
  gte: may(whole(0, 9e9)),
  gt: may(whole(0, 9e9)),
  lte: may(whole(0, 9e9)),
  lt: may(whole(0, 9e9)),
})
const paging = {
  limit: may(whole(1, 100)),
  starting_after: may(text(255)),
  ending_before: may(text(255)),
}
const events: Rule = (value, field) =>
  asList(value)?.every((event) => typeof event === 'string' && /^[a-z_]+(\.[a-z_]+)+$/.test(event))
    ? undefined
    : { kind: 'invalid', field, why: 'names no events' }

// Latin letters, at least one of them, and none that bank files use. `statement_descriptor` is for other methods.
const suffix = text(22, /^(?=.*[A-Za-z])(?!.*[<>\\'"*])[\x20-\x7e]+$/)
const cardOnly = listOf(oneOf('card'), 1)

export const createSession: Fields = {
  mode: must(oneOf('payment')),
  ui_mode: must(oneOf('hosted_page')),
  line_items: must(
    listOf(
      object({
        price_data: must(
          object({
            currency: must(currency),
            unit_amount: must(whole(0, 999_999_999_999)),
            product_data: must(object({ name: must(text(5_000)) })),
          }),
        ),
        quantity: must(whole(1, 999_999)),
      }),
      100,
    ),
  ),
  adaptive_pricing: may(object({ enabled: may(yesOrNo) })),
  success_url: must(address),
  cancel_url: may(address),
  client_reference_id: may(text(200, /^[\w-]+$/)),
  customer_email: may(text(800, /^[^\s@]+@[^\s@]+\.[^\s@]+$/)),
  locale: may(locale),
  expires_at: may(whole(0, 9e9)),
  metadata: may(stripeMetadata),
  payment_intent_data: may(
    object({
      metadata: may(stripeMetadata),
      description: may(text(1_000)),
      statement_descriptor_suffix: may(suffix),
      setup_future_usage: may(oneOf('off_session', 'on_session')),
    }),
  ),
  customer_creation: may(oneOf('always', 'if_required')),
  customer: may(text(255, /^cus_/)),
  saved_payment_method_options: may(
    object({ allow_redisplay_filters: may(listOf(oneOf('always', 'limited', 'unspecified'), 3)) }),
  ),
  allowed_payment_method_types: may(cardOnly),
  expand: expands('payment_intent'),
}

export const createIntent: Fields = {
  amount: must(amount),
  currency: must(currency),
  customer: must(text(255, /^cus_/)),
  payment_method: must(text(255, /^pm_/)),
  allowed_payment_method_types: must(cardOnly),
  off_session: may(oneOf('true')),
  error_on_requires_action: may(oneOf('true')),
  confirm: must(oneOf('true')),
  description: may(text(1_000)),
  metadata: may(stripeMetadata),
  statement_descriptor_suffix: may(suffix),
}
export const listIntents: Fields = { ...paging, created: may(created), customer: may(text(255, /^cus_/)) }
export const changeCustomer: Fields = { metadata: may(stripeMetadata) }

export const createRefund: Fields = {
  payment_intent: must(text(255, /^pi_/)),
  amount: may(amount),
  metadata: may(stripeMetadata),
}

export const evidenceFileFields: readonly string[] = [
  'cancellation_policy',
  'customer_communication',
  'customer_signature',
  'duplicate_charge_documentation',
  'receipt',
  'refund_policy',
  'service_documentation',
  'shipping_documentation',
  'uncategorized_file',
]
const evidenceTextFields: readonly string[] = [
  'access_activity_log',
  'billing_address',
  'cancellation_policy_disclosure',
  'cancellation_rebuttal',
  'customer_email_address',
  'customer_name',
  'customer_purchase_ip',
  'duplicate_charge_explanation',
  'duplicate_charge_id',
  'product_description',
  'refund_policy_disclosure',
  'refund_refusal_explanation',
  'service_date',
  'shipping_address',
  'shipping_carrier',
  'shipping_date',
  'shipping_tracking_number',
  'uncategorized_text',
]
const fieldsOf = (names: readonly string[], rule: Rule): Fields =>
  Object.fromEntries(names.map((name) => [name, may(rule)]))

export const answerDispute: Fields = {
  evidence: may(
    object({
      ...fieldsOf(evidenceTextFields, text(20_000)),
      ...fieldsOf(evidenceFileFields, text(255, /^file_/)),
    }),
  ),
  metadata: may(stripeMetadata),
  submit: may(yesOrNo),
}

export const createEndpoint: Fields = {
  url: must(address),
  description: may(text(5_000)),
  enabled_events: must(events),
}

export const readOne: Fields = { expand: expands('payment_intent') }
export const listSessions: Fields = {
  ...paging,
  created: may(created),
  expand: expands('data.payment_intent'),
}
export const listRefunds: Fields = { ...paging, payment_intent: may(text(255)) }
export const listDisputes: Fields = { ...paging, created: may(created) }
export const listBookings: Fields = {
  ...paging,
  created: may(created),
  payout: may(text(255, /^po_/)),
  expand: expands('data.source'),
}
export const listPayouts: Fields = { ...paging, created: may(created) }
export const listEndpoints: Fields = paging
export const nothing: Fields = {}
