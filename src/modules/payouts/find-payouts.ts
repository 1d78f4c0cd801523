import type { Database } from '../../platform/database/database.ts'
import { Refusal } from '../../platform/errors/refusals.ts'
import type { Cell } from '../../platform/http/csv/csv-line.ts'
import { readPage, readPages, type ListPart, type PageEnd } from '../../platform/input/cursor.ts'
import { Query } from '../../platform/input/fields.ts'
import type { Mode } from '../../core/merchants/mode.ts'
import { findPaymentsByNumber } from '../../core/payments/find-payment.ts'
import { findRefundRefs } from '../refunds/reconcile/find-refund-ids.ts'
import { listLines, listLinesOfPayments } from './line-store.ts'
import type { Payout, PayoutLine } from './payout.ts'
import {
  findById,
  listByIds,
  listHistory,
  listPayouts,
  type PayoutFilter,
  type PayoutHistoryRow,
} from './payout-store.ts'
import { presentLine } from './present.ts'
import { payoutStates, type PayoutState } from './state-machine.ts'

export type { Payout, PayoutHistoryRow, PayoutLine }

// What people and programs read about payouts. The API and the file have the same lines.

type Caller = { readonly merchantId: number; readonly mode: Mode }

const names = /^po_[0-9A-Za-z]{1,40}$/
const lineNames = /^[\w.:/+=-]{1,255}$/

export type PayoutPage = PageEnd & { readonly payouts: readonly Payout[] }

/** Newest first. */
export async function readPayouts(db: Database, caller: Caller, query: unknown): Promise<PayoutPage> {
  const fields = new Query(query)
  const state = readStatus(fields)
  const positionOf = ({ made_at: at, id: name }: Payout) => ({ at, name })
  const list = async ({ after, limit }: ListPart) =>
    listPayouts(db, {
      ...caller,
      states: state && [state],
      after: after && { madeAt: after.at, id: after.name },
      limit,
    } satisfies PayoutFilter)
  const { rows: payouts, ...end } = await readPage(fields, { names, positionOf }, list)
  return { payouts, ...end }
}

function readStatus(fields: Query): PayoutState | undefined {
  const value = fields.value('status')
  if (value === undefined) return undefined
  const found = payoutStates.find((state) => state === value)
  return found ?? fields.fail('status', `must be one of ${payoutStates.join(', ')}`)
}

/** Refuses with not_found, for another merchant's or the other mode's alike. */
export async function findPayout(db: Database, of: Caller & { readonly id: string }): Promise<Payout> {
  const payout = names.test(of.id) ? await findById(db, of) : undefined
  if (payout?.mode !== of.mode) throw new Refusal('not_found', 'Payout not found')
  return payout
}

/** The oldest first. */
export async function historyOf(db: Database, payout: Payout): Promise<readonly PayoutHistoryRow[]> {
  return listHistory(db, { merchantId: payout.merchant_id, id: payout.id })
}

export type NamedLine = PayoutLine & { readonly txRef: string | null; readonly refundRef: string | null }

export type LinePage = PageEnd & { readonly lines: readonly NamedLine[] }

const linePlace = ({ booked_at: at, reference: name }: PayoutLine) => ({ at, name })

/** By the time of booking. Lines are shown once all of them are here. */
export async function readLines(db: Database, payout: Payout, query: unknown): Promise<LinePage> {
  const list = async (part: ListPart) => listPart(db, payout, part)
  const fields = new Query(query)
  const { rows: lines, ...end } = await readPage(fields, { names: lineNames, positionOf: linePlace }, list)
  return { lines: await withNames(db, payout, lines), ...end }
}

async function listPart(db: Database, payout: Payout, { after, limit }: ListPart): Promise<PayoutLine[]> {
  if (payout.lines !== 'copied') return []
  const key = { merchantId: payout.merchant_id, payoutId: payout.id }
  return listLines(db, key, { after: after && { bookedAt: after.at, reference: after.name }, limit })
}

async function withNames(
  db: Database,
  { merchant_id: merchantId, mode }: Payout,
  lines: readonly PayoutLine[],
): Promise<NamedLine[]> {
  const numbers = [...new Set(lines.flatMap(({ number }) => number ?? []))]
  const ids = [...new Set(lines.flatMap(({ refund_id }) => refund_id ?? []))]
  const payments = await findPaymentsByNumber(db, merchantId, mode, numbers)
  const refunds = await findRefundRefs(db, merchantId, ids)
  return lines.map((line) => ({
    ...line,
    txRef: payments.get(line.number ?? '')?.tx_ref ?? null,
    refundRef: refunds.get(line.refund_id ?? '') ?? null,
  }))
}

const pageSize = 500

export type LineExport = {
  readonly header: readonly string[]
  readonly pages: AsyncIterable<readonly (readonly Cell[])[]>
}

const columns = [
  'id',
  'kind',
  'type',
  'tx_ref',
  'refund_ref',
  'gross_minor',
  'fee_minor',
  'tax_minor',
  'net_minor',
  'currency',
  'original_minor',
  'original_currency',
  'exchange_rate',
  'booked_at',
] as const

/** Every line of a payout, with the columns of the API. */
export function exportLines(db: Database, payout: Payout): LineExport {
  return { header: columns, pages: pagesOf(db, payout) }
}

async function* pagesOf(db: Database, payout: Payout): AsyncGenerator<Cell[][]> {
  const list = async (part: ListPart) => listPart(db, payout, part)
  for await (const lines of readPages(pageSize, linePlace, list)) {
    const named = await withNames(db, payout, lines)
    yield named.map((line) => {
      const shown = presentLine(line, line)
      return columns.map((name): Cell => (name === 'booked_at' ? { moment: shown[name] } : shown[name]))
    })
  }
}

export type PaidOut = {
  readonly lines: readonly PayoutLine[]
  /** The payouts of the lines. */
  readonly payouts: readonly Payout[]
}

/** What a network booked and charged for one payment, including its refunds and disputes. */
export async function bookedFor(db: Database, merchantId: number, number: string): Promise<PaidOut> {
  return withPayouts(db, merchantId, await listLinesOfPayments(db, merchantId, [number]))
}

/** What a network booked and charged for one refund only. */
export async function bookedForRefund(
  db: Database,
  merchantId: number,
  { number, id }: { readonly number: string; readonly id: string },
): Promise<PaidOut> {
  const lines = await listLinesOfPayments(db, merchantId, [number])
  return withPayouts(
    db,
    merchantId,
    lines.filter(({ refund_id }) => refund_id === id),
  )
}

async function withPayouts(db: Database, merchantId: number, lines: readonly PayoutLine[]): Promise<PaidOut> {
  const ids = [...new Set(lines.flatMap(({ payout_id }) => payout_id ?? []))]
  return { lines, payouts: ids.length === 0 ? [] : await listByIds(db, merchantId, ids) }
}
