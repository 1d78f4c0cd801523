import type { DeclineReason } from '../connectors/connector.ts'
import type { Database, Queryable, Transaction } from '../database/database.ts'
import { join, sql } from '../database/sql.ts'
import { furthestAhead } from './check-schedule.ts'
import type { AttemptState } from './state-machine.ts'
import type { PaymentKey } from './store.ts'

// The only place that names the table attempts. "In flight" is spelt out, so that the planner sees the condition of
// the indexes attempts_one_in_flight and attempts_to_check.

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

const columns = join(
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

export type NewAttempt = {
  readonly merchant_id: number
  readonly number: string
  readonly mode: string
  readonly connector: string
  readonly idempotency_key: string
  readonly card_brand: string
  readonly card_last4: string
  /** The language of the page; null: nothing to note. */
  readonly language: string | null
  readonly started_at: Date
  readonly next_check_at: Date | null
}

export type BegunAttempt = AttemptRow & { readonly amount_minor: bigint; readonly currency: string }

/**
 * Begins each attempt whose payment is pending, of the same mode, in time and without another attempt in flight, in
 * one statement and one commit. Who waited for a lock here may read attempts as they were before it: then the unique
 * indexes have the last word, and the attempt is left out like any other that may not begin.
 */
export async function insertAttempts(db: Database, attempts: readonly NewAttempt[]): Promise<BegunAttempt[]> {
  return db.query<BegunAttempt>(sql`
    with asked as (
      select * from json_to_recordset(${JSON.stringify(attempts)}) as asked (
        merchant_id integer, number text, mode text, connector text, idempotency_key text, card_brand text,
        card_last4 text, language text, started_at timestamptz, next_check_at timestamptz)
      limit ${attempts.length}
    ), payment as materialized (
      select merchant_id, number, mode, state, expires_at, amount_minor, currency from payments
      where (merchant_id, number) in (select merchant_id, number from asked)
      order by merchant_id, number
      for update
    ), begun as (
      insert into attempts (merchant_id, number, attempt, connector, idempotency_key, card_brand, card_last4,
        next_check_at, started_at, updated_at)
      select merchant_id, number, coalesce(earlier.last, 0) + 1, asked.connector, asked.idempotency_key, asked.card_brand,
        asked.card_last4, asked.next_check_at, asked.started_at, asked.started_at
      from asked
      join payment using (merchant_id, number)
      cross join lateral (
        select max(attempt) as last,
               bool_or(state in ('started', 'action_required', 'submitted', 'unknown')) as in_flight
        from attempts
        where attempts.merchant_id = payment.merchant_id and attempts.number = payment.number
      ) as earlier
      where payment.state = 'pending' and payment.mode = asked.mode and payment.expires_at > asked.started_at
        and not coalesce(earlier.in_flight, false)
      on conflict do nothing
      returning *
    ), spoken as (
      update payments set language = asked.language
      from asked join begun using (merchant_id, number, idempotency_key)
      where payments.merchant_id = asked.merchant_id and payments.number = asked.number
        and payments.language is distinct from asked.language and asked.language is not null
    )
    select ${columns}, payment.amount_minor, payment.currency
    from begun as attempts join payment using (merchant_id, number)`)
}

export async function findAttempt(db: Queryable, key: AttemptKey): Promise<AttemptRow | undefined> {
  const rows = await db.query<AttemptRow>(sql`
    select ${columns} from attempts
    where merchant_id = ${key.merchantId} and number = ${key.number} and attempt = ${key.attempt}`)
  return rows[0]
}

export async function findAttempts(
  db: Queryable,
  keys: readonly AttemptKey[],
): Promise<Map<string, AttemptRow>> {
  const rows = await db.query<AttemptRow>(sql`
    select ${columns} from attempts
    where (merchant_id, number, attempt) in (
      select * from unnest(${keys.map((key) => key.merchantId)}::integer[], ${keys.map((key) => key.number)}::text[],
                           ${keys.map((key) => key.attempt)}::integer[]))`)
  return new Map(rows.map((row) => [attemptName(keyOf(row)), row]))
}

export function keyOf(attempt: AttemptRow): AttemptKey {
  return { merchantId: attempt.merchant_id, number: attempt.number, attempt: attempt.attempt }
}

export function attemptName(key: AttemptKey): string {
  return `${key.merchantId}${key.number}/${key.attempt}`
}

export async function findLastAttempt(db: Queryable, key: PaymentKey): Promise<AttemptRow | undefined> {
  const rows = await db.query<AttemptRow>(sql`
    select ${columns} from attempts where merchant_id = ${key.merchantId} and number = ${key.number}
    order by attempt desc limit 1`)
  return rows[0]
}

export async function listAttempts(db: Queryable, key: PaymentKey): Promise<AttemptRow[]> {
  return db.query<AttemptRow>(sql`
    select ${columns} from attempts where merchant_id = ${key.merchantId} and number = ${key.number}
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
        select * from unnest(${keys.map((key) => key.merchantId)}::integer[], ${keys.map((key) => key.number)}::text[]))
      and state = 'declined'
    group by merchant_id, number`)
  return new Map(rows.map((row) => [`${row.merchant_id}${row.number}`, row.declined]))
}

export async function isInFlight(db: Queryable, key: PaymentKey): Promise<boolean> {
  return (await findInFlight(db, [key])).size > 0
}

/** Which of the payments have an attempt in flight, by name. */
export async function findInFlight(db: Queryable, keys: readonly PaymentKey[]): Promise<Set<string>> {
  const rows = await db.query<{ merchant_id: number; number: string }>(sql`
    select merchant_id, number from attempts
    where (merchant_id, number) in (
        select * from unnest(${keys.map((key) => key.merchantId)}::integer[], ${keys.map((key) => key.number)}::text[]))
      and state in ('started', 'action_required', 'submitted', 'unknown')`)
  return new Set(rows.map((row) => `${row.merchant_id}${row.number}`))
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
  readonly at: Date
}

/** Moves each attempt that still is in its `from_state`. */
export async function moveAttemptStates(
  tx: Transaction,
  changes: readonly AttemptChange[],
): Promise<Map<string, AttemptRow>> {
  const rows = await tx.query<AttemptRow>(sql`
    update attempts
    set state = change.to_state, connector_reference = coalesce(change.connector_reference, attempts.connector_reference),
        decline_reason = change.decline_reason, checks = 0, next_check_at = change.next_check_at, updated_at = change.at
    from (
      select * from json_to_recordset(${JSON.stringify(changes)}) as change (
        merchant_id integer, number text, attempt integer, from_state text, to_state text, connector_reference text,
        decline_reason text, next_check_at timestamptz, at timestamptz)
      limit ${changes.length}
    ) as change
    where attempts.merchant_id = change.merchant_id and attempts.number = change.number
      and attempts.attempt = change.attempt and attempts.state = change.from_state
    returning ${columns}`)
  return new Map(rows.map((row) => [attemptName(keyOf(row)), row]))
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
    returning ${columns}`)
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
