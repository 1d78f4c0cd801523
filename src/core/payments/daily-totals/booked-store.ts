import type { Database, Transaction } from '../../../platform/database/database.ts'
import { planEachTime, sql, type Sql } from '../../../platform/database/sql.ts'
import type { Mode } from '../../merchants/mode.ts'
import { paymentColumns, type PaymentRow } from '../store.ts'

// Which payments their networks have booked. The index payments_not_booked has those that they haven't.

/** Locked in the order in which others lock payments. Those that are marked already are left alone. */
export async function setBooked(
  tx: Transaction,
  merchantId: number,
  numbers: readonly string[],
): Promise<void> {
  const rows = await tx.query<{ number: string }>(sql`
    select number from payments
    where merchant_id = ${merchantId} and number = any(${numbers}::text[]) and not booked
    order by number for no key update`)
  if (rows.length === 0) return
  await tx.query(sql`
    update payments set booked = true
    where merchant_id = ${merchantId} and number = any(${rows.map(({ number }) => number)}::text[])`)
}

export type PaidFilter = {
  readonly merchantId: number
  readonly mode: Mode
  /** When they were paid. */
  readonly from: string
  readonly to: string
  /** Empty: all. */
  readonly currency?: string | undefined
}

const paidAt = sql`coalesce(payments.paid_at, payments.updated_at)`

/** Besides the merchant, in the words of the indexes payments_by_end and payments_not_booked. */
function paidRules({ mode, from, to, currency = '' }: PaidFilter): Sql {
  return sql`
    and payments.mode = ${mode} and payments.state <> 'pending'
    and payments.state in ('success', 'refunded', 'reversed')
    and ${paidAt} >= ${from} and ${paidAt} < ${to}
    and (${currency}::text = '' or payments.currency = ${currency})`
}

export type UnbookedRow = {
  readonly currency: string
  /** Null: paid before this was kept. */
  readonly network: string | null
  readonly payments: number
  readonly amount_minor: bigint
}

/** Of the newest `max`. */
export async function sumUnbooked(db: Database, filter: PaidFilter, max: number): Promise<UnbookedRow[]> {
  const statement = sql`
    select currency, network, count(*)::integer as payments, sum(amount_minor)::bigint as amount_minor
    from (
      select payments.currency, payments.paid_with ->> 'network' as network, payments.amount_minor from payments
      where payments.merchant_id = ${filter.merchantId} and not payments.booked ${paidRules(filter)}
      order by ${paidAt} desc limit ${max}
    ) as unbooked
    group by currency, network order by currency, network`
  return db.query<UnbookedRow>(planEachTime(statement))
}

/** `at`: when it was paid. */
export type PaidPayment = PaymentRow & { readonly at: string }

/** The oldest first. */
export async function listPaid(
  db: Database,
  filter: PaidFilter,
  page: {
    readonly after: { readonly at: string; readonly number: string } | undefined
    readonly limit: number
  },
): Promise<PaidPayment[]> {
  const { at, number } = page.after ?? { at: '-infinity', number: '' }
  const statement = sql`
    select ${paymentColumns}, ${paidAt} as at from payments
    where payments.merchant_id = ${filter.merchantId} ${paidRules(filter)}
      and (${paidAt}, payments.number) > (${at}::timestamptz, ${number})
    order by ${paidAt}, payments.number limit ${page.limit}`
  return db.query<PaidPayment>(planEachTime(statement))
}
