import type { Database } from '../../../platform/database/database.ts'
import { planEachTime, sql } from '../../../platform/database/sql.ts'
import type { Mode } from '../../../core/merchants/mode.ts'

export type FeeSpanRow = {
  readonly currency: string
  /** Which of the spans, from 1. */
  readonly span: number
  readonly fee_minor: bigint
  readonly tax_minor: bigint
}

const hourMs = 3_600_000

/**
 * What networks charged between consecutive moments, by their bookings. Hours are added up already; the lines are read only
 * of hours in which a day begins, where the time zone is off by half an hour.
 */
export async function sumFees(
  db: Database,
  of: { readonly merchantId: number; readonly mode: Mode; readonly moments: readonly Date[] },
): Promise<FeeSpanRow[]> {
  const moments = of.moments.map((moment) => moment.toISOString())
  const [from = '', to = ''] = [moments[0], moments.at(-1)]
  const split = of.moments
    .filter((moment) => moment.getTime() % hourMs !== 0)
    .map((moment) => new Date(Math.floor(moment.getTime() / hourMs) * hourMs).toISOString())
  const statement = sql`
    select currency, width_bucket(at, ${moments}::timestamptz[]) as span, sum(fee_minor)::bigint as fee_minor,
      sum(tax_minor)::bigint as tax_minor
    from (
      select currency, hour as at, fee_minor, tax_minor from payout_line_sums
      where merchant_id = ${of.merchantId} and mode = ${of.mode} and hour >= ${from} and hour < ${to}
        and hour <> all(${split}::timestamptz[])
      union all
      select lines.currency, lines.booked_at, lines.fee_minor, lines.tax_minor
      from unnest(${split}::timestamptz[]) as split (hour)
      join payout_lines as lines on lines.merchant_id = ${of.merchantId} and lines.mode = ${of.mode}
        and lines.booked_at >= split.hour and lines.booked_at < split.hour + interval '1 hour'
        and lines.booked_at >= ${from} and lines.booked_at < ${to}
    ) as booked
    where fee_minor <> 0 or tax_minor <> 0
    group by currency, span order by currency, span`
  return db.query<FeeSpanRow>(planEachTime(statement))
}
