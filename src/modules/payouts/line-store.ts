import type { Queryable, Transaction } from '../../platform/database/database.ts'
import { planEachTime, sql, type Sql } from '../../platform/database/sql.ts'
import { ownRow } from '../../core/merchants/own-row.ts'
import { addToLineSums } from './line-sum-store.ts'
import type { PayoutLine } from './payout.ts'

// The table payout_lines.

export const lineColumns: Sql = sql`
  payout_lines.merchant_id, payout_lines.account_id, payout_lines.reference, payout_lines.mode, payout_lines.kind,
  payout_lines.type, payout_lines.currency, payout_lines.gross_minor, payout_lines.fee_minor, payout_lines.tax_minor,
  payout_lines.net_minor, payout_lines.original_minor, payout_lines.original_currency, payout_lines.exchange_rate,
  payout_lines.charge_reference, payout_lines.refund_reference, payout_lines.booked_at, payout_lines.available_at,
  payout_lines.payout_id, payout_lines.number, payout_lines.refund_id`

export type NewLine = Omit<PayoutLine, 'merchant_id' | 'account_id' | 'booked_at' | 'available_at'> & {
  readonly booked_at: Date
  readonly available_at: Date
}

/** A line that is known keeps its money; what it belongs to is filled in where that was not known. */
export async function writeLines(
  tx: Transaction,
  of: { readonly merchant_id: number; readonly account_id: string },
  lines: readonly NewLine[],
): Promise<void> {
  const rows = lines.map((line) => ({
    ...line,
    gross_minor: String(line.gross_minor),
    fee_minor: String(line.fee_minor),
    tax_minor: String(line.tax_minor),
    net_minor: String(line.net_minor),
    original_minor: line.original_minor === null ? null : String(line.original_minor),
  }))
  const written = await tx.query<{ reference: string }>(sql`
    insert into payout_lines (merchant_id, account_id, reference, mode, kind, type, currency, gross_minor, fee_minor,
      tax_minor, net_minor, original_minor, original_currency, exchange_rate, charge_reference, refund_reference, booked_at,
      available_at, payout_id, number, refund_id)
    select merchant.merchant_id, ${of.account_id}, reference, mode, kind, type, currency, gross_minor, fee_minor, tax_minor,
      net_minor, original_minor, original_currency, exchange_rate, charge_reference, refund_reference, booked_at,
      available_at, payout_id, number, refund_id
    from ${ownRow(of.merchant_id)}, json_to_recordset(${JSON.stringify(rows)}) as line (reference text, mode text,
      kind text, type text, currency text, gross_minor bigint, fee_minor bigint, tax_minor bigint, net_minor bigint,
      original_minor bigint, original_currency text, exchange_rate text, charge_reference text, refund_reference text,
      booked_at timestamptz, available_at timestamptz, payout_id text, number text, refund_id text)
    on conflict (merchant_id, account_id, reference) do nothing
    returning reference`)
  const fresh = new Set(written.map(({ reference }) => reference))
  await addToLineSums(
    tx,
    of,
    lines.filter(({ reference }) => fresh.has(reference)),
  )
  await fillIn(
    tx,
    of,
    lines.filter(({ reference }) => !fresh.has(reference)),
  )
}

async function fillIn(
  tx: Transaction,
  of: { readonly merchant_id: number; readonly account_id: string },
  known: readonly NewLine[],
): Promise<void> {
  const rows = known
    .filter(({ payout_id, number, refund_id }) => payout_id !== null || number !== null || refund_id !== null)
    .map(({ reference, payout_id, number, refund_id }) => ({ reference, payout_id, number, refund_id }))
  if (rows.length === 0) return // No test: without rows nothing is written anyway
  // No test of "((known.payout_id is null": without it rows are written again as they are
  await tx.query(sql`
    update payout_lines as known
    set payout_id = coalesce(known.payout_id, line.payout_id), number = coalesce(known.number, line.number),
        refund_id = coalesce(known.refund_id, line.refund_id)
    from json_to_recordset(${JSON.stringify(rows)}) as line (reference text, payout_id text, number text, refund_id text)
    where known.merchant_id = ${of.merchant_id} and known.account_id = ${of.account_id}
      and known.reference = line.reference
      and ((known.payout_id is null and line.payout_id is not null) or (known.number is null and line.number is not null)
        or (known.refund_id is null and line.refund_id is not null))`)
}

export type LineSums = {
  readonly count: number
  readonly gross_minor: bigint
  readonly fee_minor: bigint
  readonly tax_minor: bigint
}

export async function sumLines(
  tx: Transaction,
  key: { readonly merchantId: number; readonly payoutId: string },
): Promise<LineSums> {
  const rows = await tx.query<LineSums>(sql`
    select count(*)::integer as count, coalesce(sum(gross_minor), 0)::bigint as gross_minor,
           coalesce(sum(fee_minor), 0)::bigint as fee_minor, coalesce(sum(tax_minor), 0)::bigint as tax_minor
    from payout_lines where merchant_id = ${key.merchantId} and payout_id = ${key.payoutId}`)
  return rows[0] ?? { count: 0, gross_minor: 0n, fee_minor: 0n, tax_minor: 0n }
}

/** By the time of booking, after the given one. */
export async function listLines(
  db: Queryable,
  key: { readonly merchantId: number; readonly payoutId: string },
  page: {
    readonly after?: { readonly bookedAt: string; readonly reference: string } | undefined
    readonly limit: number
  },
): Promise<PayoutLine[]> {
  const { after, limit } = page
  const further = after ? sql` and (booked_at, reference) > (${after.bookedAt}, ${after.reference})` : sql``
  const statement = sql`
    select ${lineColumns} from payout_lines
    where merchant_id = ${key.merchantId} and payout_id = ${key.payoutId}${further}
    order by booked_at, reference limit ${limit}`
  return db.query<PayoutLine>(planEachTime(statement))
}

/** For payments, in booking order. */
export async function listLinesOfPayments(
  db: Queryable,
  merchantId: number,
  numbers: readonly string[],
): Promise<PayoutLine[]> {
  return db.query<PayoutLine>(sql`
    select ${lineColumns} from payout_lines where merchant_id = ${merchantId} and number = any(${numbers}::text[])
    order by booked_at, reference`)
}

/** What networks charged for the payment that the statement around it calls `found`, in the payment's currency. */
export function feesOfFound(merchantId: number): Sql {
  return sql`
    select sum(lines.fee_minor + lines.tax_minor) from payout_lines as lines
    where lines.merchant_id = ${merchantId} and lines.number = found.number and lines.currency = found.currency`
}

/** What the network holds and may not pay out yet, by account and currency. */
export async function sumPending(
  db: Queryable,
  merchantId: number,
  now: Date,
): Promise<{ readonly account_id: string; readonly currency: string; readonly pending_minor: bigint }[]> {
  return db.query(sql`
    select account_id, currency, sum(net_minor)::bigint as pending_minor from payout_lines
    where merchant_id = ${merchantId} and payout_id is null and available_at > ${now}
    group by account_id, currency`)
}

/** For a test payment that is deleted: its lines stay, as the sums do, and name nothing of it. */
export async function unlinkTests(
  tx: Transaction,
  { merchantId, numbers }: { readonly merchantId: number; readonly numbers: readonly string[] },
): Promise<void> {
  await tx.query(sql`
    update payout_lines set number = null, refund_id = null, charge_reference = null, refund_reference = null
    where merchant_id = ${merchantId} and mode = 'test' and number = any(${numbers}::text[])`)
}
