import type { Database, Queryable, Transaction } from '../../../platform/database/database.ts'
import { sql, type Sql } from '../../../platform/database/sql.ts'
import type { Mode } from '../../merchants/mode.ts'
import { ownRow } from '../../merchants/own-row.ts'

// The table endpoints. Whether one works is in receivers, under its URL.

export type Scope = { readonly merchantId: number; readonly mode: Mode }
export type NamedEndpoint = Scope & { readonly id: string }

export type EndpointRow = {
  readonly id: string
  readonly mode: Mode
  /** Empty: a running `florin listen`. */
  readonly url: string
  readonly description: string
  /** Null: all. */
  readonly events: readonly string[] | null
  readonly created_at: string
  readonly failing_since: string | null
  readonly paused_at: string | null
}

export type NewEndpoint = NamedEndpoint &
  Pick<EndpointRow, 'url' | 'description' | 'events'> & {
    /** Only for `florin listen`. */
    readonly listensUntil: Date | null
  }

export type Slots = { readonly first: number; readonly last: number }

/** In the first free slot; false when there is none, or when id or URL are taken. */
export async function insertEndpoint(tx: Transaction, endpoint: NewEndpoint, slots: Slots): Promise<boolean> {
  const { merchantId, mode, id, url, description, events, listensUntil } = endpoint
  const rows = await tx.query(sql`
    insert into endpoints (merchant_id, id, mode, slot, url, description, events, listens_until)
    select merchant.merchant_id, ${id}, ${mode}, free.slot, ${url}, ${description}, ${events}::text[],
           ${listensUntil?.toISOString() ?? null}::timestamptz
    from ${ownRow(merchantId)}, generate_series(${slots.first}::integer, ${slots.last}::integer) as free (slot)
    where not exists (
      select from endpoints as taken
      where taken.merchant_id = ${merchantId} and taken.mode = ${mode} and taken.slot = free.slot)
    order by free.slot limit 1
    on conflict do nothing
    returning id`)
  return rows.length === 1
}

function endpointsOf({ merchantId, mode }: Scope): Sql {
  return sql`
    select id, endpoints.mode, url, description, events, created_at, failing_since, paused_at
    from endpoints left join receivers
      on receivers.merchant_id = ${merchantId} and receivers.mode = endpoints.mode and receivers.origin = endpoints.url
    where endpoints.merchant_id = ${merchantId} and endpoints.mode = ${mode}
      and (listens_until is null or listens_until > now())`
}

/** Newest first. */
export async function listEndpointRows(
  db: Queryable,
  of: Scope & { readonly after?: { at: string; id: string } | undefined; readonly limit: number },
): Promise<EndpointRow[]> {
  const after = of.after
    ? sql`and (created_at, id) < (${of.after.at}::timestamptz, ${of.after.id})`
    : sql`and true`
  return db.query<EndpointRow>(
    sql`${endpointsOf(of)} ${after} order by created_at desc, id desc limit ${of.limit}`,
  )
}

export async function findEndpointRow(db: Queryable, of: NamedEndpoint): Promise<EndpointRow | undefined> {
  const rows = await db.query<EndpointRow>(sql`${endpointsOf(of)} and id = ${of.id}`)
  return rows[0]
}

/** Nobody else changes or deletes it until the commit. */
export async function lockEndpoint(tx: Transaction, of: NamedEndpoint): Promise<void> {
  await tx.query(sql`
    select id from endpoints where merchant_id = ${of.merchantId} and mode = ${of.mode} and id = ${of.id} for update`)
}

export async function updateEndpoint(
  tx: Transaction,
  of: NamedEndpoint,
  { url, description, events }: Pick<EndpointRow, 'url' | 'description' | 'events'>,
): Promise<void> {
  await tx.query(sql`
    update endpoints set url = ${url}, description = ${description}, events = ${events}::text[]
    where merchant_id = ${of.merchantId} and mode = ${of.mode} and id = ${of.id}`)
}

export async function deleteEndpointRow(tx: Transaction, of: NamedEndpoint): Promise<void> {
  await tx.query(sql`
    delete from endpoint_secrets where merchant_id = ${of.merchantId} and endpoint_id = ${of.id}`)
  await tx.query(sql`
    delete from endpoints where merchant_id = ${of.merchantId} and mode = ${of.mode} and id = ${of.id}`)
}

/** An endpoint's waiting deliveries go to its new URL. */
export async function redirectDeliveries(
  tx: Transaction,
  of: NamedEndpoint,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<void> {
  await tx.query(sql`
    update deliveries set target = ${to}, origin = ${to}
    where merchant_id = ${of.merchantId} and mode = ${of.mode} and origin = ${from} and endpoint_id = ${of.id}
      and (state = 'waiting' or state = 'paused')`)
}

/** Whatever became of them: a customer's address is erased from all that were sent there. */
export async function renameTarget(
  tx: Transaction,
  of: NamedEndpoint,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<void> {
  await tx.query(sql`
    update deliveries set target = ${to}, origin = ${to}
    where merchant_id = ${of.merchantId} and mode = ${of.mode} and origin = ${from} and endpoint_id = ${of.id}`)
}

/** A deleted endpoint's waiting deliveries are never sent. */
export async function skipDeliveries(
  tx: Transaction,
  of: NamedEndpoint,
  from: string,
  now: Date,
): Promise<void> {
  await tx.query(sql`
    update deliveries set state = 'skipped', next_try_at = null, finished_at = ${now.toISOString()}
    where merchant_id = ${of.merchantId} and mode = ${of.mode} and origin = ${from} and endpoint_id = ${of.id}
      and (state = 'waiting' or state = 'paused')`)
}

/** False when it is gone. */
export async function renewListener(db: Database, of: NamedEndpoint, until: Date): Promise<boolean> {
  const rows = await db.query(sql`
    update endpoints set listens_until = ${until.toISOString()}
    where merchant_id = ${of.merchantId} and mode = ${of.mode} and id = ${of.id} and url = ''
    returning id`)
  return rows.length === 1
}

/** Listeners that stopped polling: a killed process leaves its row behind. */
export async function deleteDeafListeners(tx: Transaction, { merchantId, mode }: Scope): Promise<void> {
  await tx.query(sql`
    delete from endpoints where merchant_id = ${merchantId} and mode = ${mode} and url = '' and listens_until <= now()`)
}
