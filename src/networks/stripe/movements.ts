import type Stripe from 'stripe'
import type { Account, Money, Movement } from '../../core/networks/hosted.ts'
import { readMetadata } from '../../core/networks/order-metadata.ts'
import { fromStripe } from './amounts.ts'
import { list, type StripeWay } from './client.ts'

// Stripe lists the newest first, so days are read one by one, and each is turned round: memory holds one day.

export type Booking = Stripe.BalanceTransaction

const daySeconds = 86_400

const kinds: Readonly<Record<string, Movement['kind']>> = {
  charge: 'charge',
  payment: 'charge',
  refund: 'refund',
  payment_refund: 'refund',
  refund_failure: 'refund',
  payment_failure_refund: 'refund',
  payout: 'payout',
  payout_cancel: 'payout',
  payout_failure: 'payout',
  stripe_fee: 'fee',
  stripe_fx_fee: 'fee',
  tax_fee: 'fee',
}

export async function* movements(
  way: StripeWay,
  account: Account,
  since: Date,
  signal: AbortSignal,
): AsyncIterable<Movement> {
  const end = Math.floor(way.now().getTime() / 1_000)
  for (let start = Math.floor(since.getTime() / 1_000); start <= end; start += daySeconds) {
    const bookings = await readDay(way, account, start, signal)
    for (const booking of bookings.toReversed()) yield movementOf(booking)
  }
}

export async function readDay(
  way: StripeWay,
  account: Account,
  start: number,
  signal: AbortSignal,
): Promise<readonly Booking[]> {
  const created = { gte: start, lt: start + daySeconds }
  const bookings: Booking[] = []
  const listed = list(way, account, signal, async (stripe, page) =>
    stripe.balanceTransactions.list({ created, expand: ['data.source'], ...page }),
  )
  for await (const booking of listed) bookings.push(booking)
  return bookings
}

export type Source = {
  readonly id: string
  readonly object: string
  readonly amount?: number
  readonly currency?: string
  readonly payment_intent?: string | { readonly id: string } | null
  readonly metadata?: unknown
}

export function sourceOf({ source }: Booking): Source | null {
  return typeof source === 'object' ? source : null
}

export function chargeReferenceOf(source: Source | null): string | undefined {
  const intent = source?.payment_intent
  return typeof intent === 'string' ? intent : intent?.id
}

function movementOf(booking: Booking): Movement {
  const source = sourceOf(booking)
  const money = fromStripe(booking.amount, booking.currency)
  return {
    kind: source?.object === 'dispute' ? 'dispute' : (kinds[booking.type] ?? 'other'),
    reference: booking.id,
    chargeReference: chargeReferenceOf(source),
    refundReference: source?.object === 'refund' ? source.id : undefined,
    money,
    original: originalOf(source, booking),
    feeMinor: fromStripe(booking.fee, booking.currency).amountMinor,
    at: new Date(booking.created * 1_000),
    idempotencyKey: readMetadata(source?.metadata).idempotencyKey,
  }
}

export function originalOf(source: Source | null, booking: Booking): Money | undefined {
  if (source?.amount === undefined || source.currency === undefined) return undefined
  if (source.currency === booking.currency) return undefined
  const { amountMinor, currency } = fromStripe(source.amount, source.currency)
  return { amountMinor: booking.amount < 0 ? -amountMinor : amountMinor, currency }
}
