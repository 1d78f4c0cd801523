import { decimalsAt } from './paypal-books.ts'
import { listOf, may, must, object, oneOf, text, whole, type Fields, type Rule } from './parameters.ts'

// The documented fields of the calls that we make, as Orders v2, Payments v2 and Notifications v1 have them.

const currencies =
  'AUD BRL CAD CHF CNY CZK DKK EUR GBP HKD HUF ILS JPY MXN MYR NOK NZD PHP PLN SEK SGD THB TWD USD'.split(' ')

/** Plain decimals, as many as the currency has at PayPal. */
const amount: Rule = (value, field) => {
  const { currency_code = '', value: number = '' } = (value ?? {}) as Record<string, string>
  const shape = decimalsAt(currency_code) === 0 ? /^\d{1,7}$/ : /^\d{1,7}\.\d\d$/
  if (!currencies.includes(currency_code)) return { kind: 'invalid', field, why: 'CURRENCY_NOT_SUPPORTED' }
  if (!shape.test(number)) return { kind: 'invalid', field, why: 'DECIMAL_PRECISION' }
  return undefined
}

const money = { currency_code: must(text(3)), value: must(text(32)) }
const address = text(2_048, /^https?:\/\/\S+$/)

export const createOrder: Fields = {
  intent: must(oneOf('CAPTURE', 'AUTHORIZE')),
  purchase_units: must(
    listOf(
      object({
        amount: must((value, field) => {
          const { breakdown: _, ...plain } = value as Record<string, unknown>
          const shape = object({
            ...money,
            breakdown: may(object({ item_total: may(amount), discount: may(amount) })),
          })
          return shape(value, field) ?? amount(plain, field)
        }),
        custom_id: may(text(127)),
        invoice_id: may(text(127)),
        description: may(text(127)),
        soft_descriptor: may(text(22)),
        items: may(
          listOf(
            object({
              name: must(text(127)),
              quantity: must(text(10, /^\d+$/)),
              unit_amount: must(amount),
            }),
            100,
          ),
        ),
      }),
      10,
    ),
  ),
  payment_source: may(
    object({
      paypal: must(
        object({
          email_address: may(text(254, /@/)),
          experience_context: may(
            object({
              brand_name: may(text(127)),
              locale: may(text(10, /^[a-z]{2}(?:-[A-Z][a-z]{3})?(?:-[A-Z]{2})?$/)),
              user_action: may(oneOf('CONTINUE', 'PAY_NOW')),
              shipping_preference: may(oneOf('GET_FROM_FILE', 'NO_SHIPPING', 'SET_PROVIDED_ADDRESS')),
              payment_method_preference: may(oneOf('UNRESTRICTED', 'IMMEDIATE_PAYMENT_REQUIRED')),
              return_url: must(address),
              cancel_url: must(address),
            }),
          ),
        }),
      ),
    }),
  ),
}

export const captureOrder: Fields = {}

export const createRefund: Fields = {
  amount: may(amount),
  // As its answer is specified, which is stricter than the request.
  custom_id: may(text(127, /^[\w.,-]*$/)),
  invoice_id: may(text(127)),
  note_to_payer: may(text(255)),
}

export const createWebhook: Fields = {
  url: must(text(2_048, /^https?:\/\/\S+$/)),
  event_types: must(listOf(object({ name: must(text(50)) }), 500)),
}

const time = text(64, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/)

export const lists: Readonly<Record<string, Fields>> = {
  '/v1/customer/disputes': {
    start_time: may(time),
    page_size: may(whole(1, 50)),
    next_page_token: may(text(255)),
  },
  '/v1/reporting/transactions': {
    start_date: must(time),
    end_date: must(time),
    fields: may(text(200)),
    page_size: may(whole(1, 500)),
    page: may(whole(1, 1_000_000)),
  },
  '/v1/reporting/balances': {},
  '/v1/notifications/webhooks': {},
}
