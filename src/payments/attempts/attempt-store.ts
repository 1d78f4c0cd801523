import type { DeclineReason } from '../../connectors/connector.ts'
import type { Database, Queryable, Transaction } from '../../database/database.ts'
import { join, sql } from '../../database/sql.ts'
import { furthestAhead } from './check-schedule.ts'
import type { AttemptState } from '../state-machine.ts'
import { paymentColumns, paymentName, type LockedPayment, type PaymentKey } from '../store.ts'

// The table attempts. What happens to an attempt stands in the history of its payment. "In flight" is spelt out, so that
// the planner sees the condition of the indexes attempts_one_in_flight and attempts_to_check.

export type AttemptKey = PaymentKey & { readonly attempt: number }

export type AttemptRow = {
  readonly merchant_id: number
  readonly number: string
  readonly attempt: number
  readonly state: AttemptState
  readonly connector: string
  readonly idempotency_key: string
  readonly connector_reference: string | null
  readonly decline_reason: DeclineReason | null
  readonly card_brand: string | null
  readonly card_last4: string | null
  readonly checks: number
  readonly next_check_at: string | null
  readonly started_at: string
}

export const attemptColumns = join(
  [
    'merchant_id',
    'number',
    'attempt',
    'state',
    'connector',
    'idempotency_key',
    'connector_reference',
    'decline_reason',
    'card_brand',
    'card_last4',
    'checks',
    'next_check_at',
    'started_at',
  ].map((column) => ({ text: `attempts.${column}`, values: [], name: undefined })),
  ', ',
)

export async function findAttempt(db: Queryable, key: AttemptKey): Promise<AttemptRow | undefined> {
  const rows = await db.query<AttemptRow>(sql`
    select ${attemptColumns} from attempts
    where merchant_id = ${key.merchantId} and number = ${key.number} and attempt = ${key.attempt}`)
  return rows[0]
}

/** An attempt as outcomes know it. */
export type StandingAttempt = Pick<
  AttemptRow,
  'merchant_id' | 'number' | 'attempt' | 'state' | 'decline_reason'
>

/**
 * Attempts and their payments, by name. Locks in the order of lockPayments, and the attempts too: who waits for a
 * payment would read them as they were before the wait.
 */
export async function lockWithPayments(
  tx: Transaction,
  keys: readonly AttemptKey[],
): Promise<{ payments: Map<string, LockedPayment>; attempts: Map<string, StandingAttempt> }> {
  type Row = LockedPayment & Pick<AttemptRow, 'attempt' | 'decline_reason'> & { attempt_state: AttemptState }
  const rows = await tx.query<Row>(sql`
    select ${paymentColumns}, attempts.attempt, attempts.state as attempt_state, attempts.decline_reason
    from (
      select * from json_to_recordset(${JSON.stringify(keys)}) as asked (
        "merchantId" integer, number text, attempt integer)
      limit (select ${keys.length}::integer)
    ) as asked
    join attempts on attempts.merchant_id = asked."merchantId" and attempts.number = asked.number
      and attempts.attempt = asked.attempt
    join payments on payments.merchant_id = attempts.merchant_id and payments.number = attempts.number
    order by payments.merchant_id, payments.number
    for update of payments, attempts`)
  const payments = new Map<string, LockedPayment>()
  const attempts = new Map<string, StandingAttempt>()
  for (const { attempt, attempt_state: state, decline_reason, ...payment } of rows) {
    const { merchant_id, number } = payment
    payments.set(paymentName(payment), payment)
    attempts.set(attemptName({ merchantId: merchant_id, number, attempt }), {
      merchant_id,
      number,
      attempt,
      state,
      decline_reason,
    })
  }
  return { payments, attempts }
}

export function attemptKey(attempt: StandingAttempt): AttemptKey {
  return { merchantId: attempt.merchant_id, number: attempt.number, attempt: attempt.attempt }
}

export function attemptName(key: AttemptKey): string {
  return `${key.merchantId}${key.number}/${key.attempt}`
}

export async function findLastAttempt(db: Queryable, key: PaymentKey): Promise<AttemptRow | undefined> {
  const rows = await db.query<AttemptRow>(sql`
    select ${attemptColumns} from attempts where merchant_id = ${key.merchantId} and number = ${key.number}
    order by attempt desc limit 1`)
  return rows[0]
}

export async function listAttempts(db: Queryable, key: PaymentKey): Promise<AttemptRow[]> {
  return db.query<AttemptRow>(sql`
    select ${attemptColumns} from attempts where merchant_id = ${key.merchantId} and number = ${key.number}
    order by attempt`)
}

/** How many attempts of each payment were declined; a payment without one is left out. */
export async function countDeclined(
  db: Queryable,
  keys: readonly PaymentKey[],
): Promise<Map<string, number>> {
  const rows = await db.query<{ merchant_id: number; number: string; declined: number }>(sql`
    select merchant_id, number, count(*)::integer as declined from attempts
    where (merchant_id, number) in (
        select * from unnest(${keys.map((key) => key.merchantId)}::integer[], ${keys.map((key) => key.number)}::text[])
        limit (select ${keys.length}::integer))
      and state = 'declined'
    group by merchant_id, number`)
  return new Map(rows.map((row) => [paymentName(row), row.declined]))
}

export async function isInFlight(db: Queryable, key: PaymentKey): Promise<boolean> {
  return (await findInFlight(db, [key])).size > 0
}

/** Which of the payments have an attempt in flight, by name. */
export async function findInFlight(db: Queryable, keys: readonly PaymentKey[]): Promise<Set<string>> {
  const rows = await db.query<{ merchant_id: number; number: string }>(sql`
    select merchant_id, number from attempts
    where (merchant_id, number) in (
        select * from unnest(${keys.map((key) => key.merchantId)}::integer[], ${keys.map((key) => key.number)}::text[])
        limit (select ${keys.length}::integer))
      and state in ('started', 'action_required', 'submitted', 'unknown')`)
  return new Set(rows.map((row) => paymentName(row)))
}

export type AttemptChange = {
  readonly merchant_id: number
  readonly number: string
  readonly attempt: number
  readonly from_state: AttemptState
  readonly to_state: AttemptState
  readonly connector_reference: string | null
  readonly decline_reason: DeclineReason | null
  readonly next_check_at: Date | null
  readonly event: string
  readonly at: Date
}

/** Moves each attempt that still is in its `from_state` and notes it in its payment's history; returns how many. */
export async function moveAttemptStates(tx: Transaction, changes: readonly AttemptChange[]): Promise<number> {
  const rows = await tx.query(sql`
    with moved as (
      update attempts
      set state = change.to_state, connector_reference = coalesce(change.connector_reference, attempts.connector_reference),
          decline_reason = change.decline_reason, checks = 0, next_check_at = change.next_check_at, updated_at = change.at
      from (
        select * from json_to_recordset(${JSON.stringify(changes)}) as change (
          merchant_id integer, number text, attempt integer, from_state text, to_state text, connector_reference text,
          decline_reason text, next_check_at timestamptz, event text, at timestamptz)
        limit (select ${changes.length}::integer)
      ) as change
      where attempts.merchant_id = change.merchant_id and attempts.number = change.number
        and attempts.attempt = change.attempt and attempts.state = change.from_state
      returning attempts.merchant_id, attempts.number, attempts.attempt, change.event, change.from_state, change.to_state
    )
    insert into payment_history (merchant_id, number, event, from_state, to_state, attempt)
    select merchant_id, number, event, from_state, to_state, attempt from moved
    returning 1`)
  return rows.length
}

// Servers whose clocks differ by a few seconds are none that jumped.
const clockSlackSeconds = 5

/** Takes what is due for one worker: the next check is put off to `leaseUntil`, when another one may take it. */
export async function claimDueAttempts(
  db: Database,
  claim: { now: Date; leaseUntil: Date; max: number },
): Promise<AttemptRow[]> {
  const leaseSeconds = (claim.leaseUntil.getTime() - claim.now.getTime()) / 1_000
  return db.query<AttemptRow>(sql`
    update attempts set next_check_at = ${claim.leaseUntil}
    from (
      select merchant_id, number, attempt from attempts
      where state in ('started', 'action_required', 'submitted', 'unknown')
        and (next_check_at <= ${claim.now} or next_check_at > ${claim.now}::timestamptz + make_interval(secs =>
          ${leaseSeconds + clockSlackSeconds}::float8 + case state
            when 'action_required' then ${furthestAhead.challengeSeconds}::float8
            when 'unknown' then (${furthestAhead.unknownSeconds}::float8[])[least(checks + 1, ${furthestAhead.unknownSeconds.length}::integer)]
            else ${furthestAhead.submittedSeconds}::float8 end))
      order by next_check_at limit ${claim.max}
      for update skip locked
    ) as due
    where attempts.merchant_id = due.merchant_id and attempts.number = due.number and attempts.attempt = due.attempt
    returning ${attemptColumns}`)
}

/** Counts a check that decided nothing. */
export async function scheduleCheck(
  db: Database,
  key: AttemptKey,
  next: { checks: number; at: Date | null },
): Promise<void> {
  await db.query(sql`
    update attempts set checks = ${next.checks}, next_check_at = ${next.at}
    where merchant_id = ${key.merchantId} and number = ${key.number} and attempt = ${key.attempt}
      and state = 'unknown'`)
}

/** Payments out of time with nothing in flight, each locked unless another worker has it. */
export async function lockOutOfTime(tx: Transaction, now: Date, max: number): Promise<PaymentKey[]> {
  return tx.query<{ merchantId: number; number: string }>(sql`
    select merchant_id as "merchantId", number from payments
    where state = 'pending' and expires_at <= ${now}
      and not exists (
        select from attempts
        where attempts.merchant_id = payments.merchant_id and attempts.number = payments.number
          and attempts.state in ('started', 'action_required', 'submitted', 'unknown'))
    order by expires_at limit ${max}
    for update of payments skip locked`)
}
