import { sql, type Sql } from '../../platform/database/sql.ts'
import type { Mode } from '../merchants/mode.ts'
import { ownRow } from '../merchants/own-row.ts'
import type { Database, Transaction } from '../../platform/database/database.ts'
import type { QueueRequest, Queue } from './queues.ts'

// The table deliveries: writing, listing what is due and claiming it. How tries ended is in result-store.ts, what people
// look at in record-store.ts.

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
  /** nowhere: it isn't written, since only endpoints get it. */
  readonly state: 'waiting' | 'kept' | 'nowhere'
  readonly dialect?: 'family' | null
  /** An IPN whose first try begins with the commit. */
  readonly claimed?: boolean
}

// A mail has to be noted before its lease ends even if the database is away for a while: mail must not go twice.
const leaseMs: Record<DeliveryKind, number> = { ipn: 30_000, mail: 300_000 }

const roundsMax = 20

type InsertedDelivery = Pick<Claim, 'id' | 'created_at' | 'tries' | 'mode' | 'origin' | 'endpoint_id'> & {
  readonly state: DeliveryState
}

/** `toEndpoints`: the queues of deliveries that must be claimed. */
type Inserted = { readonly claims: Claim[]; readonly toEndpoints: Queue[] }

/**
 * Writes deliveries of one merchant, and with each IPN those to the endpoints that hear of it; returns those that are claimed.
 *
 * What goes to a paused receiver is paused from the start, and that receiver stays locked until the commit: whoever
 * resumes it waits for the delivery, which could otherwise be missed and stay paused for ever. A cluster refuses an
 * insert and a lock in one statement, and hardly any receiver is paused: so the first insert leaves theirs out.
 */
export async function insertDeliveries(
  tx: Transaction,
  merchantId: number,
  deliveries: readonly NewDelivery[],
  now: Date = new Date(),
): Promise<Inserted> {
  const written: InsertedDelivery[] = []
  let paused = new Set<string>()
  let secrets: readonly SecretsOfMode[] = []
  for (let left = deliveries, rounds = 0; left.length > 0; rounds += 1) {
    // Receivers are paused and resumed seldom; what nothing lets in would be tried for ever.
    if (rounds === roundsMax) throw new Error('Deliveries could not be written')
    const claims = left.some((one) => one.claimed === true && !paused.has(one.id))
    const [rows, found] = (await tx.queryAll([
      insertUnlessPaused(merchantId, left, { paused, toEndpoints: rounds === 0, now }),
      ...(claims ? [readSecrets(merchantId, now)] : []),
    ])) as [InsertedDelivery[], SecretsOfMode[]?]
    written.push(...rows)
    secrets = found ?? secrets
    const known = new Set(written.map(({ id }) => id))
    left = deliveries.filter(({ id, state }) => state !== 'nowhere' && !known.has(id))
    if (left.length > 0) paused = await lockPaused(tx, merchantId, left)
  }
  const claimed = new Map(written.filter(({ tries }) => tries === 1).map((one) => [one.id, one]))
  const claims = deliveries.flatMap((one) => {
    const more = claimed.get(one.id)
    const ofMode = secrets.find(({ mode }) => mode === one.mode)?.secrets ?? null
    return more ? [{ ...one, ...more, dialect: one.dialect ?? null, step: 0, secrets: ofMode }] : []
  })
  return { claims, toEndpoints: await queuesOfEndpoints(tx, merchantId, written) }
}

/**
 * Only now does the program learn which endpoints there are. Receivers of paused ones are locked as above; those
 * resumed since the insert are due.
 */
async function queuesOfEndpoints(
  tx: Transaction,
  merchantId: number,
  written: readonly InsertedDelivery[],
): Promise<Queue[]> {
  const toEndpoints = written.filter(({ endpoint_id: endpoint }) => endpoint !== null)
  const held = toEndpoints.filter(({ state }) => state === 'paused')
  const paused = held.length === 0 ? new Set<string>() : await lockPaused(tx, merchantId, held)
  const resumed = held.filter(({ id }) => !paused.has(id))
  if (resumed.length > 0)
    await tx.query(sql`
      update deliveries set state = 'waiting', next_try_at = now()
      where merchant_id = ${merchantId} and id = any(${resumed.map(({ id }) => id)}::text[])`)
  const due = [...toEndpoints.filter(({ state }) => state === 'waiting'), ...resumed]
  return due.map(({ mode, origin }) => ({ merchantId, mode, origin }))
}

/**
 * Leaves out what goes to a paused receiver, unless it is named in `paused`. The others are due a few seconds ago rather
 * than now: a worker whose clock is a little behind the database's must not sit on them.
 *
 * Endpoints are found in the same statement, so that a merchant who has none pays a look into one index and no round trip.
 */
function insertUnlessPaused(
  merchantId: number,
  deliveries: readonly NewDelivery[],
  { paused, toEndpoints, now }: { paused: ReadonlySet<string>; toEndpoints: boolean; now: Date },
): Sql {
  const rows = deliveries.map((one) => {
    const state = paused.has(one.id) ? 'paused' : one.state
    const isClaimed = state === 'waiting' && one.claimed === true
    const leased_until = isClaimed ? leaseEnd('ipn', now) : null
    return {
      ...one,
      state,
      tries: isClaimed ? 1 : 0,
      leased_until,
      is_due: state === 'waiting' && !isClaimed,
      to_endpoints: toEndpoints && one.kind === 'ipn',
    }
  })
  return sql`
    insert into deliveries as written (merchant_id, id, kind, mode, event, number, target, origin, body, state, tries,
                                       next_try_at, endpoint_id, dialect)
    select merchant.merchant_id, receiver.id, kind, mode, event, number, receiver.target, receiver.origin, body,
           receiver.state, receiver.tries, receiver.next_try_at, receiver.endpoint_id, receiver.dialect
    from ${ownRow(merchantId)}, json_to_recordset(${JSON.stringify(rows)}) as new (
      merchant_id integer, id text, kind text, mode text, event text, number text, target text, origin text, body text,
      state text, dialect text, tries integer, leased_until timestamptz, is_due boolean, to_endpoints boolean),
    lateral (
      select new.id, new.target, new.origin, new.state, new.tries, null as endpoint_id, new.dialect,
             case when is_due then now() - interval '5 seconds' else leased_until end as next_try_at
      where new.state <> 'nowhere' and (new.state = 'paused' or not exists (
        select from receivers
        where receivers.merchant_id = ${merchantId} and receivers.mode = new.mode and receivers.origin = new.origin
          and paused_at is not null))
      union all
      select new.id || '.' || endpoints.id, url, url,
             case when url = '' then 'kept' when paused_at is not null then 'paused' else 'waiting' end, 0, endpoints.id, null,
             case when url <> '' and paused_at is null then now() - interval '5 seconds' end
      from endpoints left join receivers
        on receivers.merchant_id = ${merchantId} and receivers.mode = endpoints.mode and receivers.origin = endpoints.url
      where new.to_endpoints and endpoints.merchant_id = ${merchantId} and endpoints.mode = new.mode
        and (events is null or new.event = any(events)) and (listens_until is null or listens_until > now())
    ) as receiver
    where new.merchant_id = ${merchantId}
    returning id, tries, created_at, mode, origin, state, endpoint_id`
}

type SecretsOfMode = { readonly mode: Mode; readonly secrets: string[] }

function readSecrets(merchantId: number, now: Date): Sql {
  return sql`
    select mode, array_agg(coalesce(secret, id || ' ' || encode(sealed, 'hex')) order by created_at desc) as secrets
    from webhook_secrets
    where merchant_id = ${merchantId} and (ends_at is null or ends_at > ${now.toISOString()}::timestamptz)
    group by mode`
}

/** The deliveries whose receiver is paused; it stays paused until the commit. */
async function lockPaused(
  tx: Transaction,
  merchantId: number,
  deliveries: readonly Pick<NewDelivery, 'id' | 'mode' | 'origin'>[],
): Promise<Set<string>> {
  const origins = [...new Set(deliveries.map(({ origin }) => origin))]
  const rows = await tx.query<{ mode: Mode; origin: string }>(sql`
    select mode, origin from receivers
    where merchant_id = ${merchantId} and origin = any(${origins}::text[]) and paused_at is not null
    order by mode, origin
    for share`)
  const paused = new Set(rows.map(({ mode, origin }) => `${mode} ${origin}`))
  return new Set(deliveries.filter(({ mode, origin }) => paused.has(`${mode} ${origin}`)).map(({ id }) => id))
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
  /** Null: to the callback_url of its payment. */
  readonly endpoint_id: string | null
  readonly dialect: 'family' | null
  /** As they are stored (ipn/stored-secret.ts), newest first; null before the first delivery of a merchant, and when the endpoint is gone. */
  readonly secrets: string[] | null
}

/**
 * Takes what is due in the given queues of one merchant, each up to its room, and leases it. Without the limit on the
 * queues, PostgreSQL would make a new plan each time.
 */
export async function claim(
  db: Database,
  merchantId: number,
  asked: readonly QueueRequest[],
  now: Date,
): Promise<Claim[]> {
  // No test of "state = 'waiting'": for the index only: a constraint says the same
  return db.query<Claim>(sql`
    with due as materialized (
      select found.id
      from (
        select * from unnest(
          ${asked.map((queue) => queue.mode)}::text[], ${asked.map((queue) => queue.origin)}::text[],
          ${asked.map((queue) => queue.room)}::integer[]
        ) as asked (mode, origin, room)
        limit (select ${asked.length}::integer)
      ) as asked
      cross join lateral (
        select id from deliveries
        where merchant_id = ${merchantId} and mode = asked.mode and origin = asked.origin
          and state = 'waiting' and next_try_at <= ${now.toISOString()}::timestamptz
        order by next_try_at limit asked.room
        for update skip locked
      ) as found
    ), claimed as (
      update deliveries
      set tries = tries + 1,
          next_try_at = case when kind = 'mail' then ${leaseEnd('mail', now)}::timestamptz
                             else ${leaseEnd('ipn', now)}::timestamptz end
      from due
      where deliveries.merchant_id = ${merchantId} and deliveries.id = due.id
      returning deliveries.merchant_id, deliveries.id, kind, mode, event, number, target, origin, body, tries, step,
                created_at, endpoint_id, dialect
    )
    select claimed.*, case when endpoint_id is not null then (
      select array_agg(endpoint_secrets.id || ' ' || encode(sealed, 'hex') order by endpoint_secrets.created_at desc)
      from endpoint_secrets
      where endpoint_secrets.merchant_id = ${merchantId} and endpoint_secrets.endpoint_id = claimed.endpoint_id
        and (ends_at is null or ends_at > ${now.toISOString()}::timestamptz)
    ) else (
      select array_agg(coalesce(webhook_secrets.secret, webhook_secrets.id || ' ' || encode(sealed, 'hex'))
                       order by webhook_secrets.created_at desc)
      from webhook_secrets
      where webhook_secrets.merchant_id = ${merchantId} and webhook_secrets.mode = claimed.mode
        and (ends_at is null or ends_at > ${now.toISOString()}::timestamptz)
    ) end as secrets
    from claimed`)
}

function leaseEnd(kind: DeliveryKind, now: Date): string {
  return new Date(now.getTime() + leaseMs[kind]).toISOString()
}

/** Queues of one merchant that have something due, at most `limit`, after the given one in order. */
export async function listDueQueues(
  db: Database,
  merchantId: number,
  after: Queue | undefined,
  now: Date,
  limit: number,
): Promise<Queue[]> {
  // No test of "state = 'waiting'": for the index only: a constraint says the same
  // No test of "merchant_id =": an extra queue has nothing due
  // No test of "state = 'waiting'": an extra queue has nothing due
  return db.query<Queue>(sql`
    with recursive queues as (
      (select mode, origin from deliveries
       where merchant_id = ${merchantId} and state = 'waiting'
         and (mode, origin) > (${after?.mode ?? ''}, ${after?.origin ?? ''})
       order by mode, origin limit 1)
      union all
      select next.mode, next.origin
      from queues cross join lateral (
        select mode, origin from deliveries
        where merchant_id = ${merchantId} and state = 'waiting' and (mode, origin) > (queues.mode, queues.origin)
        order by mode, origin limit 1
      ) as next
    )
    select ${merchantId}::integer as "merchantId", mode, origin from queues
    where exists (
      select from deliveries
      where deliveries.merchant_id = ${merchantId} and deliveries.mode = queues.mode
        and deliveries.origin = queues.origin and state = 'waiting'
        and next_try_at <= ${now.toISOString()}::timestamptz)
    limit ${limit}`)
}
