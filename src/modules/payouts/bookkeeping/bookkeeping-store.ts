import type { Queryable, Transaction } from '../../../platform/database/database.ts'
import { planEachTime, sql } from '../../../platform/database/sql.ts'
import type { Mode } from '../../../core/merchants/mode.ts'
import type { PayoutLine } from '../payout.ts'

// The tables bookkeeping and bookkeeping_accounts, and what exports read of payouts and their lines.

export type BookkeepingRow = {
  readonly consultant_number: number | null
  readonly client_number: number | null
  readonly fiscal_year_month: number
  readonly account_length: number
  readonly chart: string
}

export async function findBookkeeping(
  db: Queryable,
  merchantId: number,
): Promise<BookkeepingRow | undefined> {
  const rows = await db.query<BookkeepingRow>(sql`
    select consultant_number, client_number, fiscal_year_month, account_length, chart
    from bookkeeping where merchant_id = ${merchantId}`)
  return rows[0]
}

/** Makes the row if there is none, and locks it. */
export async function lockBookkeeping(tx: Transaction, merchantId: number): Promise<void> {
  await tx.query(
    sql`insert into bookkeeping (merchant_id) values (${merchantId}) on conflict (merchant_id) do nothing`,
  )
  await tx.query(sql`select 1 as locked from bookkeeping where merchant_id = ${merchantId} for update`)
}

export async function setBookkeeping(
  tx: Transaction,
  merchantId: number,
  row: BookkeepingRow,
): Promise<void> {
  await tx.query(sql`
    update bookkeeping set consultant_number = ${row.consultant_number}, client_number = ${row.client_number},
      fiscal_year_month = ${row.fiscal_year_month}, account_length = ${row.account_length}, chart = ${row.chart}
    where merchant_id = ${merchantId}`)
}

export type AccountRow = { readonly purpose: string; readonly connector: string; readonly account: string }

export async function listAccounts(db: Queryable, merchantId: number): Promise<AccountRow[]> {
  return db.query<AccountRow>(sql`
    select purpose, connector, account from bookkeeping_accounts where merchant_id = ${merchantId}
    order by purpose, connector`)
}

/** An empty account takes the row away. */
export async function setAccount(tx: Transaction, merchantId: number, row: AccountRow): Promise<void> {
  const { purpose, connector, account } = row
  if (account === '')
    await tx.query(sql`
      delete from bookkeeping_accounts
      where merchant_id = ${merchantId} and purpose = ${purpose} and connector = ${connector}`)
  else
    await tx.query(sql`
      insert into bookkeeping_accounts (merchant_id, purpose, connector, account)
      values (${merchantId}, ${purpose}, ${connector}, ${account})
      on conflict (merchant_id, purpose, connector) do update set account = excluded.account`)
}

/** The networks that told of payouts, whether or not they are still connected. */
export async function listConnectors(db: Queryable, merchantId: number, mode: Mode): Promise<string[]> {
  const rows = await db.query<{ connector: string }>(sql`
    select distinct connector from payout_feeds where merchant_id = ${merchantId} and mode = ${mode}
    order by connector`)
  return rows.map(({ connector }) => connector)
}

/** Days in the merchant's time zone, both included. */
export type Period = {
  readonly merchantId: number
  readonly mode: Mode
  readonly from: string
  readonly to: string
  readonly timeZone: string
  /** Empty: all. */
  readonly currency: string
}

export type LineCursor = { readonly bookedAt: string; readonly accountId: string; readonly reference: string }

export type LineRow = PayoutLine & {
  readonly connector: string
  /** In the merchant's time zone. */
  readonly day: string
  readonly arrives_on: string | null
  readonly bank_reference: string | null
}

/** In the order in which networks booked them. */
export async function listLines(
  db: Queryable,
  period: Period,
  { after, limit }: { readonly after: LineCursor | undefined; readonly limit: number },
): Promise<LineRow[]> {
  const { merchantId, mode, from, to, timeZone, currency } = period
  const { bookedAt, accountId, reference } = after ?? { bookedAt: '-infinity', accountId: '', reference: '' }
  return db.query<LineRow>(sql`
    select lines.merchant_id, lines.account_id, lines.reference, lines.mode, lines.kind, lines.type, lines.currency,
      lines.gross_minor, lines.fee_minor, lines.tax_minor, lines.net_minor, lines.original_minor, lines.original_currency,
      lines.exchange_rate, lines.charge_reference, lines.refund_reference, lines.booked_at, lines.available_at,
      lines.payout_id, lines.number, lines.refund_id, feeds.connector,
      to_char(lines.booked_at at time zone ${timeZone}::text, 'YYYY-MM-DD') as day,
      payouts.arrives_on::text as arrives_on, payouts.bank_reference
    from payout_lines as lines
    join payout_feeds as feeds on feeds.merchant_id = ${merchantId} and feeds.account_id = lines.account_id
    left join payouts on payouts.merchant_id = ${merchantId} and payouts.id = lines.payout_id
    where lines.merchant_id = ${merchantId} and lines.mode = ${mode}
      and lines.booked_at >= ${from}::timestamp at time zone ${timeZone}::text
      and lines.booked_at < (${to}::timestamp + interval '1 day') at time zone ${timeZone}::text
      and (${currency}::text = '' or lines.currency = ${currency})
      and (lines.booked_at, lines.account_id, lines.reference) > (${bookedAt}::timestamptz, ${accountId}, ${reference})
    order by lines.booked_at, lines.account_id, lines.reference limit ${limit}`)
}

export type SumRow = {
  readonly connector: string
  readonly currency: string
  readonly kind: PayoutLine['kind']
  readonly line_count: number
  /** How many bookings a double entry makes of them: one for each amount that is not zero. */
  readonly booking_count: number
  readonly gross_minor: bigint
  readonly fee_minor: bigint
  readonly tax_minor: bigint
  readonly net_minor: bigint
}

/** Whole hours are added up already; what is left of a day where its time zone is off by half an hour is read from the lines. */
export async function sumLines(db: Queryable, period: Period): Promise<SumRow[]> {
  const { merchantId, mode, from, to, timeZone, currency } = period
  const start = sql`(${from}::timestamp at time zone ${timeZone}::text)`
  const end = sql`((${to}::timestamp + interval '1 day') at time zone ${timeZone}::text)`
  const firstHour = sql`date_trunc('hour', ${start} + interval '1 hour' - interval '1 microsecond', 'UTC')`
  const lastHour = sql`date_trunc('hour', ${end}, 'UTC')`
  const chosen = sql`mode = ${mode} and (${currency}::text = '' or currency = ${currency})`
  const statement = sql`
    select feeds.connector, sums.currency, sums.kind, sum(line_count)::int as line_count,
      sum(booking_count)::int as booking_count, sum(gross_minor)::bigint as gross_minor, sum(fee_minor)::bigint as fee_minor,
      sum(tax_minor)::bigint as tax_minor, sum(gross_minor - fee_minor - tax_minor)::bigint as net_minor
    from (
      select account_id, currency, kind, sum(line_count)::int as line_count, sum(booking_count)::int as booking_count,
        sum(gross_minor)::bigint as gross_minor, sum(fee_minor)::bigint as fee_minor, sum(tax_minor)::bigint as tax_minor
      from payout_line_sums where merchant_id = ${merchantId} and ${chosen} and hour >= ${firstHour} and hour < ${lastHour}
      group by account_id, currency, kind
      union all
      select account_id, currency, kind, 1,
        (gross_minor <> 0)::integer + (fee_minor <> 0)::integer + (tax_minor <> 0)::integer, gross_minor, fee_minor, tax_minor
      from payout_lines where merchant_id = ${merchantId} and ${chosen} and booked_at >= ${start} and booked_at < ${firstHour}
      union all
      select account_id, currency, kind, 1,
        (gross_minor <> 0)::integer + (fee_minor <> 0)::integer + (tax_minor <> 0)::integer, gross_minor, fee_minor, tax_minor
      from payout_lines where merchant_id = ${merchantId} and ${chosen} and booked_at >= ${lastHour} and booked_at < ${end}
    ) as sums
    join payout_feeds as feeds on feeds.merchant_id = ${merchantId} and feeds.account_id = sums.account_id
    group by feeds.connector, sums.currency, sums.kind order by feeds.connector, sums.currency, sums.kind`
  return db.query<SumRow>(planEachTime(statement))
}

export type PayoutMoveRow = {
  readonly id: string
  readonly connector: string
  readonly reference: string
  readonly bank_reference: string | null
  readonly arrives_on: string | null
  readonly currency: string
  readonly amount_minor: bigint
  /** `arrived`, or `returned` to the network. */
  readonly state: 'arrived' | 'returned'
  readonly day: string
}

/**
 * Every time the money of a payout came to the bank, or went back. The first arrival counts on the day that the network named,
 * as that is the day on the statement.
 */
export async function listPayoutMoves(db: Queryable, period: Period): Promise<PayoutMoveRow[]> {
  const { merchantId, mode, from, to, timeZone, currency } = period
  return db.query<PayoutMoveRow>(sql`
    select * from (
      select payouts.id, payouts.connector, payouts.reference, payouts.bank_reference, payouts.arrives_on::text as arrives_on,
        payouts.currency, payouts.amount_minor, history.state, history.place,
        case when history.state = 'arrived' and payouts.arrives_on is not null
          and row_number() over (partition by payouts.id, history.state order by history.place) = 1
          then payouts.arrives_on::text
          else to_char(history.at at time zone ${timeZone}::text, 'YYYY-MM-DD') end as day
      from payout_history as history
      join payouts on payouts.merchant_id = ${merchantId} and payouts.id = history.payout_id
      where history.merchant_id = ${merchantId} and payouts.mode = ${mode} and history.state in ('arrived', 'returned')
        and (${currency}::text = '' or payouts.currency = ${currency})
    ) as moves
    where day between ${from} and ${to} order by day, id, place`)
}
