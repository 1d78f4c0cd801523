import type { Database, Transaction } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'
import type { DeliveryFilter, FoundDelivery } from './delivery-filter.ts'

// The table deliveries of one merchant, many rows at once, for people who look for what went wrong.

/** Newest first. */
export async function listFiltered(
  db: Database,
  filter: DeliveryFilter,
  limit: number,
): Promise<FoundDelivery[]> {
  return db.query<FoundDelivery>(sql`
    select id, mode, kind, event, target, state, created_at, finished_at, next_try_at, last.status, last.error
    from deliveries left join lateral (
      select attempt, status, error from delivery_attempts
      where merchant_id = ${filter.merchantId} and delivery_id = deliveries.id
      order by attempt desc limit 1
    ) as last on true
    where merchant_id = ${filter.merchantId} and mode = ${filter.mode}
      and (${filter.kind ?? null}::text is null or kind = ${filter.kind ?? null})
      and (${filter.state ?? null}::text is null or state = ${filter.state ?? null})
      and (not ${filter.isFailing ?? false}::boolean or (state = 'waiting' and last.attempt is not null))
      and (${filter.event ?? null}::text is null or event = ${filter.event ?? null})
      and (${filter.receiver?.names ?? null}::text[] is null or origin = any(${filter.receiver?.names ?? null}::text[])
        or starts_with(origin, ${filter.receiver?.below ?? null}))
      and (${filter.since ?? null}::timestamptz is null or created_at >= ${filter.since ?? null}::timestamptz)
      and (${filter.until ?? null}::timestamptz is null or created_at < ${filter.until ?? null}::timestamptz)
    order by created_at desc, id desc limit ${limit}`)
}

export async function findDelivery(
  db: Database,
  of: { merchantId: number; id: string },
): Promise<FoundDelivery | undefined> {
  const rows = await db.query<FoundDelivery>(sql`
    select id, mode, kind, event, target, state, created_at, finished_at, next_try_at,
           null::integer as status, null::text as error
    from deliveries where merchant_id = ${of.merchantId} and id = ${of.id}`)
  return rows[0]
}

/** How many IPNs there are to send again, by receiver. */
export async function countSendable(
  db: Database,
  filter: DeliveryFilter,
): Promise<{ origin: string; count: number }[]> {
  return db.query(sql`
    select origin, count(*)::integer as count from deliveries
    where merchant_id = ${filter.merchantId} and mode = ${filter.mode} and kind = 'ipn' and target <> '' and body <> ''
      and state = ${filter.state ?? 'failed'}
      and (${filter.event ?? null}::text is null or event = ${filter.event ?? null})
      and (${filter.receiver?.names ?? null}::text[] is null or origin = any(${filter.receiver?.names ?? null}::text[])
        or starts_with(origin, ${filter.receiver?.below ?? null}))
      and (${filter.since ?? null}::timestamptz is null or created_at >= ${filter.since ?? null}::timestamptz)
      and (${filter.until ?? null}::timestamptz is null or created_at < ${filter.until ?? null}::timestamptz)
    group by origin order by count(*) desc, origin`)
}

export type BulkPosition = { readonly created_at: string; readonly id: string }

/**
 * Resets the next IPNs after `after` to the start of their schedule, due now; returns them in order. By cursor and not
 * by state: a resent one may be delivered again before the next page is read.
 */
export async function restartNext(
  tx: Transaction,
  filter: DeliveryFilter,
  after: BulkPosition,
  now: Date,
  limit: number,
): Promise<BulkPosition[]> {
  return tx.query<BulkPosition>(sql`
    with found as materialized (
      select id from deliveries
      where merchant_id = ${filter.merchantId} and mode = ${filter.mode} and kind = 'ipn' and target <> '' and body <> ''
        and state = ${filter.state ?? 'failed'}
        and (${filter.event ?? null}::text is null or event = ${filter.event ?? null})
        and (${filter.receiver?.names ?? null}::text[] is null or origin = any(${filter.receiver?.names ?? null}::text[])
        or starts_with(origin, ${filter.receiver?.below ?? null}))
        and (${filter.since ?? null}::timestamptz is null or created_at >= ${filter.since ?? null}::timestamptz)
        and (${filter.until ?? null}::timestamptz is null or created_at < ${filter.until ?? null}::timestamptz)
        and (created_at, id) > (${after.created_at}::timestamptz, ${after.id})
      order by created_at, id limit ${limit}
      for update
    ), moved as (
      update deliveries
      set state = 'waiting', step = 0, tries = tries + 1, finished_at = null, next_try_at = ${now.toISOString()}
      from found
      where deliveries.merchant_id = ${filter.merchantId} and deliveries.id = found.id
      returning deliveries.created_at, deliveries.id
    )
    select created_at, id from moved order by created_at, id`)
}

export type MerchantBacklog = {
  readonly waiting: number
  readonly paused: number
  /** When the one that has waited longest was due; it may be in the future. */
  readonly oldest_due_at: string | null
}

export async function measureMerchant(db: Database, merchantId: number): Promise<MerchantBacklog> {
  // No test of "(state = 'waiting' or state = 'paused')": saves reading: each count names its own state
  const rows = await db.query<MerchantBacklog>(sql`
    select count(*) filter (where state = 'waiting')::integer as waiting,
           count(*) filter (where state = 'paused')::integer as paused,
           min(next_try_at) as oldest_due_at
    from deliveries where merchant_id = ${merchantId} and (state = 'waiting' or state = 'paused')`)
  return rows[0] ?? { waiting: 0, paused: 0, oldest_due_at: null }
}
