import type { Queryable } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import { mailOrigin } from '../queues.ts'
import type { Claim } from '../store.ts'
import type { Mode } from '../../merchants/mode.ts'

// Deliveries that are mail and were kept instead of sent, and those of live mode that wait for a mail server.

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
    select * from (
      (select merchant_id, id, mode, event, number, target, body, created_at from deliveries
       where merchant_id = ${of.merchantId} and mode = ${of.mode} and kind = 'mail' and state = 'kept'
       order by created_at desc, id desc limit ${limit})
      union all
      (select merchant_id, id, mode, event, number, target, body, created_at from deliveries
       where merchant_id = ${of.merchantId} and mode = ${of.mode} and origin = ${mailOrigin} and state = 'paused'
       order by created_at desc, id desc limit ${limit})
    ) as both_kinds
    order by created_at desc, id desc limit ${limit}`)
}

export async function findKeptMail(
  db: Queryable,
  of: { merchantId: number; mode: Mode; id: string },
): Promise<KeptMail | undefined> {
  const rows = await db.query<KeptMail>(sql`
    select merchant_id, id, mode, event, number, target, body, created_at from deliveries
    where merchant_id = ${of.merchantId} and id = ${of.id} and mode = ${of.mode} and kind = 'mail'
      and state in ('kept', 'paused')`)
  return rows[0]
}
