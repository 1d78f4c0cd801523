import type Stripe from 'stripe'
import type { DeclineReason } from '../../core/networks/connector.ts'
import type {
  Account,
  HostedOrderKey,
  HostedSavedOrder,
  HostedStatus,
  SavedMethod,
} from '../../core/networks/hosted.ts'
import { NoAnswer } from '../../core/networks/no-answer.ts'
import { metadataOf } from '../../core/networks/order-metadata.ts'
import { fromStripe, toStripe } from './amounts.ts'
import { ask, isMissing, list, name, valueOf, type Refused, type StripeWay } from './client.ts'

// A saved card is a customer with a payment method at Stripe; a charge without the customer is a payment intent.

type Intent = Stripe.PaymentIntent

/** Marks charges of saved cards: the intents of Stripe's own pages are asked about by their session. */
export const savedMark = 'florin_saved'

/** What a page with `save` has saved, once it is paid. */
export async function readSaved(
  way: StripeWay,
  account: Account,
  intent: Intent,
  signal: AbortSignal,
): Promise<SavedMethod | undefined> {
  if (intent.setup_future_usage !== 'off_session') return undefined
  const [customer, method] = [idOf(intent.customer), idOf(intent.payment_method)]
  if (customer === undefined || method === undefined) return undefined
  const found = await ask(way, account, signal, (stripe) => stripe.paymentMethods.retrieve(method))
  // A restricted key may lack the right to see it: it can be charged all the same.
  const card = found.kind === 'ok' ? found.value.card : undefined
  return { reference: `${customer} ${method}`, kind: 'card', ...(card && describe(card)) }
}

function describe({ brand, last4, exp_month, exp_year }: Stripe.PaymentMethod.Card): Partial<SavedMethod> {
  return {
    brand: brands[brand] ?? brand,
    last4,
    expires: `${exp_year}-${String(exp_month).padStart(2, '0')}`,
  }
}

const brands: Readonly<Record<string, string>> = {
  amex: 'American Express',
  cartes_bancaires: 'Cartes Bancaires',
  diners: 'Diners Club',
  discover: 'Discover',
  eftpos_au: 'eftpos',
  jcb: 'JCB',
  mastercard: 'Mastercard',
  unionpay: 'UnionPay',
  visa: 'Visa',
}

function idOf(named: string | { readonly id: string } | null): string | undefined {
  return typeof named === 'string' ? named : named?.id
}

type Token = { readonly customer: string; readonly method: string }

function readToken(token: string): Token {
  const [customer = '', method = ''] = token.split(' ')
  return { customer, method }
}

/** Stripe's page shows customers the cards that they saved before. */
export function knownCustomer(token: string) {
  return {
    customer: readToken(token).customer,
    saved_payment_method_options: {
      allow_redisplay_filters: ['always' as const, 'limited' as const, 'unspecified' as const],
    },
  }
}

/** An order that charges a saved card, by what is known of it. */
export function isCharge({ token, connectorReference }: HostedOrderKey): boolean {
  return token !== undefined || connectorReference?.startsWith('pi_') === true
}

export async function chargeSaved(
  way: StripeWay,
  account: Account,
  order: HostedSavedOrder,
  signal: AbortSignal,
): Promise<HostedStatus> {
  const amount = toStripe(order.amountMinor, order.currency)
  if (amount === undefined) return { kind: 'declined', reason: 'processing_error' }
  const { customer, method } = readToken(order.token)
  const { idempotencyKey, statementDescriptor } = order
  const made = await ask(way, account, signal, (stripe) =>
    stripe.paymentIntents.create(
      {
        amount: Number(amount),
        currency: order.currency.toLowerCase(),
        customer,
        payment_method: method,
        allowed_payment_method_types: ['card'],
        // A present customer's own payment. There is no page of Stripe's to ask them on, so a bank that wants more declines.
        ...(order.isPresent ? { error_on_requires_action: true } : { off_session: true }),
        confirm: true,
        description: order.description,
        metadata: { ...metadataOf(order), [savedMark]: 'true' },
        ...(statementDescriptor !== undefined && { statement_descriptor_suffix: statementDescriptor }),
      },
      { idempotencyKey },
    ),
  )
  if (made.kind === 'ok') return statusOf(made.value)
  // Without the right to charge nothing was made, and that is for the merchant to put right.
  const isStranger = made.status === 401 || made.status === 403
  return isStranger ? valueOf(made) : { kind: 'declined', reason: reasonOf(made) }
}

export async function fetchCharge(
  way: StripeWay,
  account: Account,
  order: HostedOrderKey,
  signal: AbortSignal,
): Promise<HostedStatus> {
  const { connectorReference } = order
  if (connectorReference === undefined) return findCharge(way, account, order, signal)
  const found = await ask(way, account, signal, (stripe) =>
    stripe.paymentIntents.retrieve(connectorReference),
  )
  return isMissing(found) ? { kind: 'not_found' } : statusOf(valueOf(found))
}

const earlierSeconds = 10 * 60
const laterSeconds = 60 * 60

async function findCharge(
  way: StripeWay,
  account: Account,
  { token, startedAt, idempotencyKey }: HostedOrderKey,
  signal: AbortSignal,
): Promise<HostedStatus> {
  const around = Math.floor(startedAt.getTime() / 1_000)
  const created = { gte: around - earlierSeconds, lte: around + laterSeconds }
  const of = token === undefined ? {} : { customer: readToken(token).customer }
  const intents = list(way, account, signal, async (stripe, page) =>
    stripe.paymentIntents.list({ ...of, created, ...page }),
  )
  for await (const intent of intents)
    if (intent.metadata['florin_key'] === idempotencyKey) return statusOf(intent)
  return { kind: 'not_found' }
}

/** Stripe remembers keys for a day: a request that is stuck on the way for longer is gone. */
const keyMemoryMs = 23 * 3_600_000
/** No request takes longer: one that used its key up without a trace until then made nothing. */
const requestLifeMs = 10 * 60_000

/**
 * Shuts out a charge that Stripe has not seen, by using up its key for something harmless: should the request still arrive,
 * Stripe refuses it, as it refuses every key that comes again for something else.
 */
export async function withdrawCharge(
  way: StripeWay,
  account: Account,
  order: HostedOrderKey,
  signal: AbortSignal,
): Promise<HostedStatus> {
  const status = await fetchCharge(way, account, order, signal)
  const ageMs = way.now().getTime() - order.startedAt.getTime()
  if (status.kind !== 'not_found' || order.token === undefined || ageMs >= keyMemoryMs) return status
  const { idempotencyKey } = order
  const { customer } = readToken(order.token)
  const used = await ask(way, account, signal, (stripe) =>
    stripe.customers.update(customer, { metadata: { florin_withdrawn: idempotencyKey } }, { idempotencyKey }),
  )
  // Nobody can charge a customer who is gone.
  if (used.kind === 'ok' || isMissing(used)) return status
  // The request was quicker.
  const found = await fetchCharge(way, account, order, signal)
  if (found.kind === 'not_found' && (ageMs < requestLifeMs || used.status !== 400))
    throw new NoAnswer(name, `it took no other use of the key: ${used.why}`)
  return found
}

/** Detaching a card twice, or one that is gone, is refused with 400 or 404. */
export async function forget(
  way: StripeWay,
  account: Account,
  token: string,
  signal: AbortSignal,
): Promise<void> {
  const { method } = readToken(token)
  const gone = await ask(way, account, signal, (stripe) => stripe.paymentMethods.detach(method))
  if (gone.kind === 'refused' && gone.status !== 400 && gone.status !== 404) valueOf(gone)
}

function statusOf(intent: Intent): HostedStatus {
  const { id, status } = intent
  if (status === 'succeeded') {
    const money = fromStripe(intent.amount_received, intent.currency)
    return { kind: 'charged', connectorReference: id, chargeReference: id, money }
  }
  // Nobody but us can confirm it, and we don't.
  const isOver = status === 'requires_payment_method' || status === 'canceled'
  if (isOver || status === 'requires_action')
    return { kind: 'declined', reason: isOver ? reasonOfIntent(intent) : 'needs_customer' }
  return { kind: 'pending', connectorReference: id }
}

function reasonOfIntent({ last_payment_error: error }: Intent): DeclineReason {
  return reasonOf({
    code: error?.code ?? '',
    declineCode: error?.decline_code,
    adviceCode: error?.advice_code,
  })
}

const reasons: Readonly<Record<string, DeclineReason>> = {
  insufficient_funds: 'insufficient_funds',
  expired_card: 'expired_card',
  processing_error: 'processing_error',
  authentication_required: 'needs_customer',
  authentication_not_handled: 'needs_customer',
  payment_intent_action_required: 'needs_customer',
  payment_intent_authentication_failure: 'needs_customer',
  // The card or its customer is gone at Stripe.
  resource_missing: 'method_ended',
  ...Object.fromEntries(
    [
      'fraudulent',
      'incorrect_number',
      'invalid_account',
      'invalid_number',
      'lost_card',
      'merchant_blacklist',
      'new_account_information_available',
      'pickup_card',
      'restricted_card',
      'revocation_of_all_authorizations',
      'revocation_of_authorization',
      'stolen_card',
      'stop_payment_order',
    ].map((code) => [code, 'method_ended'] as const),
  ),
}

/** Card schemes say themselves which declines must never be tried again. */
function reasonOf({
  code,
  declineCode = '',
  adviceCode,
}: Pick<Refused, 'code' | 'declineCode' | 'adviceCode'>): DeclineReason {
  const reason = reasons[declineCode] ?? reasons[code] ?? (code === 'card_declined' ? 'declined' : undefined)
  if (adviceCode === 'do_not_try_again' && reason !== 'expired_card') return 'method_ended'
  return reason ?? 'processing_error'
}
