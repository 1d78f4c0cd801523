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
import { ask, dataOf, isMissing, isStranger, moneyOf, name, objectOf, type PaystackWay } from './client.ts'
import { limitsOf, toPaystack } from './currencies.ts'
import { readText } from './metadata.ts'
import type { Resources } from './resources.ts'

// A saved card is an authorization, which Paystack binds to the e-mail address that it was made with. A charge without the
// customer is a transaction with our key as its reference, like all others.

type Transaction = Resources['transaction']

/** In the metadata of a page that saves its card: Paystack makes an authorization for every card. */
export const saveMark = { florin_save: 'true' } as const

export function savedBy({
  metadata,
  authorization,
  customer,
  currency,
}: Transaction): SavedMethod | undefined {
  const marks = readText(metadata)
  const isAsked = typeof marks === 'object' && marks !== null && 'florin_save' in marks
  const {
    authorization_code: code,
    reusable,
    channel,
    brand,
    last4,
    exp_month,
    exp_year,
  } = authorization ?? {}
  if (!isAsked || !code || reusable !== true || channel !== 'card' || !customer?.email) return undefined
  return {
    reference: [code, currency, customer.email].join(' '),
    kind: 'card',
    ...(brand && { brand: brandOf(brand) }),
    ...(last4 && /^\d{4}$/.test(last4) && { last4 }),
    ...(exp_year && exp_month && { expires: `${exp_year}-${exp_month.padStart(2, '0')}` }),
  }
}

/** `visa`, and sometimes `visa DEBIT`. */
function brandOf(brand: string): string {
  const [first = ''] = brand.trim().split(/\s+/)
  return first.charAt(0).toUpperCase() + first.slice(1, 40)
}

function readToken(token: string): { code: string; currency: string; email: string } {
  const [code = '', currency = '', email = ''] = token.split(' ')
  return { code, currency, email }
}

export async function chargeSaved(
  way: PaystackWay,
  account: Account,
  order: HostedSavedOrder,
  signal: AbortSignal,
): Promise<HostedStatus> {
  const { code, email } = readToken(order.token)
  const send = {
    reference: order.idempotencyKey,
    authorization_code: code,
    email,
    amount: toPaystack(order.amountMinor, order.currency),
    currency: order.currency,
    metadata: JSON.stringify(metadataOf(order)),
  }
  const made = await ask(way, account, { path: '/transaction/charge_authorization', send }, signal)
  if (made.kind === 'ok') return statusOf(objectOf(dataOf(made)) as Transaction)
  // Without the right to charge nothing was made; with a used reference something was.
  if (isStranger(made) || made.code === 'duplicate_reference') dataOf(made)
  const isEnded = /authorization/i.test(`${made.code} ${made.why}`)
  return { kind: 'declined', reason: isEnded ? 'method_ended' : 'processing_error' }
}

export async function fetchCharge(
  way: PaystackWay,
  account: Account,
  { idempotencyKey }: HostedOrderKey,
  signal: AbortSignal,
): Promise<HostedStatus> {
  const path = `/transaction/verify/${encodeURIComponent(idempotencyKey)}`
  const answer = await ask(way, account, { path }, signal)
  if (isMissing(answer) && !isStranger(answer)) return { kind: 'not_found' }
  const found = objectOf(dataOf(answer)) as Transaction
  if (found.reference !== idempotencyKey) throw new NoAnswer(name, 'it told of another transaction')
  return statusOf(found)
}

/**
 * Shuts out a charge that Paystack has not seen, by opening a page with its reference, whose address nobody gets: should
 * the request still arrive, its reference is taken.
 */
export async function withdrawCharge(
  way: PaystackWay,
  account: Account,
  order: HostedOrderKey,
  signal: AbortSignal,
): Promise<HostedStatus> {
  const status = await fetchCharge(way, account, order, signal)
  if (status.kind === 'open') return { kind: 'declined', reason: 'challenge_abandoned' }
  if (status.kind !== 'not_found' || order.token === undefined) return status
  const { currency, email } = readToken(order.token)
  const send = {
    reference: order.idempotencyKey,
    email,
    amount: toPaystack(limitsOf(currency, 'card').least, currency),
    currency,
    channels: ['card'],
  }
  const used = await ask(way, account, { path: '/transaction/initialize', send }, signal)
  if (used.kind === 'ok') return { kind: 'declined', reason: 'challenge_abandoned' }
  // The request was quicker.
  const found = await fetchCharge(way, account, order, signal)
  if (found.kind === 'not_found')
    throw new NoAnswer(name, `it took no other use of the reference: ${used.why}`)
  return found
}

/** Ending an authorization twice, or one that is gone, is refused with 400 or 404. */
export async function forget(
  way: PaystackWay,
  account: Account,
  token: string,
  signal: AbortSignal,
): Promise<void> {
  const send = { authorization_code: readToken(token).code }
  const ended = await ask(way, account, { path: '/customer/authorization/deactivate', send }, signal)
  if (isStranger(ended)) dataOf(ended)
}

function statusOf({ reference, status, amount, currency, ...more }: Transaction): HostedStatus {
  const connectorReference = reference
  if (status === 'success')
    return {
      kind: 'charged',
      connectorReference,
      chargeReference: reference,
      money: moneyOf(amount, currency),
    }
  // The bank wants the customer, on a page whose address nobody gets.
  if (more.paused === true) return { kind: 'declined', reason: 'needs_customer' }
  if (status === 'failed') return { kind: 'declined', reason: reasonOf(more.gateway_response ?? '') }
  // Nobody can pay on the page that shut a charge out.
  if (status === 'abandoned') return { kind: 'open', connectorReference }
  if (status === 'reversed') return { kind: 'declined', reason: 'processing_error' }
  return { kind: 'pending', connectorReference }
}

/** In the words of banks, which Paystack hands on. */
const reasons: readonly (readonly [RegExp, DeclineReason])[] = [
  [/insufficient|not sufficient/i, 'insufficient_funds'],
  [/expired/i, 'expired_card'],
  [/stolen|lost|pick.?up|restricted card|closed|fraud|no such card|invalid card/i, 'method_ended'],
  [/authenticat|\botp\b|3.?d.?s/i, 'needs_customer'],
]

function reasonOf(words: string): DeclineReason {
  return reasons.find(([pattern]) => pattern.test(words))?.[1] ?? 'declined'
}
