import type { DeclineReason } from '../connectors/connector.ts'
import type { Queryable, Transaction } from '../database/database.ts'
import { sql } from '../database/sql.ts'
import type { AttemptState } from './state-machine.ts'
import type { PaymentKey } from './store.ts'

// The only place that names the table attempts. "In flight" is spelt out as the index attempts_one_in_flight does.

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

export async function findLastAttempt(db: Queryable, key: PaymentKey): Promise<AttemptRow | undefined> {
  const rows = await db.query<AttemptRow>(sql`
    select merchant_id, number, attempt, state, connector, idempotency_key, connector_reference, decline_reason,
           card_brand, card_last4, checks, next_check_at, started_at
    from attempts where merchant_id = ${key.merchantId} and number = ${key.number}
    order by attempt desc limit 1`)
  return rows[0]
}

export async function countDeclined(db: Queryable, key: PaymentKey): Promise<number> {
  const rows = await db.query<{ declined: number }>(sql`
    select count(*)::integer as declined from attempts
    where merchant_id = ${key.merchantId} and number = ${key.number} and state = 'declined'`)
  return rows[0]?.declined ?? 0
}

export type { Transaction }
