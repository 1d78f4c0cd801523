import type { Transaction } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import { ownRow } from '../../core/merchants/own-row.ts'
import type { PayoutLine } from './payout.ts'

// The table payout_line_sums: what the lines of an hour add up to, changed in the commit of the lines.

const hourMs = 3_600_000

type Line = Pick<PayoutLine, 'mode' | 'currency' | 'kind' | 'gross_minor' | 'fee_minor' | 'tax_minor'> & {
  readonly booked_at: Date
}

export async function addToLineSums(
  tx: Transaction,
  of: { readonly merchant_id: number; readonly account_id: string },
  lines: readonly Line[],
): Promise<void> {
  if (lines.length === 0) return
  const groups = Map.groupBy(lines, (line) => `${line.mode} ${hourOf(line)} ${line.currency} ${line.kind}`)
  const rows = [...groups.values()].map(sumOf)
  await tx.query(sql`
    insert into payout_line_sums as known (merchant_id, mode, hour, account_id, currency, kind, line_count, booking_count,
      gross_minor, fee_minor, tax_minor)
    select merchant.merchant_id, mode, hour, ${of.account_id}, currency, kind, line_count, booking_count, gross_minor,
      fee_minor, tax_minor
    from ${ownRow(of.merchant_id)}, json_to_recordset(${JSON.stringify(rows)}) as sums (mode text, hour timestamptz,
      currency text, kind text, line_count integer, booking_count integer, gross_minor bigint, fee_minor bigint,
      tax_minor bigint)
    on conflict (merchant_id, mode, hour, account_id, currency, kind) do update set
      line_count = known.line_count + excluded.line_count, booking_count = known.booking_count + excluded.booking_count,
      gross_minor = known.gross_minor + excluded.gross_minor, fee_minor = known.fee_minor + excluded.fee_minor,
      tax_minor = known.tax_minor + excluded.tax_minor`)
}

function hourOf({ booked_at }: Line): string {
  return new Date(Math.floor(booked_at.getTime() / hourMs) * hourMs).toISOString()
}

/** Of lines that share all that is not an amount. */
function sumOf(lines: readonly Line[]) {
  const [first] = lines
  if (!first) throw new Error('There are no lines')
  const sum = (name: 'gross_minor' | 'fee_minor' | 'tax_minor'): bigint =>
    lines.reduce((all, line) => all + line[name], 0n)
  const amounts = lines.flatMap(({ gross_minor, fee_minor, tax_minor }) => [
    gross_minor,
    fee_minor,
    tax_minor,
  ])
  return {
    mode: first.mode,
    hour: hourOf(first),
    currency: first.currency,
    kind: first.kind,
    line_count: lines.length,
    booking_count: amounts.filter((amount) => amount !== 0n).length,
    gross_minor: String(sum('gross_minor')),
    fee_minor: String(sum('fee_minor')),
    tax_minor: String(sum('tax_minor')),
  }
}

export async function sumLinesAgain(tx: Transaction, merchantId: number): Promise<void> {
  await tx.query(sql`delete from payout_line_sums where merchant_id = ${merchantId}`)
  await tx.query(sql`
    insert into payout_line_sums (merchant_id, mode, hour, account_id, currency, kind, line_count, booking_count,
      gross_minor, fee_minor, tax_minor)
    select merchant_id, mode, date_trunc('hour', booked_at, 'UTC'), account_id, currency, kind, count(*),
      sum((gross_minor <> 0)::integer + (fee_minor <> 0)::integer + (tax_minor <> 0)::integer), sum(gross_minor),
      sum(fee_minor), sum(tax_minor)
    from payout_lines where merchant_id = ${merchantId}
    group by merchant_id, mode, date_trunc('hour', booked_at, 'UTC'), account_id, currency, kind`)
}
