import type { Database } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import { attemptColumns, type AttemptRow } from './attempt-store.ts'

// The one statement that begins attempts.

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

const nothing = sql``
const noteLanguage = sql`
    , spoken as (
      update payments set language = payment.language
      from begun join payment using (idempotency_key)
      where payments.merchant_id = begun.merchant_id and payments.number = begun.number
        and payments.language is distinct from payment.language and payment.language is not null
    )`

/**
 * Begins each attempt whose payment is pending, of the same mode, in time and without another attempt in flight, in
 * one statement and one commit. Whether one is in flight the unique indexes decide: who waited for a lock here may read
 * attempts as they were before it.
 */
export async function insertAttempts(db: Database, attempts: readonly NewAttempt[]): Promise<BegunAttempt[]> {
  const spoken = attempts.some(({ language }) => language !== null)
  return db.query<BegunAttempt>(sql`
    with payment as materialized (
      select payments.merchant_id, payments.number, payments.amount_minor, payments.currency, asked.connector,
        asked.idempotency_key, asked.card_brand, asked.card_last4, asked.language, asked.started_at, asked.next_check_at
      from (
        select * from json_to_recordset(${JSON.stringify(attempts)}) as asked (
          merchant_id integer, number text, mode text, connector text, idempotency_key text, card_brand text,
          card_last4 text, language text, started_at timestamptz, next_check_at timestamptz)
        limit (select ${attempts.length}::integer)
      ) as asked
      join payments on payments.merchant_id = asked.merchant_id and payments.number = asked.number
      where payments.state = 'pending' and payments.mode = asked.mode and payments.expires_at > asked.started_at
      order by payments.merchant_id, payments.number
      for update of payments
    ), begun as (
      insert into attempts (merchant_id, number, attempt, connector, idempotency_key, card_brand, card_last4,
        next_check_at, started_at, updated_at)
      select merchant_id, number, coalesce(last.attempt, 0) + 1, connector, idempotency_key, card_brand, card_last4,
        next_check_at, started_at, started_at
      from payment
      cross join lateral (
        select max(attempt) as attempt from attempts
        where attempts.merchant_id = payment.merchant_id and attempts.number = payment.number
      ) as last
      on conflict do nothing
      returning *
    )
    ${spoken ? noteLanguage : nothing}
    select ${attemptColumns}, payment.amount_minor, payment.currency
    from begun as attempts join payment using (idempotency_key)`)
}
