import type { Database, Queryable } from '../../../platform/database/database.ts'
import { planEachTime, sql } from '../../../platform/database/sql.ts'

// Our own records of the attempts through an account, to compare with the network's.

export type ChargeRow = {
  readonly number: string
  readonly attempt: number
  readonly tx_ref: string
  readonly state: string
  readonly idempotency_key: string
  readonly connector_reference: string | null
  readonly charge_reference: string | null
  readonly refund_reference: string | null
  readonly charged_minor: bigint | null
  readonly charged_currency: string | null
  readonly updated_at: string
}

const atOnce = 1_000

/** In no order that means anything; after the given one. */
export async function listCharges(
  db: Database,
  merchantId: number,
  accountId: string,
  page: { readonly since: Date; readonly after: { readonly number: string; readonly attempt: number } },
): Promise<ChargeRow[]> {
  const { since, after } = page
  const statement = sql`
    select attempts.number, attempts.attempt, payments.tx_ref, attempts.state, attempts.idempotency_key,
           attempts.connector_reference, attempts.charge_reference, attempts.refund_reference, attempts.charged_minor, attempts.charged_currency,
           attempts.updated_at
    from attempts
    join payments on payments.merchant_id = ${merchantId} and payments.number = attempts.number
    where attempts.merchant_id = ${merchantId} and attempts.account_id = ${accountId} and attempts.started_at >= ${since}
      and (attempts.number, attempts.attempt) > (${after.number}, ${after.attempt})
    order by attempts.number, attempts.attempt limit ${atOnce}`
  return db.query<ChargeRow>(planEachTime(statement))
}

export type PaidChargeRow = {
  readonly number: string
  readonly account_id: string
  readonly charge_reference: string | null
}

/** The charges of some payments, if they went through an account. */
export async function listPaidCharges(
  db: Database,
  merchantId: number,
  numbers: readonly string[],
): Promise<PaidChargeRow[]> {
  return db.query<PaidChargeRow>(sql`
    select number, account_id, charge_reference from attempts
    where merchant_id = ${merchantId} and number = any(${numbers}::text[]) and state = 'succeeded'
      and account_id is not null`)
}

/** The merchant's charges among these, however old. */
export async function listNamed(
  db: Database,
  merchantId: number,
  references: readonly string[],
): Promise<{ readonly tx_ref: string; readonly charge_reference: string }[]> {
  return db.query(sql`
    select payments.tx_ref, attempts.charge_reference from attempts
    join payments on payments.merchant_id = ${merchantId} and payments.number = attempts.number
    where attempts.merchant_id = ${merchantId} and attempts.charge_reference = any(${references}::text[])`)
}

/** The payments that these charges paid, by the network's names. */
export async function listNumbers(
  db: Queryable,
  merchantId: number,
  accountId: string,
  references: readonly string[],
): Promise<{ readonly number: string; readonly charge_reference: string }[]> {
  return db.query(sql`
    select number, charge_reference from attempts
    where merchant_id = ${merchantId} and account_id = ${accountId} and charge_reference = any(${references}::text[])`)
}
