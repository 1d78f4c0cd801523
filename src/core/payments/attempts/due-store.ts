import type { Database, Transaction } from '../../../platform/database/database.ts'
import { planEachTime, sql } from '../../../platform/database/sql.ts'
import type { Mode } from '../../merchants/mode.ts'
import { attemptColumns, type AttemptRow } from './attempt-store.ts'
import { isToCheck } from './due-look-store.ts'

// One merchant's due rows, claimed by one worker. Planned with their values each time: a generic plan would read all
// payments of the merchant instead of the due ones.

/** The next check is put off for `leaseMs`; then another worker may take it. Oldest first. */
export async function claimAttemptsToCheck(
  db: Database,
  merchantId: number,
  claim: { now: Date; leaseMs: number; max: number },
): Promise<AttemptRow[]> {
  const statement = sql`
    -- Materialized, as a plan may run a subquery again for each row, and each time it would lock as many more.
    with due as materialized (
      select number, attempt from attempts
      where attempts.merchant_id = ${merchantId} and ${isToCheck(claim.now, claim.leaseMs)}
      order by next_check_at limit ${claim.max}
      for update skip locked
    )
    update attempts set next_check_at = ${new Date(claim.now.getTime() + claim.leaseMs)}
    from due
    where attempts.merchant_id = ${merchantId} and attempts.number = due.number and attempts.attempt = due.attempt
    returning ${attemptColumns}`
  return db.query<AttemptRow>(planEachTime(statement))
}

/** The numbers of payments out of time with nothing in flight, each locked unless another worker has it. Oldest first. */
export async function lockOutOfTime(
  tx: Transaction,
  merchantId: number,
  lock: { now: Date; max: number },
): Promise<string[]> {
  const statement = sql`
    select number from payments
    where merchant_id = ${merchantId} and state = 'pending' and expires_at <= ${lock.now}
      and not exists (
        select from attempts
        where attempts.merchant_id = ${merchantId} and attempts.number = payments.number
          and attempts.state in ('started', 'action_required', 'submitted', 'unknown', 'held'))
    order by expires_at limit ${lock.max}
    for update of payments skip locked`
  const rows = await tx.query<{ number: string }>(planEachTime(statement))
  return rows.map(({ number }) => number)
}

export type UnknownAttempts = { readonly count: number; readonly oldest_at: string | null }

/** For one merchant; the age counts from when its outcome became unknown. */
export async function measureUnknown(db: Database, merchantId: number): Promise<UnknownAttempts> {
  const [row] = await db.query<UnknownAttempts>(sql`
    select count(*)::integer as count, min(updated_at) as oldest_at from attempts
    where merchant_id = ${merchantId} and state = 'unknown'`)
  return row ?? { count: 0, oldest_at: null }
}

export type UnknownAttempt = {
  readonly number: string
  readonly tx_ref: string
  readonly connector: string
  readonly started_at: string
}

/** By attempts_unknown: there are few at any time, however many attempts there are. Oldest first. */
export async function listUnknown(
  db: Database,
  of: { merchantId: number; mode: Mode; limit: number },
): Promise<UnknownAttempt[]> {
  return db.query<UnknownAttempt>(sql`
    select attempts.number, payments.tx_ref, attempts.connector, attempts.started_at
    from attempts join payments
      on payments.merchant_id = ${of.merchantId} and payments.number = attempts.number and payments.mode = ${of.mode}
    where attempts.merchant_id = ${of.merchantId} and attempts.state = 'unknown'
    order by attempts.started_at limit ${of.limit}`)
}
