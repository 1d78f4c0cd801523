import type { Queryable } from '../../../platform/database/database.ts'
import { join, planEachTime, sql, type Sql } from '../../../platform/database/sql.ts'
import { mailOrigin } from '../queues.ts'
import type { DeliveryRecord } from '../record-store.ts'
import type { Claim } from '../store.ts'
import type { Mode } from '../../merchants/mode.ts'

// Deliveries that are mail: those that were kept instead of sent, those that wait for a mail server, and all of them.

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

export type StoredMail = KeptMail & Pick<DeliveryRecord, 'state' | 'finished_at' | 'next_try_at'>

export type MailFilter = {
  readonly merchantId: number
  readonly mode: Mode
  /** The address as in the delivery, in any case. */
  readonly target?: string | undefined
  readonly after?: { readonly at: string; readonly id: string } | undefined
}

/**
 * Newest first. Of live mode through deliveries_live_mail, or deliveries_to_address; of test mode, where every mail is kept,
 * through deliveries_kept_mail, and an address is looked for among the newest `looked`.
 */
export async function listMails(
  db: Queryable,
  filter: MailFilter,
  looked: number,
  limit: number,
): Promise<StoredMail[]> {
  const { merchantId, mode, target, after } = filter
  const isLive = mode === 'live'
  const rules: Sql[] = [isLive ? sql`mode = 'live' and kind = 'mail'` : sql`mode = 'test' and kind = 'mail'`]
  if (!isLive) rules.push(sql`state = 'kept'`)
  if (after) rules.push(sql`(created_at, id) < (${after.at}, ${after.id})`)
  const isAddressed = target === undefined ? sql`true` : sql`lower(target) = lower(${target})`
  const statement = sql`
    select * from (
      select merchant_id, id, mode, event, number, target, body, created_at, state, finished_at, next_try_at
      from deliveries
      where merchant_id = ${merchantId} and ${join(rules, ' and ')} and ${isLive ? isAddressed : sql`true`}
      order by created_at desc, id desc limit ${isLive ? limit : looked}
    ) as mails
    where ${isAddressed}
    order by created_at desc, id desc limit ${limit}`
  return db.query<StoredMail>(planEachTime(statement))
}

export async function findMail(
  db: Queryable,
  of: { merchantId: number; mode: Mode; id: string },
): Promise<StoredMail | undefined> {
  const rows = await db.query<StoredMail>(sql`
    select merchant_id, id, mode, event, number, target, body, created_at, state, finished_at, next_try_at
    from deliveries
    where merchant_id = ${of.merchantId} and id = ${of.id} and mode = ${of.mode} and kind = 'mail'`)
  return rows[0]
}
