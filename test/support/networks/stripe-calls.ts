import { asList, pageOf } from './parameters.ts'
import type { ApiAnswer } from './stand-in.ts'
import {
  makeId,
  type Intent,
  type Metadata,
  type NewRefundStatus,
  type Session,
  type StripeBooks,
} from './stripe-books.ts'

// What each call of Stripe's API does, once its parameters were found good.

export type Parameters = Readonly<Record<string, unknown>>

export function refuse(status: number, code: string | undefined, message: string, param?: string): ApiAnswer {
  const error = { type: 'invalid_request_error', message, ...(code && { code }), ...(param && { param }) }
  return { status, body: { error } }
}

export function missing(what: string, id: string): ApiAnswer {
  return refuse(404, 'resource_missing', `No such ${what}: '${id}'`, 'id')
}

const ok = (body: unknown): ApiAnswer => ({ status: 200, body })

const lastDigitsZero: Readonly<Record<string, number>> = {
  isk: 100,
  ugx: 100,
  bhd: 10,
  jod: 10,
  kwd: 10,
  omr: 10,
  tnd: 10,
}
const leastLife = 30 * 60
const mostLife = 24 * 3_600

type LineItem = {
  price_data: { currency: string; unit_amount: string; product_data: { name: string } }
  quantity: string
}

export function createSession(books: StripeBooks, sent: Parameters, url: string): ApiAnswer {
  const items = asList(sent['line_items']) as LineItem[]
  const { currency } = (items[0] as LineItem).price_data
  let amount = 0
  for (const [index, { price_data, quantity }] of items.entries()) {
    const unitAmount = Number(price_data.unit_amount)
    if (unitAmount % (lastDigitsZero[currency] ?? 1) !== 0) {
      return refuse(
        400,
        'parameter_invalid_integer',
        `Invalid integer: ${price_data.unit_amount}`,
        `line_items[${index}][price_data][unit_amount]`,
      )
    }
    amount += unitAmount * Number(quantity)
  }
  if (currency === 'gbp' && amount < 30) {
    return refuse(
      400,
      'amount_too_small',
      "The Checkout Session's total amount due must add up to at least £0.30 gbp",
    )
  }
  const refusal = refuseCustomer(books, sent)
  if (refusal) return refusal
  const created = books.seconds()
  const expiresAt = Number(sent['expires_at'] ?? created + mostLife)
  if (expiresAt < created + leastLife || expiresAt > created + mostLife) {
    return refuse(
      400,
      undefined,
      'The `expires_at` timestamp must be between 30 minutes and 24 hours from Checkout Session creation.',
      'expires_at',
    )
  }
  const id = makeId('cs_test')
  const session: Session = {
    id,
    object: 'checkout.session',
    amount_total: amount,
    currency,
    created,
    expires_at: expiresAt,
    livemode: false,
    mode: 'payment',
    ui_mode: 'hosted_page',
    metadata: (sent['metadata'] ?? {}) as Metadata,
    client_reference_id: (sent['client_reference_id'] ?? null) as string | null,
    customer_email: (sent['customer_email'] ?? null) as string | null,
    success_url: sent['success_url'] as string,
    cancel_url: (sent['cancel_url'] ?? null) as string | null,
    customer_creation: (sent['customer_creation'] ?? 'if_required') as Session['customer_creation'],
    customer: (sent['customer'] ?? null) as string | null,
    status: 'open',
    payment_status: 'unpaid',
    payment_intent: null,
    url: `${url}/pay/${id}`,
    line_items: items.map(({ price_data, quantity }) => ({
      description: price_data.product_data.name,
      quantity: Number(quantity),
      amount_total: Number(price_data.unit_amount) * Number(quantity),
    })),
  }
  books.sessions.set(id, session)
  const intentData = (sent['payment_intent_data'] ?? {}) as IntentData
  books.intents.set(id, makeIntent(session, intentData))
  return ok(session)
}

function refuseCustomer(books: StripeBooks, sent: Parameters): ApiAnswer | undefined {
  const customer = sent['customer'] as string | undefined
  if (customer === undefined) return undefined
  if (!books.customers.has(customer))
    return refuse(400, 'resource_missing', `No such customer: '${customer}'`, 'customer')
  return sent['customer_email'] === undefined
    ? undefined
    : refuse(400, undefined, 'You may only specify one of these parameters: customer, customer_email.')
}

export type IntentData = {
  metadata?: Metadata
  description?: string
  statement_descriptor_suffix?: string
  setup_future_usage?: 'off_session'
}

export function makeIntent(
  of: Pick<Session, 'amount_total' | 'currency' | 'created'>,
  data: IntentData,
): Intent {
  return {
    id: makeId('pi'),
    object: 'payment_intent',
    amount: of.amount_total,
    currency: of.currency,
    created: of.created,
    setup_future_usage: data.setup_future_usage ?? null,
    customer: null,
    payment_method: null,
    metadata: data.metadata ?? {},
    description: data.description ?? null,
    statement_descriptor_suffix: data.statement_descriptor_suffix ?? null,
    amount_received: 0,
    status: 'requires_payment_method',
    last_payment_error: null,
  }
}

/** An intent is known by its session until that is complete, as at Stripe. */
export function shown(books: StripeBooks, session: Session, expand: readonly unknown[]): unknown {
  if (session.payment_intent === null || !expand.some((name) => String(name).endsWith('payment_intent')))
    return session
  return { ...session, payment_intent: books.intents.get(session.id) }
}

export function expireSession(books: StripeBooks, id: string): ApiAnswer {
  const session = books.find(id)
  if (!session) return missing('checkout.session', id)
  if (session.status !== 'open') {
    return refuse(
      400,
      undefined,
      `Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a status of \`${session.status}\`.`,
    )
  }
  books.expire(session)
  return ok(session)
}

export function createRefund(books: StripeBooks, sent: Parameters, status: NewRefundStatus): ApiAnswer {
  const id = sent['payment_intent'] as string
  const intent = [...books.intents.values()].find((each) => each.id === id)
  if (!intent || intent.amount_received === 0) return missing('payment_intent', id)
  const left = books.unrefunded(intent)
  const amount = Number(sent['amount'] ?? left)
  if (left === 0)
    return refuse(400, 'charge_already_refunded', `Charge ${intent.id} has already been refunded.`)
  if (amount > left) {
    return refuse(
      400,
      'amount_too_large',
      `Refund amount (${amount}) is greater than unrefunded amount on charge (${left})`,
      'amount',
    )
  }
  const refund = {
    id: makeId('re'),
    object: 'refund' as const,
    amount,
    currency: intent.currency,
    created: books.seconds(),
    metadata: (sent['metadata'] ?? {}) as Metadata,
    payment_intent: id,
    charge: id.replace('pi_', 'ch_'),
    status,
  }
  books.refunds.set(refund.id, refund)
  books.book('refund', -amount, refund.currency, refund)
  return ok(refund)
}

type Listed = { readonly id: string; readonly created?: number }

/** The newest first, with Stripe's paging. */
export function listed<T extends Listed>(
  found: readonly T[],
  sent: Parameters,
  url: string,
  fits: (item: T) => boolean = () => true,
): ApiAnswer {
  const within = (sent['created'] ?? {}) as Record<string, string | number>
  const { gte = 0, gt = -1, lte = 9e9, lt = 9e9 + 1 } = within
  const isWithin = ({ created = 0 }: Listed): boolean =>
    created >= Number(gte) && created > Number(gt) && created <= Number(lte) && created < Number(lt)
  const newest = found.toReversed().toSorted(({ created: one = 0 }, { created: other = 0 }) => other - one)
  const [after, before] = [sent['starting_after'], sent['ending_before']] as (string | undefined)[]
  if (after !== undefined && before !== undefined) {
    return refuse(400, undefined, 'You can only use one of `starting_after` and `ending_before`.')
  }
  const paging = { limit: Number(sent['limit'] ?? 10), after, before }
  const page = pageOf(
    newest,
    ({ id }) => id,
    (item) => isWithin(item) && fits(item),
    paging,
  )
  if (!page) {
    const param = after === undefined ? 'ending_before' : 'starting_after'
    return refuse(400, 'resource_missing', `No such object: '${after ?? before}'`, param)
  }
  return ok({ object: 'list', url, data: page.items, has_more: page.hasMore })
}
