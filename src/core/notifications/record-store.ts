import type { Database, Queryable } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import type { CursorPosition } from '../../platform/input/cursor.ts'
import type { DeliveryKind, DeliveryState } from './store.ts'
import type { Mode } from '../merchants/mode.ts'

// The tables deliveries and delivery_attempts as people look at them.

export type AttemptRecord = {
  readonly attempt: number
  readonly at: string
  readonly ms: number
  readonly status: number | null
  readonly error: string | null
  readonly answer: string | null
}

export type DeliveryRecord = {
  readonly id: string
  readonly kind: DeliveryKind
  readonly event: string
  readonly target: string
  readonly state: DeliveryState
  readonly created_at: string
  readonly finished_at: string | null
  readonly next_try_at: string | null
}

export async function listOfPayment(
  db: Queryable,
  of: { merchantId: number; number: string },
): Promise<DeliveryRecord[]> {
  return db.query<DeliveryRecord>(sql`
    select id, kind, event, target, state, created_at, finished_at, next_try_at from deliveries
    where merchant_id = ${of.merchantId} and number = ${of.number}
    order by created_at, kind, id`)
}

/** Newest first. */
export async function pageOfPayment(
  db: Queryable,
  of: { merchantId: number; number: string },
  { after, limit }: { after: CursorPosition | undefined; limit: number },
): Promise<DeliveryRecord[]> {
  return db.query<DeliveryRecord>(sql`
    select id, kind, event, target, state, created_at, finished_at, next_try_at from deliveries
    where merchant_id = ${of.merchantId} and number = ${of.number}
      and (${after?.at ?? null}::timestamptz is null or (created_at, id) < (${after?.at ?? null}::timestamptz, ${after?.name ?? ''}))
    order by created_at desc, id desc limit ${limit}`)
}

export async function listAttempts(
  db: Queryable,
  of: { merchantId: number; ids: readonly string[] },
): Promise<(AttemptRecord & { delivery_id: string })[]> {
  return db.query(sql`
    select delivery_id, attempt, at, ms, status, error, answer from delivery_attempts
    where merchant_id = ${of.merchantId} and delivery_id = any(${of.ids})
    order by delivery_id, attempt`)
}

export type SampleOutcome = {
  readonly merchantId: number
  readonly id: string
  readonly mode: Mode
  readonly event: string
  readonly target: string
  readonly origin: string
  readonly endpointId: string | null
  readonly body: string
  readonly at: string
  readonly ms: number
  readonly status: number | null
  readonly error: string | null
  readonly answer: string | null
  readonly delivered: boolean
}

/** A sample was already sent when it is written: it has one attempt and no retries. */
export async function insertSample(db: Queryable, sample: SampleOutcome): Promise<void> {
  await db.query(sql`
    with written as (
      insert into deliveries (merchant_id, id, kind, mode, event, target, origin, body, state, tries, finished_at,
                              endpoint_id)
      values (${sample.merchantId}, ${sample.id}, 'ipn', ${sample.mode}, ${sample.event}, ${sample.target},
              ${sample.origin}, ${sample.body}, ${sample.delivered ? 'delivered' : 'failed'}, 1, now(),
              ${sample.endpointId})
      returning merchant_id, id
    )
    insert into delivery_attempts (merchant_id, delivery_id, attempt, at, ms, status, error, answer)
    select merchant_id, id, 1, ${sample.at}::timestamptz, ${sample.ms}::integer, ${sample.status}::integer,
           ${sample.error}::text, ${sample.answer}::text
    from written`)
}

export type Followed = {
  readonly id: string
  readonly event: string
  readonly body: string
  readonly created_at: string
}

/**
 * Test mode only; without an endpoint, deliveries to the callback_url. By time of writing, which isn't the order of
 * commits: ask for a little more than is new.
 */
export async function listSince(
  db: Queryable,
  of: { merchantId: number; since: string; after: string; endpoint?: string | undefined; limit: number },
): Promise<Followed[]> {
  // No test of "created_at >=": for the index only: later rows are never older
  return db.query<Followed>(sql`
    select id, event, body, created_at from deliveries
    where merchant_id = ${of.merchantId} and kind = 'ipn' and mode = 'test'
      and endpoint_id is not distinct from ${of.endpoint ?? null}::text
      and created_at >= ${of.since}::timestamptz and (created_at, id) > (${of.since}::timestamptz, ${of.after})
    order by created_at, id limit ${of.limit}`)
}

export type Backlog = { readonly waiting: number; readonly paused: number; readonly oldest_seconds: number }

/** For one merchant, for the metrics: the age of the longest overdue delivery. */
export async function measureBacklog(db: Database, merchantId: number, now: Date): Promise<Backlog> {
  // No test of "state = 'waiting'": for the index only: a constraint says the same
  const [row] = await db.query<{ waiting: number; paused: number; oldest: string | null }>(sql`
    select
      (select count(*) from deliveries where merchant_id = ${merchantId} and state = 'waiting')::integer as waiting,
      (select count(*) from deliveries where merchant_id = ${merchantId} and state = 'paused')::integer as paused,
      (select min(next_try_at) from deliveries where merchant_id = ${merchantId} and state = 'waiting') as oldest`)
  const { waiting = 0, paused = 0, oldest = null } = row ?? {}
  const overdueMs = oldest === null ? 0 : now.getTime() - Date.parse(oldest)
  return { waiting, paused, oldest_seconds: Math.max(0, overdueMs / 1000) }
}
