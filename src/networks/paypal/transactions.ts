import type { Account, Movement } from '../../core/networks/hosted.ts'
import { NoAnswer } from '../../core/networks/no-answer.ts'
import type { ReportedBalance, ReportedLine, ReportedPayout } from '../../core/networks/payout-reports.ts'
import { fromPayPal } from './amounts.ts'
import { ask, bodyOf, listIn, name, type PayPalWay } from './client.ts'
import { readCustomId } from './custom-id.ts'
import type { TransactionInfo } from './resources.ts'

// PayPal keeps one list of bookings, in which a withdrawal to the bank is one among others: it never says which payments were in it,
// nor when the bank has it. The list lags up to three hours behind, and only apps with "Transaction search" may read it.

const hourMs = 3_600_000
const dayMs = 24 * hourMs
/** No longer span may be asked for. */
const spanMs = 30 * dayMs
/** PayPal may refuse a span that starts within the last 36 hours. */
const refusedMs = 37 * hourMs
/** A span of more than 10,000 transactions is refused, and halved until they fit. */
const shortestMs = 1_000
const pageSize = 500
/** A transaction under review is listed under the day it was made, once it is done. PayPal gives up on most after 30 days. */
const reviewMs = 31 * dayMs

type Span = { readonly startMs: number; readonly endMs: number }

/** Oldest first; memory holds a span. */
async function* transactions(
  way: PayPalWay,
  account: Account,
  since: Date,
  signal: AbortSignal,
): AsyncIterable<TransactionInfo> {
  const endMs = way.now().getTime()
  const startMs = Math.min(since.getTime(), endMs - refusedMs)
  // All spans have one length: a short last one would start within the last 36 hours.
  const count = Math.ceil((endMs - startMs) / spanMs)
  const at = (index: number): number => startMs + Math.round(((endMs - startMs) * index) / count)
  for (let index = 0; index < count; index += 1) {
    const span = { startMs: at(index), endMs: at(index + 1) }
    for await (const one of readSpan(way, account, span, signal)) {
      // Spans share their last moment.
      if (index === 0 ? timeOf(one) >= since.getTime() : timeOf(one) > span.startMs) yield one
    }
  }
}

async function* readSpan(
  way: PayPalWay,
  account: Account,
  span: Span,
  signal: AbortSignal,
): AsyncIterable<TransactionInfo> {
  const found = await readPages(way, account, span, signal)
  if (found !== 'too_many') {
    yield* found.filter(isDone).toSorted((one, other) => timeOf(one) - timeOf(other))
    return
  }
  const { startMs, endMs } = span
  if (endMs - startMs <= shortestMs)
    throw new NoAnswer(name, `it has more transactions at ${new Date(startMs).toISOString()} than it lists`)
  const middleMs = Math.floor((startMs + endMs) / 2)
  yield* readSpan(way, account, { startMs, endMs: middleMs }, signal)
  for await (const one of readSpan(way, account, { startMs: middleMs, endMs }, signal))
    if (timeOf(one) > middleMs) yield one
}

async function readPages(
  way: PayPalWay,
  account: Account,
  { startMs, endMs }: Span,
  signal: AbortSignal,
): Promise<TransactionInfo[] | 'too_many'> {
  const found: TransactionInfo[] = []
  let [page, pages] = [1, 1]
  for (; page <= pages; page += 1) {
    const query = new URLSearchParams({
      start_date: new Date(startMs).toISOString(),
      end_date: new Date(endMs).toISOString(),
      fields: 'transaction_info',
      page_size: String(pageSize),
      page: String(page),
    })
    const answer = await ask(way, account, { path: `/v1/reporting/transactions?${query.toString()}` }, signal)
    if (answer.kind === 'refused' && answer.issue === 'RESULTSET_TOO_LARGE') return 'too_many'
    // PayPal has nothing to list since then, yet: later looks begin before it again.
    if (answer.kind === 'refused' && isNotListedYet(answer.why)) return found
    const body = bodyOf(answer)
    for (const { transaction_info: info } of listIn(body, 'transaction_details')) found.push(info)
    pages = pagesOf(body)
  }
  return found
}

/** PayPal refuses it as a plain INVALID_REQUEST, like other mistakes: only the sentence differs. */
function isNotListedYet(why: string): boolean {
  return /data for the given start date is not available/i.test(why)
}

function pagesOf(body: Readonly<Record<string, unknown>> | undefined): number {
  const pages = body?.['total_pages'] ?? 1
  if (typeof pages !== 'number' || !Number.isSafeInteger(pages))
    throw new NoAnswer(name, 'it does not say how many pages there are')
  return pages
}

/** A transaction that is done since then may be listed under a day long before. */
function beforeReview(since: Date): Date {
  return new Date(since.getTime() - reviewMs)
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
  for await (const info of transactions(way, account, beforeReview(since), signal)) {
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
  for await (const info of transactions(way, account, beforeReview(since), signal)) {
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
