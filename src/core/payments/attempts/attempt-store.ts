import type { DeclineReason } from '../../networks/connector.ts'
import type { PaymentMethod } from '../../networks/hosted.ts'
import type { Database, Queryable, Transaction } from '../../../platform/database/database.ts'
import { join, sql } from '../../../platform/database/sql.ts'
import type { AttemptState } from '../state-machine.ts'
import type { Trace } from '../card-testing/decline-store.ts'
import { insertHistory } from '../history-store.ts'
import type { PaidWith } from '../transition.ts'
import { paymentColumns, type LockedPayment, type PaymentKey } from '../store.ts'

// The table attempts. What happens to an attempt stands in the history of its payment. "In flight" is spelt out, so that
// the planner sees the condition of the indexes attempts_one_in_flight and attempts_due.

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
  readonly updated_at: string
  /** The merchant's account at a network with its own page; null: the card was typed on ours. */
  readonly account_id: string | null
  readonly method: PaymentMethod | null
  readonly page_url: string | null
  readonly page_expires_at: string | null
  /** The amount the network took. */
  readonly charge_reference: string | null
  readonly charged_minor: bigint | null
  readonly charged_currency: string | null
  /** For surplus money being returned. */
  readonly refund_reference: string | null
  /** The saved method that it charges; null where the customer typed or chose. */
  readonly saved_method_id: string | null
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
    'updated_at',
    'account_id',
    'method',
    'page_url',
    'page_expires_at',
    'charge_reference',
    'charged_minor',
    'charged_currency',
    'refund_reference',
    'saved_method_id',
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
  'merchant_id' | 'number' | 'attempt' | 'connector' | 'state' | 'decline_reason' | 'charge_reference'
>

type OfLocked = {
  readonly attempt_state: AttemptState
  readonly address_hash: string | null
  readonly card_fingerprint: string | null
  readonly connector: string
  readonly method: PaidWith['method']
  readonly card_brand: string | null
  readonly card_last4: string | null
}

export type LockedAttempts = {
  readonly payments: Map<string, LockedPayment>
  readonly attempts: Map<string, StandingAttempt>
  /** The clients whose declines are counted. */
  readonly traces: ReadonlyMap<string, Trace>
  /** For receipts. */
  readonly means: ReadonlyMap<string, PaidWith>
}

/**
 * Attempts by name and their payments by number. Locks in the order of lockPayments, and the attempts too: who waits for
 * a payment would read them as they were before the wait.
 */
export async function lockWithPayments(
  tx: Transaction,
  merchantId: number,
  keys: readonly AttemptKey[],
): Promise<LockedAttempts> {
  type Row = LockedPayment & Pick<AttemptRow, 'attempt' | 'decline_reason' | 'charge_reference'> & OfLocked
  const rows = await tx.query<Row>(sql`
    select ${paymentColumns}, attempts.attempt, attempts.state as attempt_state, attempts.decline_reason,
           attempts.address_hash, attempts.card_fingerprint, attempts.connector, attempts.method,
           attempts.card_brand, attempts.card_last4, attempts.charge_reference
    from json_to_recordset(${JSON.stringify(keys)}) as asked ("merchantId" integer, number text, attempt integer)
    join attempts on attempts.merchant_id = ${merchantId} and attempts.number = asked.number
      and attempts.attempt = asked.attempt
    join payments on payments.merchant_id = ${merchantId} and payments.number = asked.number
    where asked."merchantId" = ${merchantId}
    order by payments.number
    for update of payments, attempts`)
  const payments = new Map<string, LockedPayment>()
  const attempts = new Map<string, StandingAttempt>()
  const traces = new Map<string, Trace>()
  const means = new Map<string, PaidWith>()
  for (const row of rows) {
    const { merchant_id, number, attempt, attempt_state: state, decline_reason, charge_reference } = row
    const { address_hash, card_fingerprint, connector, method, card_brand, card_last4 } = row
    const name = attemptName({ number, attempt })
    // With the attempt's columns: leaving them out took 7 µs a payment.
    payments.set(number, row)
    attempts.set(name, { merchant_id, number, attempt, connector, state, decline_reason, charge_reference })
    const card = card_brand === null || card_last4 === null ? null : { brand: card_brand, last4: card_last4 }
    means.set(name, { network: connector, method, card })
    if (address_hash !== null && card_fingerprint !== null) {
      traces.set(name, { addressHash: address_hash, cardFingerprint: card_fingerprint })
    }
  }
  return { payments, attempts, traces, means }
}

export function attemptKey(attempt: StandingAttempt): AttemptKey {
  return { merchantId: attempt.merchant_id, number: attempt.number, attempt: attempt.attempt }
}

/** Names an attempt among those of its merchant. */
export function attemptName({ number, attempt }: Pick<AttemptKey, 'number' | 'attempt'>): string {
  return `${number}/${attempt}`
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

/** How many attempts of each payment were declined, by number; a payment without one is left out. */
export async function countDeclined(
  db: Queryable,
  merchantId: number,
  numbers: readonly string[],
): Promise<Map<string, number>> {
  const rows = await db.query<{ number: string; declined: number }>(sql`
    select number, count(*)::integer as declined from attempts
    where merchant_id = ${merchantId} and number = any(${numbers}::text[]) and state = 'declined'
    group by number`)
  return new Map(rows.map(({ number, declined }) => [number, declined]))
}

export async function isInFlight(db: Queryable, key: PaymentKey): Promise<boolean> {
  return (await findInFlight(db, key.merchantId, [key.number])).size > 0
}

/** Which of the payments have an attempt in flight, by number. */
export async function findInFlight(
  db: Queryable,
  merchantId: number,
  numbers: readonly string[],
): Promise<Set<string>> {
  const rows = await db.query<{ number: string }>(sql`
    select number from attempts
    where merchant_id = ${merchantId} and number = any(${numbers}::text[])
      and state in ('started', 'action_required', 'submitted', 'unknown', 'held')`)
  return new Set(rows.map(({ number }) => number))
}

export type AttemptChange = {
  readonly merchant_id: number
  readonly number: string
  readonly attempt: number
  readonly from_state: AttemptState
  readonly to_state: AttemptState
  readonly connector_reference: string | null
  readonly decline_reason: DeclineReason | null
  /** Nothing more will happen to it, so nothing is kept of where it came from. */
  readonly is_over: boolean
  readonly page_url: string | null
  readonly charge_reference: string | null
  /** As text: JSON has no bigint. */
  readonly charged_minor: string | null
  readonly charged_currency: string | null
  readonly next_check_at: Date | null
  readonly event: string
  readonly at: Date
}

/** Moves attempts that are in their `from_state` and writes that into the history of their payments. */
export async function moveAttemptStates(
  tx: Transaction,
  merchantId: number,
  changes: readonly AttemptChange[],
): Promise<void> {
  const [moved] = await tx.queryAll([
    sql`
    update attempts
    set state = change.to_state, connector_reference = coalesce(change.connector_reference, attempts.connector_reference),
        decline_reason = change.decline_reason,
        address_hash = case when change.is_over then null else attempts.address_hash end,
        card_fingerprint = case when change.is_over then null else attempts.card_fingerprint end,
        challenged_from = case when change.to_state = 'action_required' then attempts.address_hash end,
        page_url = coalesce(change.page_url, attempts.page_url),
        charge_reference = coalesce(change.charge_reference, attempts.charge_reference),
        charged_minor = coalesce(change.charged_minor, attempts.charged_minor),
        charged_currency = coalesce(change.charged_currency, attempts.charged_currency),
        checks = 0, next_check_at = change.next_check_at, updated_at = change.at
    from json_to_recordset(${JSON.stringify(changes)}) as change (
      merchant_id integer, number text, attempt integer, from_state text, to_state text, connector_reference text,
      decline_reason text, is_over boolean, page_url text, charge_reference text, charged_minor bigint,
      charged_currency text, next_check_at timestamptz, at timestamptz)
    where attempts.merchant_id = ${merchantId} and change.merchant_id = ${merchantId}
      and attempts.number = change.number and attempts.attempt = change.attempt and attempts.state = change.from_state
    returning attempts.number`,
    insertHistory(merchantId, changes),
  ])
  if (moved?.length !== changes.length) throw new Error('An attempt of a locked payment changed its state')
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
      and state in ('action_required', 'submitted', 'unknown', 'surplus', 'left_open')`)
}

/** Of a surplus charge that nobody asks for any more. Whether it was one. */
export async function scheduleNow(tx: Transaction, key: AttemptKey, at: Date): Promise<boolean> {
  const rows = await tx.query(sql`
    update attempts set checks = 0, next_check_at = ${at}
    where merchant_id = ${key.merchantId} and number = ${key.number} and attempt = ${key.attempt}
      and state = 'surplus' and next_check_at is null
    returning number`)
  return rows.length > 0
}

/** Other attempts in flight of these payments are checked now: the payment is paid, and must not be paid twice. */
export async function hurryChecks(
  tx: Transaction,
  merchantId: number,
  numbers: readonly string[],
  at: Date,
): Promise<void> {
  await tx.query(sql`
    update attempts set next_check_at = ${at}
    where merchant_id = ${merchantId} and number = any(${numbers}::text[])
      and state in ('started', 'action_required', 'submitted', 'unknown')`)
}
