import type { Database } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'
import type { AttemptState } from '../state-machine.ts'

// What dashboard lists show about payments besides the row itself, for one page at a time.

/** References by payment number, for lists of other things that belong to payments. */
export async function txRefsOf(
  db: Database,
  merchantId: number,
  numbers: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (numbers.length === 0) return new Map()
  const rows = await db.query<{ number: string; tx_ref: string }>(sql`
    select number, tx_ref from payments where merchant_id = ${merchantId} and number = any(${numbers}::text[])`)
  return new Map(rows.map(({ number, tx_ref }) => [number, tx_ref]))
}

/** The last attempt of each payment that has one: a pending payment with a declined card differs from an untouched one. */
export async function lastAttemptsOf(
  db: Database,
  merchantId: number,
  numbers: readonly string[],
): Promise<ReadonlyMap<string, AttemptState>> {
  if (numbers.length === 0) return new Map()
  const rows = await db.query<{ number: string; state: AttemptState }>(sql`
    select distinct on (number) number, state from attempts
    where merchant_id = ${merchantId} and number = any(${numbers}::text[])
    order by number, attempt desc`)
  return new Map(rows.map(({ number, state }) => [number, state]))
}
