import type { Queryable, Transaction } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import type { Mode } from '../../core/merchants/mode.ts'
import type { MethodKey } from './keeping.ts'

// Charges of saved methods, and what they add up to on a day.

export type ChargeOutcome = 'succeeded' | 'declined' | 'needs_customer' | 'method_ended' | 'network_silent'

export type ChargeRow = {
  readonly merchant_id: number
  readonly number: string
  readonly method_id: string
  readonly currency: string
  readonly amount_minor: bigint
  /** In UTC: 2026-11-18. */
  readonly day: string
  readonly mails_customer: boolean
  /** The rows of `saved_method_days` that hold its amount; null: none, or none any more. */
  readonly reserved: Reserved | null
  readonly outcome: ChargeOutcome | null
}

export type Reserved = 'method' | 'method_and_all'

/** In UTC. */
export function dayOf(now: Date): string {
  return now.toISOString().slice(0, 10)
}

export async function insertCharge(tx: Transaction, charge: Omit<ChargeRow, 'outcome'>): Promise<void> {
  await tx.query(sql`
    insert into saved_method_charges (merchant_id, number, method_id, currency, amount_minor, day, mails_customer, reserved)
    values (${charge.merchant_id}, ${charge.number}, ${charge.method_id}, ${charge.currency}, ${charge.amount_minor},
      ${charge.day}, ${charge.mails_customer}, ${charge.reserved})`)
}

/** The newest days first; those of one day in any order. */
export async function listCharges(
  db: Queryable,
  { merchantId, id }: MethodKey,
  limit: number,
): Promise<string[]> {
  const rows = await db.query<{ number: string }>(sql`
    select number from saved_method_charges where merchant_id = ${merchantId} and method_id = ${id}
    order by day desc, number limit ${limit}`)
  return rows.map(({ number }) => number)
}

/** Returns the charge as it was before. */
export async function lockCharge(
  tx: Transaction,
  { merchantId, number }: { merchantId: number; number: string },
): Promise<ChargeRow | undefined> {
  const rows = await tx.query<ChargeRow>(sql`
    select merchant_id, number, method_id, currency, amount_minor, day::text as day, mails_customer, reserved, outcome
    from saved_method_charges where merchant_id = ${merchantId} and number = ${number} for update`)
  return rows[0]
}

export async function setOutcome(
  tx: Transaction,
  { merchant_id: merchantId, number }: ChargeRow,
  outcome: ChargeOutcome,
): Promise<void> {
  await tx.query(sql`
    update saved_method_charges set outcome = ${outcome}
    where merchant_id = ${merchantId} and number = ${number}`)
}

export type DayOf = {
  readonly mode: Mode
  readonly currency: string
  readonly day: string
}

/** The row that holds a method's ceiling, or, with an empty id, that of all methods together. */
export type Ceiling = {
  readonly chargesMax: number | null
  readonly ceilingMinor: bigint | null
}

/** The database refuses more than the ceilings allow. */
export async function reserveOnDay(
  tx: Transaction,
  { merchantId, id }: MethodKey,
  of: DayOf,
  amountMinor: bigint,
  { chargesMax, ceilingMinor }: Ceiling,
): Promise<void> {
  await tx.query(sql`
    insert into saved_method_days as total (merchant_id, mode, method_id, currency, day, charges, charges_max, charged_minor,
      ceiling_minor)
    values (${merchantId}, ${of.mode}, ${id}, ${of.currency}, ${of.day}, 1, ${chargesMax}, ${amountMinor}, ${ceilingMinor})
    on conflict (merchant_id, mode, method_id, currency, day) do update
    set charges = total.charges + 1, charged_minor = total.charged_minor + ${amountMinor}::bigint,
      charges_max = excluded.charges_max, ceiling_minor = excluded.ceiling_minor`)
}

/** A charge that took nothing makes room again, once, where it took it; it still counts as one of the day. */
export async function releaseOnDay(tx: Transaction, charge: ChargeRow, mode: Mode): Promise<void> {
  const { merchant_id: merchantId, number, currency, day, amount_minor: amountMinor, reserved } = charge
  if (reserved === null) return
  const ids = reserved === 'method' ? [charge.method_id] : [charge.method_id, '']
  await tx.query(sql`
    update saved_method_charges set reserved = null where merchant_id = ${merchantId} and number = ${number}`)
  // The ceiling may have been lowered below what was charged: making room must not fail for that.
  await tx.query(sql`
    update saved_method_days set charged_minor = charged_minor - ${amountMinor}::bigint,
      ceiling_minor = greatest(ceiling_minor, charged_minor - ${amountMinor}::bigint)
    where merchant_id = ${merchantId} and mode = ${mode} and method_id = any(${ids}::text[]) and currency = ${currency}
      and day = ${day}`)
}
