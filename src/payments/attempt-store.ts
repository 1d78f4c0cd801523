import type { CardSummary, DeclineReason } from '../connectors/connector.ts'
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
  readonly connector: string
  readonly idempotencyKey: string
  readonly card: CardSummary
  readonly startedAt: Date
  readonly nextCheckAt: Date | null
}

/** Undefined while another attempt of the payment is in flight. */
export async function insertAttempt(
  tx: Transaction,
  key: PaymentKey,
  attempt: NewAttempt,
): Promise<AttemptRow | undefined> {
  const rows = await tx.query<AttemptRow>(sql`
    insert into attempts (merchant_id, number, attempt, connector, idempotency_key, card_brand, card_last4,
      next_check_at, started_at, updated_at)
    select ${key.merchantId}, ${key.number}, coalesce(max(attempt), 0) + 1, ${attempt.connector},
      ${attempt.idempotencyKey}, ${attempt.card.brand}, ${attempt.card.last4}, ${attempt.nextCheckAt},
      ${attempt.startedAt}, ${attempt.startedAt}
    from attempts where merchant_id = ${key.merchantId} and number = ${key.number}
    having not coalesce(bool_or(state in ('started', 'action_required', 'submitted', 'unknown')), false)
    returning ${columns}`)
  return rows[0]
}

export async function findAttempt(db: Queryable, key: AttemptKey): Promise<AttemptRow | undefined> {
  const rows = await db.query<AttemptRow>(sql`
    select ${columns} from attempts
    where merchant_id = ${key.merchantId} and number = ${key.number} and attempt = ${key.attempt}`)
  return rows[0]
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

export async function countDeclined(db: Queryable, key: PaymentKey): Promise<number> {
  const rows = await db.query<{ declined: number }>(sql`
    select count(*)::integer as declined from attempts
    where merchant_id = ${key.merchantId} and number = ${key.number} and state = 'declined'`)
  return rows[0]?.declined ?? 0
}

export async function isInFlight(db: Queryable, key: PaymentKey): Promise<boolean> {
  const rows = await db.query(sql`
    select from attempts
    where merchant_id = ${key.merchantId} and number = ${key.number}
      and state in ('started', 'action_required', 'submitted', 'unknown')`)
  return rows.length > 0
}

export type AttemptChange = {
  readonly from: AttemptState
  readonly to: AttemptState
  readonly connectorReference: string | null
  readonly declineReason: DeclineReason | null
  readonly nextCheckAt: Date | null
  readonly at: Date
}

/** Moves the attempt if it still is in `from`. */
export async function moveAttemptState(
  tx: Transaction,
  key: AttemptKey,
  change: AttemptChange,
): Promise<AttemptRow | undefined> {
  const rows = await tx.query<AttemptRow>(sql`
    update attempts
    set state = ${change.to}, connector_reference = coalesce(${change.connectorReference}, connector_reference),
        decline_reason = ${change.declineReason}, checks = 0, next_check_at = ${change.nextCheckAt},
        updated_at = ${change.at}
    where merchant_id = ${key.merchantId} and number = ${key.number} and attempt = ${key.attempt}
      and state = ${change.from}
    returning ${columns}`)
  return rows[0]
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
