import type { Queryable } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import type { Claim } from '../store.ts'
import type { Mode } from '../../merchants/mode.ts'

// Deliveries that are mail and were kept instead of sent.

export type KeptMail = Pick<
  Claim,
  'merchant_id' | 'id' | 'mode' | 'event' | 'number' | 'target' | 'body' | 'created_at'
>

/** Newest first. */
export async function listKeptMails(
  db: Queryable,
  of: { merchantId: number; mode: Mode },
  limit: number,
): Promise<KeptMail[]> {
  return db.query<KeptMail>(sql`
    select merchant_id, id, mode, event, number, target, body, created_at from deliveries
    where merchant_id = ${of.merchantId} and mode = ${of.mode} and kind = 'mail' and state = 'kept'
    order by created_at desc, id desc limit ${limit}`)
}

export async function findKeptMail(
  db: Queryable,
  of: { merchantId: number; mode: Mode; id: string },
): Promise<KeptMail | undefined> {
  const rows = await db.query<KeptMail>(sql`
    select merchant_id, id, mode, event, number, target, body, created_at from deliveries
    where merchant_id = ${of.merchantId} and id = ${of.id} and mode = ${of.mode} and kind = 'mail' and state = 'kept'`)
  return rows[0]
}
