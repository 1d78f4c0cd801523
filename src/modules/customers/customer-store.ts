import type { Queryable } from '../../platform/database/database.ts'
import { planEachTime, sql } from '../../platform/database/sql.ts'
import type { Mode } from '../../core/merchants/mode.ts'

// Customers, as payments name them: all payments of one e-mail address, whatever its case.

type Scope = { readonly merchantId: number; readonly mode: Mode }

export type CustomerRow = {
  /** As on the latest payment. */
  readonly email: string
  readonly first_name: string
  readonly last_name: string
  readonly number: string
  readonly created_at: string
}

/** A shop that uses one address for everything would otherwise read all of its payments. */
const readMax = 5_000

/**
 * By their latest payment, newest first. A payment is a customer's latest if the index of addresses has none after it, so a
 * page costs a look for each payment that it passes.
 */
export async function listCustomers(
  db: Queryable,
  of: Scope & {
    readonly erased: string
    readonly after: { readonly createdAt: string; readonly number: string } | undefined
    readonly limit: number
  },
): Promise<CustomerRow[]> {
  const { merchantId, mode, after, limit } = of
  const isOlder = after
    ? sql`(payments.created_at, payments.number) < (${after.createdAt}, ${after.number})`
    : sql`true`
  return db.query<CustomerRow>(
    planEachTime(sql`
      select latest.email, latest.first_name, latest.last_name, latest.number, latest.created_at
      from (
        select payments.email, payments.first_name, payments.last_name, payments.number, payments.created_at
        from payments
        where payments.merchant_id = ${merchantId} and payments.mode = ${mode} and ${isOlder}
        order by payments.created_at desc, payments.number desc limit ${readMax}
      ) as latest
      where latest.email not in (${of.erased}, '') and not exists (
        select from payments as newer
        where newer.merchant_id = ${merchantId} and newer.mode = ${mode} and lower(newer.email) = lower(latest.email)
          and (newer.created_at, newer.number) > (latest.created_at, latest.number))
      order by latest.created_at desc, latest.number desc limit ${limit}`),
  )
}

export type CustomerSum = {
  readonly email: string
  readonly currency: string
  readonly payments: number
  readonly paid: number
  readonly paid_minor: bigint
  readonly refunded_minor: bigint
  readonly disputed: number
  readonly first_at: string
}

/** Of some customers, per currency. `email` is in small letters. */
export async function sumCustomers(
  db: Queryable,
  { merchantId, mode, emails }: Scope & { readonly emails: readonly string[] },
): Promise<CustomerSum[]> {
  return db.query<CustomerSum>(
    planEachTime(sql`
      select asked.email, theirs.currency, count(*)::integer as payments,
        (count(*) filter (where theirs.is_paid))::integer as paid,
        coalesce(sum(theirs.amount_minor) filter (where theirs.is_paid), 0)::bigint as paid_minor,
        sum(theirs.refunded_minor)::bigint as refunded_minor,
        (count(*) filter (where theirs.is_disputed))::integer as disputed, min(theirs.created_at) as first_at
      from unnest(${emails}::text[]) as asked (email)
      cross join lateral (
        select payments.currency, payments.amount_minor, payments.refunded_minor, payments.created_at,
          payments.state in ('success', 'refunded', 'reversed') as is_paid, payments.dispute is not null as is_disputed
        from payments
        where payments.merchant_id = ${merchantId} and payments.mode = ${mode} and lower(payments.email) = lower(asked.email)
        order by payments.created_at desc, payments.number desc limit ${readMax}
      ) as theirs
      group by asked.email, theirs.currency order by asked.email, payments desc, theirs.currency`),
  )
}

/** The latest payments of a customer that were refunded or disputed, or that saved a method. */
export async function listEventful(
  db: Queryable,
  { merchantId, mode, email, limit }: Scope & { readonly email: string; readonly limit: number },
): Promise<{ number: string; refunds: number; is_disputed: boolean; has_saved: boolean }[]> {
  return db.query(
    planEachTime(sql`
      select number, refunds, is_disputed, has_saved from (
        select payments.number, payments.refunds, payments.dispute is not null as is_disputed, payments.created_at,
          payments.saving -> 'asked' is not null and payments.saving -> 'method' is not null as has_saved
        from payments
        where payments.merchant_id = ${merchantId} and payments.mode = ${mode} and lower(payments.email) = lower(${email})
        order by payments.created_at desc, payments.number desc limit ${readMax}
      ) as theirs
      where refunds > 0 or is_disputed or has_saved
      order by created_at desc, number desc limit ${limit}`),
  )
}
