import type { Database } from '../../../database/database.ts'
import { sql } from '../../../database/sql.ts'
import type { Mode } from '../../../merchants/mode.ts'

export type UnknownAttempt = {
  readonly number: string
  readonly tx_ref: string
  readonly connector: string
  readonly started_at: string
}

/** By attempts_unknown: there are few at any time, however many attempts there are. The oldest first. */
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
