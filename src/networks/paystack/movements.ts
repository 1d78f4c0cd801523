import type { Account, Movement } from '../../core/networks/hosted.ts'
import { readMetadata } from '../../core/networks/order-metadata.ts'
import { list, moneyOf, type PaystackWay } from './client.ts'
import { readText } from './metadata.ts'
import { settlements } from './payouts.ts'
import type { Resources } from './resources.ts'

// Paystack keeps no list of bookings: what it took, gave back and paid out stands in three lists.

/** What was refunded in full is `reversed`, and was a charge. */
const charged = ['success', 'reversed'] as const

export async function* movements(
  way: PaystackWay,
  account: Account,
  since: Date,
  signal: AbortSignal,
): AsyncIterable<Movement> {
  const from = since.toISOString()
  const found: Movement[] = []
  for (const status of charged)
    for await (const each of list<'transaction'>(way, account, '/transaction', { from, status }, signal))
      found.push(chargeOf(each))
  for await (const each of list<'refund'>(way, account, '/refund', { from }, signal))
    if (each.status !== 'failed') found.push(refundOf(each))
  for await (const each of settlements(way, account, since, signal))
    if (each.status !== 'failed') found.push(payoutOf(each))
  yield* found.toSorted((left, right) => left.at.getTime() - right.at.getTime())
}

function chargeOf(found: Resources['transaction']): Movement {
  const { reference, amount, currency, fees, metadata, paid_at, created_at } = found
  return {
    kind: 'charge',
    reference,
    chargeReference: reference,
    money: moneyOf(amount, currency),
    feeMinor: moneyOf(fees ?? 0, currency).amountMinor,
    at: new Date(paid_at ?? created_at ?? 0),
    idempotencyKey: readMetadata(readText(metadata)).idempotencyKey,
  }
}

function refundOf({ id, amount, currency, createdAt, transaction_reference }: Resources['refund']): Movement {
  const money = moneyOf(amount, currency)
  return {
    kind: 'refund',
    reference: `refund/${id}`,
    chargeReference: transaction_reference,
    refundReference: String(id),
    money: { ...money, amountMinor: -money.amountMinor },
    at: new Date(createdAt),
  }
}

function payoutOf({ id, effective_amount, currency, createdAt }: Resources['settlement']): Movement {
  const money = moneyOf(effective_amount, currency)
  return {
    kind: 'payout',
    reference: `settlement/${id}`,
    money: { ...money, amountMinor: -money.amountMinor },
    at: new Date(createdAt),
  }
}
