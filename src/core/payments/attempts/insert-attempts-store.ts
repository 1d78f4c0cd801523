import type { Queryable } from '../../../platform/database/database.ts'
import { sql, type Sql } from '../../../platform/database/sql.ts'
import { attemptColumns, type AttemptRow } from './attempt-store.ts'

// How attempts begin.

export type NewAttempt = {
  readonly merchant_id: number
  readonly number: string
  readonly mode: string
  readonly connector: string
  readonly idempotency_key: string
  readonly card_brand: string | null
  readonly card_last4: string | null
  readonly account_id: string | null
  readonly method: string | null
  /** The saved method that is charged; null where the customer types or chooses. */
  readonly saved_method_id: string | null
  /** Not beyond the end of the payment, unless that is nearer than `page_expires_least`. */
  readonly page_expires_at: Date | null
  readonly page_expires_least: Date | null
  /** The language of the page; null: unknown. */
  readonly language: string | null
  /** Its address and card, as keyed hashes; null if declines aren't counted. */
  readonly address_hash: string | null
  readonly card_fingerprint: string | null
  /** The card-testing check has run for both. */
  readonly is_judged: boolean
  /** Begins as this attempt of its payment or not at all; null: as any. */
  readonly only_as: number | null
  readonly started_at: Date
  readonly next_check_at: Date | null
}

export type BegunAttempt = AttemptRow & { readonly amount_minor: bigint; readonly currency: string }

/**
 * Starts each attempt whose payment is pending, of the same mode, unexpired, has an e-mail address and no other attempt
 * in flight, in one commit. The payments are locked first, so what the next statements read stays true. The unique indexes decide
 * whether an attempt is in flight. An attempt with declines on record starts only after the card-testing check
 * (card-testing/judge.ts): all others skip it.
 */
export async function insertAttempts(
  db: Queryable,
  merchantId: number,
  attempts: readonly NewAttempt[],
): Promise<BegunAttempt[]> {
  const asked = JSON.stringify(attempts.map((attempt) => ({ ...attempt, payable_state: 'pending' })))
  const speaks = attempts.some(({ language }) => language !== null)
  const [amounts = [], begun = []] = await db.queryAll([
    lockAmounts(merchantId, attempts),
    insertWhereAllowed(merchantId, asked),
    ...(speaks ? [setLanguages(merchantId, asked)] : []),
  ])
  const byNumber = new Map((amounts as Amount[]).map((amount) => [amount.number, amount]))
  return (begun as AttemptRow[]).map((attempt) => {
    const amount = byNumber.get(attempt.number)
    if (!amount) throw new Error('An attempt began for a payment that was not locked')
    return Object.assign(attempt, amount)
  })
}

type Amount = { readonly number: string; readonly amount_minor: bigint; readonly currency: string }

/** In the order of lockPayments. The array is a query's: PostgreSQL would plan again at each call for one whose length it sees. */
function lockAmounts(merchantId: number, attempts: readonly NewAttempt[]): Sql {
  const own = attempts.filter(({ merchant_id }) => merchant_id === merchantId)
  return sql`
    select number, amount_minor, currency from payments
    where merchant_id = ${merchantId} and number = any((select ${own.map(({ number }) => number)}::text[])::text[])
    order by number
    for update`
}

/**
 * The state is deliberately no constant to the planner: it would read all pending payments, through the index for
 * expiry, instead of the few that are named, whenever there were few at the last analyze.
 */
function insertWhereAllowed(merchantId: number, asked: string): Sql {
  return sql`
    insert into attempts (merchant_id, number, attempt, connector, idempotency_key, card_brand, card_last4,
      account_id, method, saved_method_id, page_expires_at, address_hash, card_fingerprint, next_check_at, started_at,
      updated_at)
    select payments.merchant_id, asked.number, coalesce(last.attempt, 0) + 1, connector, asked.idempotency_key,
      card_brand, card_last4, account_id, method, asked.saved_method_id,
      case when page_expires_at is not null
        then least(page_expires_at, greatest(payments.expires_at, page_expires_least)) end,
      asked.address_hash, asked.card_fingerprint, next_check_at, started_at, started_at
    from json_to_recordset(${asked}) as asked (
      merchant_id integer, number text, mode text, connector text, idempotency_key text, card_brand text,
      card_last4 text, account_id text, method text, saved_method_id text, page_expires_at timestamptz,
      page_expires_least timestamptz,
      address_hash text, card_fingerprint text, is_judged boolean, only_as integer, started_at timestamptz,
      next_check_at timestamptz, payable_state text)
    join payments on payments.merchant_id = ${merchantId} and payments.number = asked.number
    cross join lateral (
      select max(attempt) as attempt from attempts
      where attempts.merchant_id = ${merchantId} and attempts.number = asked.number
    ) as last
    where asked.merchant_id = ${merchantId}
      and payments.state = asked.payable_state and payments.mode = asked.mode and payments.expires_at > asked.started_at
      and payments.email <> ''
      and (asked.only_as is null or asked.only_as = coalesce(last.attempt, 0) + 1)
      and (asked.is_judged or not (
        -- Tried before: its own declines count, whatever the address and the card.
        last.attempt is not null
        -- Not exists(…): in a condition with "or" PostgreSQL may answer that by reading all rows of the merchant into a
        -- hash, which took 300 ms with 100,000 of them and a plan from when there were none.
        or coalesce((
          select true from decline_levels
          where decline_levels.merchant_id = ${merchantId} and decline_levels.mode = asked.mode
            and decline_levels.kind = 'address' and decline_levels.name = asked.address_hash), false)
        or coalesce((
          select true from decline_levels
          where decline_levels.merchant_id = ${merchantId} and decline_levels.mode = asked.mode
            and decline_levels.kind = 'card' and decline_levels.name = asked.card_fingerprint), false)
        or coalesce((
          select card_attacks.until > asked.started_at from card_attacks
          where card_attacks.merchant_id = ${merchantId} and card_attacks.mode = asked.mode), false)
        or coalesce((
          select true from attempts as challenged
          where challenged.merchant_id = ${merchantId} and challenged.challenged_from = asked.address_hash
          limit 1), false)))
    on conflict do nothing
    returning ${attemptColumns}`
}

/** The page's language, for the receipt: only for attempts that started. */
function setLanguages(merchantId: number, asked: string): Sql {
  // No test of "attempts.number = asked.number": for the index only: one key belongs to one attempt
  // No test of "payments.language is distinct from asked.language": saves writing what is already there
  return sql`
    update payments set language = asked.language
    from json_to_recordset(${asked}) as asked (merchant_id integer, number text, idempotency_key text, language text)
    join attempts on attempts.merchant_id = ${merchantId} and attempts.number = asked.number
      and attempts.idempotency_key = asked.idempotency_key
    where asked.merchant_id = ${merchantId} and asked.language is not null
      and payments.merchant_id = ${merchantId} and payments.number = asked.number
      and payments.language is distinct from asked.language`
}
