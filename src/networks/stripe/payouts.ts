import type Stripe from 'stripe'
import type { Account } from '../../core/networks/hosted.ts'
import type { ReportedBalance, ReportedLine, ReportedPayout } from '../../core/networks/payout-reports.ts'
import { fromStripe } from './amounts.ts'
import { ask, list, valueOf, type StripeWay } from './client.ts'
import { chargeReferenceOf, originalOf, readDay, sourceOf, type Booking } from './movements.ts'

// Stripe keeps one list of bookings. Those of a payout are its lines, once Stripe says that the list is complete; the payout
// itself is a booking as well, and is left out of them.

const statuses: Readonly<Record<string, ReportedPayout['status']>> = {
  pending: 'announced',
  in_transit: 'on_its_way',
  paid: 'arrived',
  failed: 'failed',
  canceled: 'failed',
}

export async function* payouts(
  way: StripeWay,
  account: Account,
  since: Date,
  signal: AbortSignal,
): AsyncIterable<ReportedPayout> {
  const created = { gte: Math.floor(since.getTime() / 1_000) }
  const found = list(way, account, signal, async (stripe, page) => stripe.payouts.list({ created, ...page }))
  for await (const payout of found) yield payoutOf(payout)
}

function payoutOf(payout: Stripe.Payout): ReportedPayout {
  const { status, failure_message, failure_code } = payout
  const failure = status === 'canceled' ? 'canceled' : (failure_message ?? failure_code ?? undefined)
  return {
    reference: payout.id,
    // A status that Stripe adds later: the money has left the balance and hasn't arrived yet.
    status: statuses[status] ?? 'on_its_way',
    money: fromStripe(payout.amount, payout.currency),
    madeAt: new Date(payout.created * 1_000),
    arrivesOn: new Date(payout.arrival_date * 1_000).toISOString().slice(0, 10),
    bankReference: payout.trace_id?.value ?? payout.statement_descriptor ?? undefined,
    failure,
    lines: linesOf(payout),
  }
}

/** Stripe keeps no list for a manual payout. */
function linesOf({ reconciliation_status: status }: Stripe.Payout): ReportedPayout['lines'] {
  if (status === 'completed') return 'ready'
  return status === 'in_progress' ? 'later' : 'never'
}

export async function* payoutLines(
  way: StripeWay,
  account: Account,
  payout: ReportedPayout,
  signal: AbortSignal,
): AsyncIterable<ReportedLine> {
  const listed = list(way, account, signal, async (stripe, page) =>
    stripe.balanceTransactions.list({ payout: payout.reference, expand: ['data.source'], ...page }),
  )
  for await (const booking of listed) if (!isPayout(booking)) yield lineOf(booking)
}

const daySeconds = 86_400

/** The oldest day first: memory holds one day. */
export async function* bookings(
  way: StripeWay,
  account: Account,
  since: Date,
  signal: AbortSignal,
): AsyncIterable<ReportedLine> {
  const end = Math.floor(way.now().getTime() / 1_000)
  for (let start = Math.floor(since.getTime() / 1_000); start <= end; start += daySeconds)
    for (const booking of await readDay(way, account, start, signal))
      if (!isPayout(booking)) yield lineOf(booking)
}

export async function balance(
  way: StripeWay,
  account: Account,
  signal: AbortSignal,
): Promise<readonly ReportedBalance[]> {
  const { available, pending } = valueOf(
    await ask(way, account, signal, async (stripe) => stripe.balance.retrieve()),
  )
  const sums = new Map<string, bigint>()
  for (const { amount, currency: code } of [...available, ...pending]) {
    const { amountMinor, currency } = fromStripe(amount, code)
    sums.set(currency, (sums.get(currency) ?? 0n) + amountMinor)
  }
  return [...sums].map(([currency, amountMinor]) => ({ currency, amountMinor }))
}

function isPayout({ type }: Booking): boolean {
  return type === 'payout' || type === 'payout_cancel' || type === 'payout_failure'
}

const kinds: Readonly<Record<string, ReportedLine['kind']>> = {
  charge: 'payment',
  payment: 'payment',
  refund: 'refund',
  payment_refund: 'refund',
  refund_failure: 'refund',
  payment_failure_refund: 'refund',
  stripe_fee: 'fee',
  stripe_fx_fee: 'fee',
  tax_fee: 'fee',
}

function lineOf(booking: Booking): ReportedLine {
  const source = sourceOf(booking)
  const kind = source?.object === 'dispute' ? 'dispute' : (kinds[booking.type] ?? 'adjustment')
  const inMinor = (amount: number): bigint => fromStripe(amount, booking.currency).amountMinor
  const amountMinor = inMinor(booking.amount)
  const taxes = booking.fee_details.filter(({ type }) => type === 'tax')
  const taxMinor = inMinor(taxes.reduce((sum, { amount }) => sum + amount, 0))
  const feeMinor = inMinor(booking.fee) - taxMinor
  return {
    reference: booking.id,
    kind,
    type: booking.type,
    currency: booking.currency.toUpperCase(),
    ...(kind === 'fee' ? feeOf(booking.type, amountMinor) : { grossMinor: amountMinor, feeMinor, taxMinor }),
    original: originalOf(source, booking),
    exchangeRate: booking.exchange_rate === null ? undefined : String(booking.exchange_rate),
    chargeReference: chargeReferenceOf(source),
    refundReference: source?.object === 'refund' ? source.id : undefined,
    bookedAt: new Date(booking.created * 1_000),
    availableAt: new Date(booking.available_on * 1_000),
  }
}

/** A booking that is a fee as a whole: nothing was sold. */
function feeOf(type: string, amountMinor: bigint) {
  return type === 'tax_fee'
    ? { grossMinor: 0n, feeMinor: 0n, taxMinor: -amountMinor }
    : { grossMinor: 0n, feeMinor: -amountMinor, taxMinor: 0n }
}
