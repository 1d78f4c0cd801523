import type { Database, Queryable, Transaction } from '../../platform/database/database.ts'
import { sql, type Sql } from '../../platform/database/sql.ts'
import type { Mode } from '../merchants/mode.ts'
import { ownRow } from '../merchants/own-row.ts'
import type { DeliveryKind } from './store.ts'

// How tries ended, in the tables deliveries, delivery_attempts and receivers. What locks a receiver is a statement of its
// own: a cluster refuses to insert in one statement with it.

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
  /** paused: mail that waits until there is a mail server. */
  readonly state: 'waiting' | 'delivered' | 'failed' | 'skipped' | 'kept' | 'paused'
  readonly step: number
  readonly next_try_at: string | null
  /** False for a receiver that answered and wants no more of it. */
  readonly counts_against: boolean
}

export type Receiver = { readonly mode: Mode; readonly origin: string }

/**
 * The deliveries whose receiver is paused. It stays locked until the commit, so it can't be resumed in between; locked
 * before the deliveries, in the same order as pausing and resuming.
 */
export async function lockPaused(
  tx: Transaction,
  merchantId: number,
  ids: readonly string[],
): Promise<Set<string>> {
  const rows = await tx.query<{ id: string }>(sql`
    select deliveries.id
    from deliveries join receivers
      on receivers.merchant_id = ${merchantId} and receivers.mode = deliveries.mode
        and receivers.origin = deliveries.origin
    where deliveries.merchant_id = ${merchantId} and deliveries.id = any(${ids}::text[]) and paused_at is not null
    order by receivers.mode, receivers.origin
    for no key update of receivers`)
  return new Set(rows.map(({ id }) => id))
}

export type MovedDelivery = Receiver & {
  readonly kind: DeliveryKind
  readonly state: TryResult['state']
  readonly at: string
  readonly counts_against: boolean
  readonly is_failing: boolean
}

/**
 * Writes tries, and moves deliveries to where their tries brought them. A worker that slept past its lease no longer
 * has the last word, unless it brings the news that the delivery arrived, which counts although its receiver was paused
 * meanwhile. What has to wait for a paused receiver is named in `paused`.
 *
 * from_state is no constant to the planner, on purpose: it would read all that waits, through the index of what is
 * due, instead of the few that are named.
 */
export async function moveDeliveries(
  db: Queryable,
  merchantId: number,
  results: readonly TryResult[],
  paused: ReadonlySet<string>,
): Promise<MovedDelivery[]> {
  const tried = results.filter(({ state }) => !untried.has(state))
  const [moved = []] = await db.queryAll<MovedDelivery>([
    move(merchantId, results, paused),
    ...(tried.length > 0 ? [insertTries(merchantId, tried)] : []),
  ])
  return moved
}

/** The result of a delivery without a call. */
const untried: ReadonlySet<TryResult['state']> = new Set(['skipped', 'kept', 'paused'])

function insertTries(merchantId: number, results: readonly TryResult[]): Sql {
  const rows = results.map(({ id, attempt, at, ms, status, error, answer }) => ({
    id,
    attempt,
    at,
    ms,
    status,
    error,
    answer,
  }))
  return sql`
    insert into delivery_attempts (merchant_id, delivery_id, attempt, at, ms, status, error, answer)
    select merchant.merchant_id, id, attempt, at, ms, status, error, answer
    from ${ownRow(merchantId)}, json_to_recordset(${JSON.stringify(rows)}) as tried (
      id text, attempt integer, at timestamptz, ms integer, status integer, error text, answer text)
    on conflict do nothing`
}

function move(merchantId: number, results: readonly TryResult[], paused: ReadonlySet<string>): Sql {
  const rows = results.map(({ id, attempt, at, ms, state, step, next_try_at, counts_against }) => {
    const isPaused = state === 'waiting' && paused.has(id)
    const isOpen = state === 'waiting' || state === 'paused'
    return {
      merchant_id: merchantId,
      id,
      attempt,
      at,
      state,
      step,
      counts_against,
      from_state: 'waiting',
      to_state: isPaused ? 'paused' : state,
      next_try_at: isPaused ? null : next_try_at,
      finished_at: isOpen ? null : new Date(Date.parse(at) + ms).toISOString(),
    }
  })
  // No test of "done.merchant_id =": for the planner only: every row is of this merchant
  return sql`
    with moved as (
      update deliveries
      set state = done.to_state, next_try_at = done.next_try_at, step = done.step, finished_at = done.finished_at
      from json_to_recordset(${JSON.stringify(rows)}) as done (
        merchant_id integer, id text, attempt integer, at timestamptz, state text, step integer, counts_against boolean,
        from_state text, to_state text, next_try_at timestamptz, finished_at timestamptz)
      where done.merchant_id = ${merchantId} and deliveries.merchant_id = ${merchantId} and deliveries.id = done.id
        and (deliveries.state = done.from_state and deliveries.tries = done.attempt
          or deliveries.state in (done.from_state, 'paused') and done.state = 'delivered')
      returning deliveries.mode, deliveries.origin, deliveries.kind, done.state, done.at, done.counts_against
    )
    select moved.*, exists (
      select from receivers
      where receivers.merchant_id = ${merchantId} and receivers.mode = moved.mode and receivers.origin = moved.origin
        and failing_since is not null and paused_at is null
    ) as is_failing
    from moved`
}

const hourMs = 3_600_000

/**
 * A receiver is failing since its first failure, and starts again after 30 hours of silence, which is longer than any
 * pause between attempts. The last failure is recorded only once an hour, as a troubled receiver fails all the time.
 */
export async function noteFailing(
  tx: Transaction,
  merchantId: number,
  { mode, origin, firstAt, lastAt }: Receiver & { readonly firstAt: string; readonly lastAt: string },
): Promise<void> {
  const silentSince = new Date(Date.parse(firstAt) - 30 * hourMs).toISOString()
  const hourBefore = new Date(Date.parse(lastAt) - hourMs).toISOString()
  await tx.query(sql`
    insert into receivers (merchant_id, mode, origin, failing_since, last_failed_at)
    values (${merchantId}, ${mode}, ${origin}, ${firstAt}::timestamptz, ${lastAt}::timestamptz)
    on conflict (merchant_id, mode, origin) do update
    set failing_since = case when receivers.last_failed_at > ${silentSince}::timestamptz then receivers.failing_since
                             else excluded.failing_since end,
        last_failed_at = excluded.last_failed_at
    where receivers.failing_since is null or receivers.last_failed_at < ${hourBefore}::timestamptz`)
}

export async function noteRecovered(
  db: Database,
  merchantId: number,
  { mode, origin }: Receiver,
): Promise<void> {
  await db.query(sql`
    update receivers set failing_since = null, last_failed_at = null
    where merchant_id = ${merchantId} and mode = ${mode} and origin = ${origin} and failing_since is not null
      and paused_at is null`)
}
