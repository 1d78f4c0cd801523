import type { Account } from '../../core/networks/hosted.ts'
import { readMetadata } from '../../core/networks/order-metadata.ts'
import type { ReportedLine, ReportedPayout } from '../../core/networks/payout-reports.ts'
import { list, moneyOf, type PaystackWay } from './client.ts'
import { readText } from './metadata.ts'
import type { Resources } from './resources.ts'

// A payout is a settlement: the transactions in it with their fees, less the refunds that were deducted from it.

const statuses: Readonly<Record<string, ReportedPayout['status']>> = {
  success: 'arrived',
  processing: 'on_its_way',
  failed: 'failed',
}

export async function* payouts(
  way: PaystackWay,
  account: Account,
  since: Date,
  signal: AbortSignal,
): AsyncIterable<ReportedPayout> {
  for await (const each of settlements(way, account, since, signal)) yield payoutOf(each)
}

/** Paystack's guide has `from` for this list and its specification has not: older ones may come, too. */
export async function* settlements(
  way: PaystackWay,
  account: Account,
  since: Date,
  signal: AbortSignal,
): AsyncIterable<Resources['settlement']> {
  const from = since.toISOString()
  for await (const each of list<'settlement'>(way, account, '/settlement', { from }, signal))
    if (Date.parse(each.createdAt) >= since.getTime()) yield each
}

function payoutOf(settlement: Resources['settlement']): ReportedPayout {
  const { id, status, effective_amount, currency, settlement_date, createdAt } = settlement
  return {
    reference: String(id),
    status: statuses[status] ?? 'announced',
    money: moneyOf(effective_amount, currency),
    madeAt: new Date(createdAt),
    arrivesOn: settlement_date?.slice(0, 10),
    failure: status === 'failed' ? 'failed' : undefined,
    lines: 'ready',
  }
}

/** Refunds are asked for before the payout that they are deducted from. */
const refundsBeforeMs = 60 * 24 * 3_600_000

export async function* payoutLines(
  way: PaystackWay,
  account: Account,
  payout: ReportedPayout,
  signal: AbortSignal,
): AsyncIterable<ReportedLine> {
  const path = `/settlement/${encodeURIComponent(payout.reference)}/transactions`
  for await (const each of list<'transaction'>(way, account, path, {}, signal)) yield paidLine(each, payout)
  const from = new Date(payout.madeAt.getTime() - refundsBeforeMs).toISOString()
  for await (const each of list<'refund'>(way, account, '/refund', { from }, signal))
    if (String(each.settlement ?? '') === payout.reference) yield deductedLine(each, payout)
}

function paidLine(found: Resources['transaction'], { madeAt }: ReportedPayout): ReportedLine {
  const { reference, amount, currency, fees, metadata, paid_at } = found
  return {
    reference,
    kind: 'payment',
    type: 'transaction',
    currency,
    grossMinor: moneyOf(amount, currency).amountMinor,
    feeMinor: moneyOf(fees ?? 0, currency).amountMinor,
    taxMinor: 0n,
    chargeReference: reference,
    paymentNumber: readMetadata(readText(metadata)).paymentNumber,
    bookedAt: typeof paid_at === 'string' ? new Date(paid_at) : madeAt,
    availableAt: madeAt,
  }
}

function deductedLine(found: Resources['refund'], { madeAt }: ReportedPayout): ReportedLine {
  const { id, amount, currency, deducted_amount, dispute, transaction_reference, createdAt } = found
  const isDispute = dispute !== undefined && dispute !== null
  return {
    reference: `refund/${id}`,
    kind: isDispute ? 'dispute' : 'refund',
    type: isDispute ? 'dispute' : 'refund',
    currency,
    grossMinor: -moneyOf(deducted_amount ?? amount, currency).amountMinor,
    feeMinor: 0n,
    taxMinor: 0n,
    chargeReference: transaction_reference,
    ...(!isDispute && { refundReference: String(id) }),
    bookedAt: new Date(createdAt),
    availableAt: madeAt,
  }
}
