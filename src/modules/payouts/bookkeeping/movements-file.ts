import type { Database } from '../../../platform/database/database.ts'
import type { Cell } from '../../../platform/http/csv/csv-line.ts'
import { createdPlace, readPages } from '../../../platform/input/cursor.ts'
import { dayAt, endOfDay, startOfDay } from '../../../core/merchants/brand/end-of-day.ts'
import { netOf, type MoneySums } from '../../../platform/money/money-words.ts'
import { plainAmount } from '../../../platform/money/money.ts'
import { readTaken } from '../../../core/payments/disputed/read-taken.ts'
import { readPaid } from '../../../core/payments/daily-totals/not-reported.ts'
import type { ShownMethod } from '../../../core/payments/find-payment.ts'
import { listPart } from '../../refunds/list-refunds.ts'
import type { Period } from './bookkeeping-store.ts'

// What Home is made of: a row for each payment, refund, dispute and fee, on the day it happened. Each column adds up to Home's
// figure of the same name.

export const movementColumns: readonly string[] = (
  'date kind tx_ref reference refund_ref network network_reference ' +
  'gross refunds disputes network_fees net currency'
).split(' ')

type Movement = Partial<MoneySums> & {
  readonly day: string
  readonly kind: 'payment' | 'refund' | 'dispute' | 'network_fees'
  readonly txRef: string
  readonly reference: string
  readonly refundRef?: string
  readonly network?: string
  readonly networkReference?: string
  readonly currency: string
}

/** A booking with a fee. */
export type BookedFee = {
  readonly connector: string
  readonly reference: string
  readonly day: string
  readonly currency: string
  readonly feeMinor: bigint
  readonly taxMinor: bigint
  readonly txRef: string
  readonly paymentReference: string
}

const pageSize = 500 // No test: any number of rows at once will do

/** `fees`: of the period's bookings. */
export async function* readMovements(
  db: Database,
  period: Period,
  fees: AsyncIterable<readonly BookedFee[]>,
): AsyncGenerator<Cell[][]> {
  for await (const page of movements(db, period, fees)) yield page.map(cellsOf)
}

async function* movements(
  db: Database,
  period: Period,
  fees: AsyncIterable<readonly BookedFee[]>,
): AsyncGenerator<Movement[]> {
  const { merchantId, mode, currency, timeZone } = period
  const from = startOfDay(period.from, timeZone).toISOString()
  const to = endOfDay(period.to, timeZone).toISOString()
  const dayOf = (at: string): string => dayAt(new Date(at), timeZone)
  const filter = { merchantId, mode, currency, from, to }
  for await (const page of readPaid(db, filter, pageSize))
    yield page.map((one) => ({
      ...namesOf(one),
      day: dayOf(one.at),
      kind: 'payment',
      grossMinor: one.amount_minor,
    }))
  const wentBack = {
    merchantId,
    mode,
    wentBackFrom: from,
    wentBackTo: to,
    ...(currency !== '' && { currency }),
  }
  for await (const page of readPages(pageSize, createdPlace, async (part) => listPart(db, wentBack, part)))
    yield page.map((one) => ({
      day: dayOf(one.updated_at),
      kind: 'refund',
      txRef: one.tx_ref,
      reference: one.reference,
      refundRef: one.refund_ref,
      currency: one.currency,
      refundsMinor: one.amount_minor,
    }))
  for await (const page of readTaken(db, filter, pageSize))
    yield page.map((one) => ({
      ...namesOf(one),
      day: dayOf(one.at),
      kind: 'dispute',
      disputesMinor: one.taken_minor,
    }))
  for await (const page of fees)
    yield page.map((one) => ({
      day: one.day,
      kind: 'network_fees',
      txRef: one.txRef,
      reference: one.paymentReference,
      network: one.connector,
      networkReference: one.reference,
      currency: one.currency,
      networkFeesMinor: one.feeMinor + one.taxMinor,
    }))
}

function namesOf(payment: { tx_ref: string; reference: string; currency: string; paid_with: string | null }) {
  const { tx_ref: txRef, reference, currency, paid_with: paidWith } = payment
  const names = { txRef, reference, currency }
  return paidWith === null ? names : { ...names, network: (JSON.parse(paidWith) as ShownMethod).network }
}

function cellsOf(movement: Movement): Cell[] {
  const { grossMinor = 0n, refundsMinor = 0n, disputesMinor = 0n, networkFeesMinor = 0n } = movement
  const net = netOf({ grossMinor, refundsMinor, disputesMinor, networkFeesMinor })
  return [
    movement.day,
    movement.kind,
    movement.txRef,
    movement.reference,
    movement.refundRef ?? null,
    movement.network ?? null,
    movement.networkReference ?? null,
    ...[grossMinor, refundsMinor, disputesMinor, networkFeesMinor, net].map((minor): Cell => ({
      decimal: plainAmount(minor, movement.currency),
    })),
    movement.currency,
  ]
}
