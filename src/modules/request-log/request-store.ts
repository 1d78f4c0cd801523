import type { Database, Queryable, Transaction } from '../../platform/database/database.ts'
import { planEachTime, sql } from '../../platform/database/sql.ts'
import type { Mode } from '../../core/merchants/mode.ts'
import { ownRow } from '../../core/merchants/own-row.ts'

// The table request_log.

/** none: of a key that has no mode. */
export type LoggedMode = Mode | 'none'

export type NewRequest = {
  readonly mode: LoggedMode
  readonly at: string
  readonly id: string
  readonly request_id: string
  readonly key_id: string
  readonly method: string
  readonly path: string
  readonly status: number
  readonly duration_us: number
  readonly request_body: string | null
  readonly answer_body: string | null
  /** About unknown fields, one per line. */
  readonly warnings: string | null
}

export type RequestLine = Omit<NewRequest, 'request_body' | 'answer_body' | 'warnings'>

export async function insertRequests(
  db: Queryable,
  merchantId: number,
  rows: readonly NewRequest[],
): Promise<void> {
  const all = <Name extends keyof NewRequest>(name: Name) => rows.map((row) => row[name])
  await db.query(sql`
    insert into request_log (merchant_id, mode, at, id, request_id, key_id, method, path, status, duration_us,
      request_body, answer_body, warnings)
    select merchant.merchant_id, added.*
    from ${ownRow(merchantId)}, unnest(${all('mode')}::text[], ${all('at')}::timestamptz[],
      ${all('id')}::text[], ${all('request_id')}::text[], ${all('key_id')}::text[], ${all('method')}::text[],
      ${all('path')}::text[], ${all('status')}::smallint[], ${all('duration_us')}::integer[],
      ${all('request_body')}::text[], ${all('answer_body')}::text[],
      ${all('warnings')}::text[]) as added
    on conflict do nothing`)
}

export type LineFilter = {
  readonly method: string | null
  readonly statusMin: number
  readonly statusMax: number
  readonly keyId: string | null
  /** A part of it. */
  readonly path: string | null
}

type Scope = { readonly merchantId: number; readonly mode: LoggedMode }
export type Edge = { readonly at: string; readonly name: string }

/** Newest first, of the `window` rows behind `before`: whatever is looked for, no more than these are read. */
export async function findRequests(
  db: Database,
  { merchantId, mode }: Scope,
  filter: LineFilter,
  before: Edge,
  { window, limit }: { readonly window: number; readonly limit: number },
): Promise<RequestLine[]> {
  return db.query<RequestLine>(sql`
    with looked as materialized (
      select mode, at, id, request_id, key_id, method, path, status, duration_us from request_log
      where merchant_id = ${merchantId} and mode = ${mode} and (at, id) < (${before.at}::timestamptz, ${before.name}::text)
      order by at desc, id desc limit ${window}
    )
    select mode, at, id, request_id, key_id, method, path, status, duration_us from looked
    where status between ${filter.statusMin} and ${filter.statusMax}
      and (${filter.method}::text is null or method = ${filter.method}::text)
      and (${filter.keyId}::text is null or key_id = ${filter.keyId}::text)
      and (${filter.path}::text is null or strpos(path, ${filter.path}::text) > 0)
    order by at desc, id desc limit ${limit}`)
}

/** The last row of that window; undefined when there are not so many. */
export async function findWindowEnd(
  db: Database,
  { merchantId, mode }: Scope,
  before: Edge,
  window: number,
): Promise<Edge | undefined> {
  const rows = await db.query<{ at: string; name: string }>(sql`
    select at, id as name from request_log
    where merchant_id = ${merchantId} and mode = ${mode} and (at, id) < (${before.at}::timestamptz, ${before.name}::text)
    order by at desc, id desc offset ${window - 1} limit 1`)
  return rows[0]
}

/** The newest with this id; in the mode, or of a key without one. */
export async function findRequestById(
  db: Database,
  merchantId: number,
  mode: Mode,
  requestId: string,
): Promise<NewRequest | undefined> {
  const rows = await db.query<NewRequest>(sql`
    select mode, at, id, request_id, key_id, method, path, status, duration_us, request_body, answer_body,
      warnings
    from request_log
    where merchant_id = ${merchantId} and request_id = ${requestId} and mode in (${mode}, 'none')
    order by at desc limit 1`)
  return rows[0]
}

export type WarnedLine = Pick<NewRequest, 'at' | 'id' | 'request_id' | 'method' | 'path'> & {
  readonly warnings: string
}

/** Oldest first: those with warnings after one edge and before a time. */
export async function findWarned(
  db: Database,
  { merchantId, mode }: Scope,
  after: Edge,
  until: Date,
  limit: number,
): Promise<WarnedLine[]> {
  return db.query<WarnedLine>(sql`
    select at, id, request_id, method, path, warnings from request_log
    where merchant_id = ${merchantId} and mode = ${mode} and warnings is not null
      and (at, id) > (${after.at}::timestamptz, ${after.name}::text) and at < ${until}
    order by at, id limit ${limit}`)
}

/** At most `max` at once. Returns how many. */
export async function deleteRequestsBefore(
  db: Database,
  { merchantId, mode }: Scope,
  before: Date,
  max: number,
): Promise<number> {
  const rows = await db.query(
    planEachTime(sql`
      with old as materialized (
        select at, id from request_log
        where merchant_id = ${merchantId} and mode = ${mode} and at < ${before}
        order by at, id limit ${max}
      )
      delete from request_log using old
      where request_log.merchant_id = ${merchantId} and request_log.mode = ${mode}
        and request_log.at = old.at and request_log.id = old.id
      returning request_log.id`),
  )
  return rows.length
}

export type Mentioned = {
  readonly words: readonly string[]
  /** A regular expression, whatever the case. */
  readonly pattern: string | null
}

/** Every line of any mode that contains one of the words or matches: reads every line of some days. */
export async function listMentioning(
  db: Queryable,
  merchantId: number,
  { words, pattern }: Mentioned,
): Promise<object[]> {
  const rows = await db.query<{ row: object }>(
    planEachTime(sql`
      select to_json(request_log) as row from request_log
      where merchant_id = ${merchantId} and exists (
        select from unnest(${words}::text[]) as word
        where strpos(path, word) > 0 or strpos(request_body, word) > 0 or strpos(answer_body, word) > 0
        union all select where path ~* ${pattern}::text or request_body ~* ${pattern}::text or answer_body ~* ${pattern}::text)
      order by at, id`),
  )
  return rows.map(({ row }) => row)
}

export async function deleteMentioning(
  tx: Transaction,
  merchantId: number,
  { words, pattern }: Mentioned,
): Promise<number> {
  const rows = await tx.query(
    planEachTime(sql`
      delete from request_log
      where merchant_id = ${merchantId} and exists (
        select from unnest(${words}::text[]) as word
        where strpos(path, word) > 0 or strpos(request_body, word) > 0 or strpos(answer_body, word) > 0
        union all select where path ~* ${pattern}::text or request_body ~* ${pattern}::text or answer_body ~* ${pattern}::text)
      returning id`),
  )
  return rows.length
}
