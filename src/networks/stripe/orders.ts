import type Stripe from 'stripe'
import type { DeclineReason } from '../../core/networks/connector.ts'
import type {
  Account,
  HostedOrder,
  HostedOrderKey,
  HostedPage,
  HostedStatus,
  Opened,
} from '../../core/networks/hosted.ts'
import { NoAnswer } from '../../core/networks/no-answer.ts'
import { metadataOf } from '../../core/networks/order-metadata.ts'
import { fromStripe, toStripe } from './amounts.ts'
import { ask, isMissing, list, name, valueOf, type StripeWay } from './client.ts'
import { knownCustomer, readSaved } from './saved.ts'

// An order is a Checkout Session, made when the customer clicks: it lives from half an hour to a day.

type Session = Stripe.Checkout.Session

const leastLifeMs = 35 * 60_000
const mostLifeMs = 24 * 3_600_000 - 5 * 60_000

export async function open(
  way: StripeWay,
  account: Account,
  order: HostedOrder,
  page: HostedPage,
  signal: AbortSignal,
): Promise<Opened> {
  const amount = toStripe(order.amountMinor, order.currency)
  if (amount === undefined)
    return { kind: 'refused', why: `Stripe can't write this amount of ${order.currency}` }
  const made = await ask(way, account, signal, (stripe) =>
    stripe.checkout.sessions.create(paramsOf(order, page, amount), { idempotencyKey: order.idempotencyKey }),
  )
  if (made.kind === 'ok') return opened(made.value)
  // The customer may be gone at Stripe, or the key may not name customers: a page without their cards will do.
  if (page.savedToken !== undefined && made.status < 409)
    return open(way, account, order, { ...page, savedToken: undefined }, signal)
  // Without a URL no customer ever saw a page, so a key unknown to Stripe can be taken as a no.
  const isStranger = made.status === 401 || made.status === 403
  if (isStranger && order.connectorReference !== undefined) return valueOf(made)
  // The key may have been used before with other words on the page, such as another language: that page counts.
  const session = isStranger ? undefined : await readSession(way, account, order, signal)
  return session ? opened(session) : { kind: 'refused', why: `${made.code}: ${made.why}` }
}

function opened({ id, status, url }: Session): Opened {
  if (status === 'open' && typeof url === 'string') return { kind: 'open', connectorReference: id, url }
  throw new NoAnswer(name, `the page ${id} is ${status} already`)
}

/** Nothing in it may depend on when it is sent: Stripe refuses a key that comes again with other parameters. */
function paramsOf(order: HostedOrder, page: HostedPage, amount: bigint): Stripe.Checkout.SessionCreateParams {
  const metadata = metadataOf(order)
  const startedMs = order.startedAt.getTime()
  const expiresMs = Math.min(
    Math.max(page.expiresAt.getTime(), startedMs + leastLifeMs),
    startedMs + mostLifeMs,
  )
  return {
    mode: 'payment',
    ui_mode: 'hosted_page',
    line_items: itemLines(order, page) ?? [lineOf(order, productName(page), amount, 1)],
    // Else Stripe may let the customer pay in another currency than the one that was asked for.
    adaptive_pricing: { enabled: false },
    success_url: page.returnUrl,
    cancel_url: page.cancelUrl,
    client_reference_id: `${order.merchantId}-${order.paymentNumber}`,
    ...(page.savedToken === undefined
      ? page.email !== '' && { customer_email: page.email }
      : knownCustomer(page.savedToken)),
    locale: localeOf(page.language),
    expires_at: Math.floor(expiresMs / 1_000),
    metadata,
    // A card, as other methods can't be charged again, or only as something else than what the customer chose.
    ...(page.save && {
      customer_creation: 'always' as const,
      allowed_payment_method_types: ['card' as const],
    }),
    payment_intent_data: {
      metadata,
      description: productName(page),
      ...(page.save && { setup_future_usage: 'off_session' as const }),
      // For cards Stripe takes a suffix alone, behind the prefix of the account, and cuts both together at 22 letters. A whole
      // descriptor would be refused: that is for payments without a card.
      ...(page.statementDescriptor !== undefined && {
        statement_descriptor_suffix: page.statementDescriptor,
      }),
    },
  }
}

type LineItem = Stripe.Checkout.SessionCreateParams.LineItem

const quantityMax = 999_999

/** Undefined where Stripe can't show them one by one: it takes no line below zero and none in fractions of its units. */
function itemLines(order: HostedOrder, { items = [] }: HostedPage): LineItem[] | undefined {
  const lines = items.map(({ name: label, quantity, unitMinor }) => {
    const unitAmount = toStripe(unitMinor, order.currency)
    const isTaken = unitAmount !== undefined && unitAmount >= 0n && quantity <= quantityMax
    return isTaken ? lineOf(order, label, unitAmount, quantity) : undefined
  })
  return lines.length > 0 && lines.every((line) => line !== undefined) ? lines : undefined
}

function lineOf({ currency }: HostedOrder, label: string, unitAmount: bigint, quantity: number): LineItem {
  return {
    price_data: {
      currency: currency.toLowerCase(),
      unit_amount: Number(unitAmount),
      product_data: { name: label },
    },
    quantity,
  }
}

function productName(page: HostedPage): string {
  return (
    [page.description, page.merchantName, page.txRef].find((text) => text.trim() !== '')?.slice(0, 250) ?? '-'
  )
}

const locales =
  'bg cs da de el en en-GB es es-419 et fi fil fr fr-CA hi-IN hr hu id it ja ko lt lv ms mt nb nl pl pt pt-BR ro ru sk sl sv th tr vi zh zh-HK zh-TW'.split(
    ' ',
  )

function localeOf(language: string): string {
  const asked = language.toLowerCase()
  return (
    locales.find((locale) => locale.toLowerCase() === asked) ??
    locales.find((locale) => locale === asked.split('-')[0]) ??
    'auto'
  )
}

export async function fetch(
  way: StripeWay,
  account: Account,
  order: HostedOrderKey,
  signal: AbortSignal,
): Promise<HostedStatus> {
  const session = await readSession(way, account, order, signal)
  return session ? fullStatusOf(way, account, session, signal) : { kind: 'not_found' }
}

export async function withdraw(
  way: StripeWay,
  account: Account,
  order: HostedOrderKey,
  signal: AbortSignal,
): Promise<HostedStatus> {
  const id = order.connectorReference ?? (await findSession(way, account, order, signal))?.id
  // A page whose address never reached us was never shown to anybody, so it can't be paid.
  if (id === undefined) return { kind: 'not_found' }
  const expired = await ask(way, account, signal, (stripe) =>
    stripe.checkout.sessions.expire(id, { expand: ['payment_intent'] }),
  )
  if (expired.kind === 'ok') return fullStatusOf(way, account, expired.value, signal)
  // Not open any more, so it says: what became of it?
  const status = await fetch(way, account, { ...order, connectorReference: id }, signal)
  if (status.kind === 'open') throw new NoAnswer(name, `it did not close ${id}: ${expired.why}`)
  return status
}

async function readSession(
  way: StripeWay,
  account: Account,
  order: HostedOrderKey,
  signal: AbortSignal,
): Promise<Session | undefined> {
  const { connectorReference } = order
  if (connectorReference === undefined) return findSession(way, account, order, signal)
  const found = await ask(way, account, signal, (stripe) =>
    stripe.checkout.sessions.retrieve(connectorReference, { expand: ['payment_intent'] }),
  )
  return isMissing(found) ? undefined : valueOf(found)
}

const earlierSeconds = 10 * 60
const laterSeconds = 60 * 60

/** For an answer that was lost: Stripe can't look for our names, so we read what was made around that time. */
async function findSession(
  way: StripeWay,
  account: Account,
  order: HostedOrderKey,
  signal: AbortSignal,
): Promise<Session | undefined> {
  const around = Math.floor(order.startedAt.getTime() / 1_000)
  const created = { gte: around - earlierSeconds, lte: around + laterSeconds }
  const sessions = list(way, account, signal, async (stripe, page) =>
    stripe.checkout.sessions.list({ created, expand: ['data.payment_intent'], ...page }),
  )
  for await (const session of sessions) {
    if (session.metadata?.['florin_key'] === order.idempotencyKey) return session
  }
  return undefined
}

/** With what was saved, if the page was to save it. */
async function fullStatusOf(
  way: StripeWay,
  account: Account,
  session: Session,
  signal: AbortSignal,
): Promise<HostedStatus> {
  const status = statusOf(session)
  const intent = intentOf(session)
  if (status.kind !== 'charged' || !intent) return status
  const savedMethod = await readSaved(way, account, intent, signal)
  return savedMethod ? { ...status, savedMethod } : status
}

function intentOf({ payment_intent: intent }: Session): Stripe.PaymentIntent | null {
  return typeof intent === 'object' ? intent : null
}

function statusOf(session: Session): HostedStatus {
  const { id, status, payment_status, url } = session
  const intent = intentOf(session)
  if (payment_status === 'paid') {
    if (!intent) throw new NoAnswer(name, `${id} is paid without a payment intent`)
    const money = fromStripe(intent.amount_received, intent.currency)
    return { kind: 'charged', connectorReference: id, chargeReference: intent.id, money }
  }
  if (status === 'open') return { kind: 'open', connectorReference: id, url: url ?? undefined }
  if (status === 'expired') return { kind: 'declined', reason: 'challenge_abandoned' }
  // Complete and unpaid: a method that takes days, which may still fail.
  const isOver = intent?.status === 'canceled' || intent?.status === 'requires_payment_method'
  return isOver ? { kind: 'declined', reason: reasonOf(intent) } : { kind: 'pending', connectorReference: id }
}

const reasons: Readonly<Record<string, DeclineReason>> = {
  insufficient_funds: 'insufficient_funds',
  expired_card: 'expired_card',
  incorrect_cvc: 'wrong_cvc',
  invalid_cvc: 'wrong_cvc',
  processing_error: 'processing_error',
  payment_intent_authentication_failure: 'challenge_refused',
  authentication_required: 'challenge_refused',
}

function reasonOf(intent: Stripe.PaymentIntent): DeclineReason {
  const { decline_code = '', code = '' } = intent.last_payment_error ?? {}
  return reasons[decline_code] ?? reasons[code] ?? 'declined'
}
