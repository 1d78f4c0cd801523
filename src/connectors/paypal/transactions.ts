import type { Account, Movement } from '../hosted.ts'
import { NoAnswer } from '../no-answer.ts'
import type { ReportedBalance, ReportedLine, ReportedPayout } from '../payout-reports.ts'
import { fromPayPal } from './amounts.ts'
import { ask, bodyOf, listIn, name, type PayPalWay } from './client.ts'
import { readCustomId } from './custom-id.ts'
import type { TransactionInfo } from './resources.ts'

// PayPal keeps one list of bookings, in which a withdrawal to the bank is one among others: it never says which payments were in it,
// nor when the bank has it. The list lags up to three hours behind, and only apps with "Transaction search" may read it.

/** No longer span may be asked for. */
const spanMs = 30 * 24 * 3_600_000
const pageSize = 500
/** A pending transaction is listed under the day it was made. */
const laterMs = 48 * 3_600_000

/** Oldest first; memory holds a span. */
async function* transactions(
  way: PayPalWay,
  account: Account,
  since: Date,
  signal: AbortSignal,
): AsyncIterable<TransactionInfo> {
  const endMs = way.now().getTime()
  for (let startMs = since.getTime(); startMs < endMs; startMs += spanMs) {
    const span = { start: new Date(startMs), end: new Date(Math.min(startMs + spanMs, endMs)) }
    const found = await readSpan(way, account, span, signal)
    // Spans share their last moment.
    yield* found.filter((one) => startMs === since.getTime() || timeOf(one) > startMs)
  }
}

async function readSpan(
  way: PayPalWay,
  account: Account,
  { start, end }: { readonly start: Date; readonly end: Date },
  signal: AbortSignal,
): Promise<TransactionInfo[]> {
  const found: TransactionInfo[] = []
  let [page, pages] = [1, 1]
  for (; page <= pages; page += 1) {
    const query = new URLSearchParams({
      start_date: start.toISOString(),
      end_date: end.toISOString(),
      fields: 'transaction_info',
      page_size: String(pageSize),
      page: String(page),
    })
    const body = bodyOf(
      await ask(way, account, { path: `/v1/reporting/transactions?${query.toString()}` }, signal),
    )
    for (const { transaction_info: info } of listIn(body, 'transaction_details')) found.push(info)
    pages = pagesOf(body)
  }
  return found.filter(isDone).toSorted((one, other) => timeOf(one) - timeOf(other))
}

function pagesOf(body: Readonly<Record<string, unknown>> | undefined): number {
  const pages = body?.['total_pages'] ?? 1
  if (typeof pages !== 'number' || !Number.isSafeInteger(pages))
    throw new NoAnswer(name, 'it does not say how many pages there are')
  return pages
}

function timeOf({ transaction_initiation_date: at }: TransactionInfo): number {
  return Date.parse(at)
}

/** Pending and denied ones moved nothing. */
function isDone({ transaction_status: status }: TransactionInfo): boolean {
  return status === 'S' || status === 'V'
}

type Kind = 'charge' | 'refund' | 'dispute' | 'fee' | 'payout' | 'other'

/** By the group of a code, then by the code itself: developer.paypal.com/reports/reference/tcodes. */
const groups: Readonly<Record<string, Kind>> = { T00: 'charge', T01: 'fee', T04: 'payout', T12: 'dispute' }
const kinds: Readonly<Record<string, Kind>> = { T1106: 'dispute', T1107: 'refund', T1108: 'fee' }

function kindOf({ transaction_event_code: code, transaction_amount }: TransactionInfo): Kind {
  const kind = kinds[code] ?? groups[code.slice(0, 3)] ?? 'other'
  // The merchant's payments to others have the same codes.
  return kind === 'charge' && fromPayPal(transaction_amount).amountMinor < 0n ? 'other' : kind
}

function chargeOf(info: TransactionInfo, kind: Kind): string | undefined {
  return kind === 'charge' ? info.transaction_id : info.paypal_reference_id
}

/** PayPal's fee; negative if it was refunded. */
function feeOf({ fee_amount }: TransactionInfo): bigint {
  return fee_amount === undefined ? 0n : -fromPayPal(fee_amount).amountMinor
}

export async function* movements(
  way: PayPalWay,
  account: Account,
  since: Date,
  signal: AbortSignal,
): AsyncIterable<Movement> {
  for await (const info of transactions(way, account, since, signal)) {
    const kind = kindOf(info)
    yield {
      kind,
      reference: info.transaction_id,
      chargeReference: chargeOf(info, kind),
      refundReference: kind === 'refund' ? info.transaction_id : undefined,
      money: fromPayPal(info.transaction_amount),
      feeMinor: feeOf(info),
      at: new Date(timeOf(info)),
      idempotencyKey: readCustomId(info.custom_field).idempotencyKey,
    }
  }
}

export async function* payouts(
  way: PayPalWay,
  account: Account,
  since: Date,
  signal: AbortSignal,
): AsyncIterable<ReportedPayout> {
  for await (const info of transactions(way, account, since, signal)) {
    const { amountMinor, currency } = fromPayPal(info.transaction_amount)
    if (kindOf(info) !== 'payout' || amountMinor >= 0n) continue
    yield {
      reference: info.transaction_id,
      status: info.transaction_status === 'V' ? 'failed' : 'on_its_way',
      money: { amountMinor: -amountMinor, currency },
      madeAt: new Date(timeOf(info)),
      bankReference: info.bank_reference_id,
      failure: info.transaction_status === 'V' ? 'reversed' : undefined,
      lines: 'never',
    }
  }
}

/** PayPal has no such list. */
export async function* payoutLines(): AsyncIterable<ReportedLine> {}

const lineKinds: Readonly<Record<Kind, ReportedLine['kind']>> = {
  charge: 'payment',
  refund: 'refund',
  dispute: 'dispute',
  fee: 'fee',
  payout: 'adjustment',
  other: 'adjustment',
}

export async function* bookings(
  way: PayPalWay,
  account: Account,
  since: Date,
  signal: AbortSignal,
): AsyncIterable<ReportedLine> {
  const from = new Date(since.getTime() - laterMs)
  for await (const info of transactions(way, account, from, signal)) {
    const kind = kindOf(info)
    if (kind !== 'payout') yield lineOf(info, kind)
  }
}

function lineOf(info: TransactionInfo, kind: Kind): ReportedLine {
  const { amountMinor, currency } = fromPayPal(info.transaction_amount)
  const isFee = kind === 'fee'
  const at = new Date(timeOf(info))
  return {
    reference: info.transaction_id,
    kind: lineKinds[kind],
    type: info.transaction_event_code,
    currency,
    grossMinor: isFee ? 0n : amountMinor,
    feeMinor: isFee ? -amountMinor : feeOf(info),
    taxMinor: 0n,
    chargeReference: chargeOf(info, kind),
    paymentNumber: readCustomId(info.custom_field).paymentNumber,
    refundReference: kind === 'refund' ? info.transaction_id : undefined,
    bookedAt: at,
    availableAt: at,
  }
}

export async function balance(
  way: PayPalWay,
  account: Account,
  signal: AbortSignal,
): Promise<readonly ReportedBalance[]> {
  const body = bodyOf(await ask(way, account, { path: '/v1/reporting/balances' }, signal))
  return listIn(body, 'balances').map(({ total_balance }) => fromPayPal(total_balance))
}
