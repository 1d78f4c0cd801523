import { sql } from '../database/sql.ts'
import type { Mode } from '../merchants/mode.ts'
import type { Database, Queryable } from '../database/database.ts'
import type { Asked, Queue } from './queues.ts'

// The tables deliveries and delivery_attempts: writing, claiming and noting. What people look at is in
// record-store.ts.

export type DeliveryKind = 'ipn' | 'mail'
export type DeliveryState = 'waiting' | 'delivered' | 'failed' | 'paused' | 'skipped' | 'kept'

export type NewDelivery = {
  readonly merchant_id: number
  readonly id: string
  readonly kind: DeliveryKind
  readonly mode: Mode
  readonly event: string
  readonly number: string | null
  readonly target: string
  readonly origin: string
  readonly body: string
  readonly state: 'waiting' | 'kept'
  /** An IPN whose first try begins with the commit. */
  readonly claimed?: boolean
}

// A mail has to be noted before its lease ends even if the database is away for a while: mail must not go twice.
const leaseMs: Record<DeliveryKind, number> = { ipn: 30_000, mail: 300_000 }

/**
 * Due a few seconds ago rather than now: a worker whose clock is a little behind the database's must not sit on it.
 * What goes to a paused receiver is paused from the start, and whoever resumes it waits for this commit: else they
 * would miss each other, and it would stay paused for ever. Returns those that are claimed.
 */
export async function insertDeliveries(
  tx: Queryable,
  deliveries: readonly NewDelivery[],
  now: Date = new Date(),
): Promise<Claim[]> {
  const claimed = await tx.query<Pick<Claim, 'id' | 'created_at' | 'secrets'>>(sql`
    with written as (
      insert into deliveries (merchant_id, id, kind, mode, event, number, target, origin, body, state, tries,
                              next_try_at)
      select new.merchant_id, id, kind, new.mode, event, number, target, new.origin, body, begin.state,
             case when begin.state = 'waiting' and claimed then 1 else 0 end,
             case when begin.state = 'waiting' then
               case when claimed then ${now.toISOString()}::timestamptz + interval '1 millisecond' * ${leaseMs.ipn}::integer
                    else now() - interval '5 seconds' end
             end
      from (
        select * from json_to_recordset(${JSON.stringify(deliveries)}) as new (
          merchant_id integer, id text, kind text, mode text, event text, number text, target text, origin text,
          body text, state text, claimed boolean)
        limit (select ${deliveries.length}::integer)
      ) as new
      cross join lateral (
        select case when exists (
          select from receivers
          where receivers.merchant_id = new.merchant_id and receivers.mode = new.mode
            and receivers.origin = new.origin and paused_at is not null
          for share
        ) then 'paused' else new.state end as state
      ) as begin
      returning merchant_id, id, mode, tries, created_at
    )
    select id, created_at, (
      select array_agg(secret order by webhook_secrets.created_at desc) from webhook_secrets
      where webhook_secrets.merchant_id = written.merchant_id and webhook_secrets.mode = written.mode
        and (ends_at is null or ends_at > ${now.toISOString()}::timestamptz)
    ) as secrets
    from written where tries = 1`)
  const facts = new Map(claimed.map((one) => [one.id, one]))
  return deliveries.flatMap((one) => {
    const more = facts.get(one.id)
    return more ? [{ ...one, ...more, tries: 1, step: 0 }] : []
  })
}

export type Claim = {
  readonly merchant_id: number
  readonly id: string
  readonly kind: DeliveryKind
  readonly mode: Mode
  readonly event: string
  readonly number: string | null
  readonly target: string
  readonly origin: string
  readonly body: string
  /** The number of this try, from 1. */
  readonly tries: number
  readonly step: number
  readonly created_at: string
  /** Newest first; null before the first delivery of a merchant. */
  readonly secrets: string[] | null
}

/**
 * Takes what is due in the given queues, each up to its room, and leases it. Without the limit on the queues,
 * PostgreSQL would make a new plan each time.
 */
export async function claim(db: Database, asked: readonly Asked[], now: Date): Promise<Claim[]> {
  return db.query<Claim>(sql`
    with due as materialized (
      select found.merchant_id, found.id
      from (
        select * from unnest(
          ${asked.map((queue) => queue.merchantId)}::integer[], ${asked.map((queue) => queue.mode)}::text[],
          ${asked.map((queue) => queue.origin)}::text[], ${asked.map((queue) => queue.room)}::integer[]
        ) as asked (merchant_id, mode, origin, room)
        limit (select ${asked.length}::integer)
      ) as asked
      cross join lateral (
        select merchant_id, id from deliveries
        where merchant_id = asked.merchant_id and mode = asked.mode and origin = asked.origin
          and state = 'waiting' and next_try_at <= ${now.toISOString()}::timestamptz
        order by next_try_at limit asked.room
        for update skip locked
      ) as found
    ), claimed as (
      update deliveries
      set tries = tries + 1,
          next_try_at = ${now.toISOString()}::timestamptz + interval '1 millisecond' *
            case kind when 'mail' then ${leaseMs.mail}::integer else ${leaseMs.ipn}::integer end
      from due
      where deliveries.merchant_id = due.merchant_id and deliveries.id = due.id
      returning deliveries.merchant_id, deliveries.id, kind, mode, event, number, target, origin, body, tries, step,
                created_at
    )
    select claimed.*, (
      select array_agg(secret order by webhook_secrets.created_at desc) from webhook_secrets
      where webhook_secrets.merchant_id = claimed.merchant_id and webhook_secrets.mode = claimed.mode
        and (ends_at is null or ends_at > ${now.toISOString()}::timestamptz)
    ) as secrets
    from claimed`)
}

/**
 * The queues that have something due, at most `limit`, after the given one in order. It steps from queue to queue
 * through the index, so 10,000 deliveries that wait for one dead receiver cost as much as one.
 */
export async function listDueQueues(
  db: Database,
  after: Queue | undefined,
  now: Date,
  limit: number,
): Promise<Queue[]> {
  return db.query<Queue>(sql`
    with recursive queues as (
      (select merchant_id, mode, origin from deliveries
       where state = 'waiting'
         and (merchant_id, mode, origin) > (${after?.merchantId ?? 0}, ${after?.mode ?? ''}, ${after?.origin ?? ''})
       order by merchant_id, mode, origin limit 1)
      union all
      select next.merchant_id, next.mode, next.origin
      from queues cross join lateral (
        select merchant_id, mode, origin from deliveries
        where state = 'waiting' and (merchant_id, mode, origin) > (queues.merchant_id, queues.mode, queues.origin)
        order by merchant_id, mode, origin limit 1
      ) as next
    )
    select merchant_id as "merchantId", mode, origin from queues
    where exists (
      select from deliveries
      where deliveries.merchant_id = queues.merchant_id and deliveries.mode = queues.mode
        and deliveries.origin = queues.origin and state = 'waiting'
        and next_try_at <= ${now.toISOString()}::timestamptz)
    limit ${limit}`)
}

/** How a try ended. */
export type TryResult = {
  readonly merchant_id: number
  readonly id: string
  readonly attempt: number
  readonly at: string
  readonly ms: number
  readonly status: number | null
  readonly error: string | null
  readonly answer: string | null
  readonly state: 'waiting' | 'delivered' | 'failed' | 'skipped' | 'kept'
  readonly step: number
  readonly next_try_at: string | null
  /** False for a receiver that answered and wants no more of it. */
  readonly counts_against: boolean
}

/**
 * Writes how tries ended. A worker that slept past its lease no longer has the last word, unless it brings the news
 * that the delivery arrived, which counts although its receiver was paused meanwhile. Returns the queues in which
 * something failed.
 *
 * from_state is no constant to the planner, on purpose: it would read all that waits, through the index of what is
 * due, instead of the few that are named.
 */
export async function recordResults(db: Database, results: readonly TryResult[]): Promise<Queue[]> {
  return db.query<Queue>(sql`
    with done as materialized (
      select done.*, 'waiting' as from_state from json_to_recordset(${JSON.stringify(results)}) as done (
        merchant_id integer, id text, attempt integer, at timestamptz, ms integer, status integer, error text,
        answer text, state text, step integer, next_try_at timestamptz, counts_against boolean)
      limit (select ${results.length}::integer)
    ), noted as (
      insert into delivery_attempts (merchant_id, delivery_id, attempt, at, ms, status, error, answer)
      select merchant_id, id, attempt, at, ms, status, error, answer from done where state not in ('skipped', 'kept')
      on conflict do nothing
    ), moved as (
      update deliveries
      set state = case when done.state = 'waiting' and is_paused then 'paused' else done.state end,
          next_try_at = case when done.state = 'waiting' and not is_paused then done.next_try_at end,
          step = done.step,
          finished_at = case when done.state <> 'waiting' then done.at + interval '1 millisecond' * done.ms end
      from done join lateral (
        select exists (
          select from receivers join deliveries using (merchant_id, mode, origin)
          where deliveries.merchant_id = done.merchant_id and deliveries.id = done.id and paused_at is not null
          for no key update of receivers
        ) as is_paused
      ) as receiver on true
      where deliveries.merchant_id = done.merchant_id and deliveries.id = done.id
        and (deliveries.state = done.from_state and deliveries.tries = done.attempt
          or deliveries.state in (done.from_state, 'paused') and done.state = 'delivered')
      returning deliveries.merchant_id, deliveries.mode, deliveries.origin, deliveries.kind, done.state, done.at,
        done.counts_against
    ), failing as (
      insert into receivers (merchant_id, mode, origin, failing_since, last_failed_at)
      select merchant_id, mode, origin, min(at), max(at) from moved
      where kind = 'ipn' and counts_against
      group by merchant_id, mode, origin order by merchant_id, mode, origin
      -- Begins anew after a silence that is longer than any pause between tries. The last one is only noted once an
      -- hour, as a receiver in trouble fails all the time.
      on conflict (merchant_id, mode, origin) do update
      set failing_since = case
            when receivers.last_failed_at > excluded.failing_since - interval '30 hours' then receivers.failing_since
            else excluded.failing_since
          end,
          last_failed_at = excluded.last_failed_at
      where receivers.failing_since is null or receivers.last_failed_at < excluded.last_failed_at - interval '1 hour'
    ), recovered as (
      update receivers set failing_since = null, last_failed_at = null
      from (select distinct merchant_id, mode, origin from moved where kind = 'ipn' and state = 'delivered') as good
      where receivers.merchant_id = good.merchant_id and receivers.mode = good.mode
        and receivers.origin = good.origin and failing_since is not null and paused_at is null
        and not exists (
          select from moved
          where moved.merchant_id = good.merchant_id and moved.mode = good.mode and moved.origin = good.origin
            and moved.counts_against)
    )
    select distinct merchant_id as "merchantId", mode, origin from moved where kind = 'ipn' and counts_against`)
}

/** How many mails went to the same address in the last day, again or for the first time, or are about to. */
export async function countMailsBefore(db: Database, mail: Claim, now: Date): Promise<number> {
  const rows = await db.query<{ count: number }>(sql`
    select coalesce(sum(
      (select count(*) from delivery_attempts as sent
       where sent.merchant_id = mails.merchant_id and sent.delivery_id = mails.id and sent.error is null
         and sent.at > ${now.toISOString()}::timestamptz - interval '24 hours')
      + case when state = 'waiting' and (created_at, id) < (${mail.created_at}::timestamptz, ${mail.id}) then 1 else 0 end
    ), 0)::integer as count
    from deliveries as mails
    where merchant_id = ${mail.merchant_id} and lower(target) = lower(${mail.target}) and kind = 'mail' and mode = 'live'
      and (finished_at is null or finished_at > ${now.toISOString()}::timestamptz - interval '24 hours')`)
  return rows[0]?.count ?? 0
}
