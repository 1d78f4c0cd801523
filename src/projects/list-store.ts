import type { Queryable } from '../database/database.ts'
import { sql, type Sql, planEachTime } from '../database/sql.ts'
import { asShelf, orders, type Key, type Shelf, type ShelfRow, type SortBy } from './shelf-store.ts'
import type { ProjectRow } from './store.ts'

// What a list reads: each answer with the version of the list at the same moment.

export type Counted = { readonly version: bigint; readonly shelves: readonly Shelf[] }

/** How many projects stand on each shelf; with a pattern, how many that match it. */
export async function countShelves(
  db: Queryable,
  merchantId: number,
  sortBy: SortBy,
  pattern: string | undefined,
): Promise<Counted> {
  // Joined to nothing, so that the trigram index is out of the question: read for each of 200 shelves it took 2.8 s.
  const matching = sql`(
    select count(*)::integer from projects
    where merchant_id = ${merchantId} and deleted_at is null and ${orders[sortBy].within}
      and name_folded || '' like ${pattern ?? ''})`
  const live = pattern === undefined ? sql`shelf.live` : matching
  const statement = eachShelf(merchantId, sortBy, sql`${live} as live`)
  const rows = await db.query<{ version: bigint } & ShelfRow>(planEachTime(statement))
  return { version: rows[0]?.version ?? 0n, shelves: rows.map(asShelf) }
}

/** `column` may speak of shelf.ends_on and shelf.ends_with too, where the next shelf begins. */
function eachShelf(merchantId: number, sortBy: SortBy, column: Sql): Sql {
  // The last shelf ends after every name: 1,000 of the last character, where a name has 765 at most.
  return sql`
    select list.version, shelf.starts_on::text, shelf.starts_with, ${column}
    from project_lists as list
    cross join (
      select starts_on, starts_with, live,
             lead(starts_on, 1, 'infinity') over following as ends_on,
             lead(starts_with, 1, repeat(chr(1114111), 1000)) over following as ends_with
      from project_shelves where merchant_id = ${merchantId} and sort_by = ${sortBy}
      window following as (order by starts_on, starts_with)) as shelf
    where list.merchant_id = ${merchantId}
    order by shelf.starts_on, shelf.starts_with`
}

/** Of one moment: the version, and the folded names on each shelf in no order, a line each. */
export type Names = {
  readonly version: bigint
  readonly shelves: readonly { readonly start: Key; readonly lines: string }[]
}

/** Undefined when the names are longer than `charactersMax` together: they are then not sent. */
export async function readNames(
  db: Queryable,
  merchantId: number,
  sortBy: SortBy,
  charactersMax: number,
): Promise<Names | undefined> {
  const lines = sql`(
    select coalesce(string_agg(name_folded, chr(10)), '') from projects
    where merchant_id = ${merchantId} and deleted_at is null and ${orders[sortBy].within}) as lines,
    row_number() over (order by shelf.starts_on, shelf.starts_with) as place`
  const statement = sql`
    select version, starts_on, starts_with, lines from (
      select *, sum(char_length(lines)) over () as characters
      from (${eachShelf(merchantId, sortBy, lines)}) as each_shelf) as all_shelves
    where characters <= ${charactersMax} order by place`
  const rows = await db.query<{ version: bigint; lines: string } & ShelfRow>(planEachTime(statement))
  const shelves = rows.map((row) => ({ start: asShelf(row).start, lines: row.lines }))
  return rows[0] && { version: rows[0].version, shelves }
}

export type Matches = {
  readonly version: bigint
  /** How many projects the list has, whether they match or not. */
  readonly live: number
  readonly ids: readonly string[]
}

/** The ids that match, in the order of the list; at most `limit`, which may then be any of them. */
export async function findMatches(
  db: Queryable,
  merchantId: number,
  sortBy: SortBy,
  pattern: string,
  limit: number,
): Promise<Matches> {
  const statement = sql`
    select list.version, found.id, (
      select coalesce(sum(live), 0)::integer from project_shelves
      where merchant_id = ${merchantId} and sort_by = ${sortBy}) as live
    from ${versionOf(merchantId)} left join (
      select id, created_at, name_folded from projects
      where merchant_id = ${merchantId} and deleted_at is null and name_folded like ${pattern}
      limit ${limit}) as found on true
    order by ${orders[sortBy].up}`
  const rows = await db.query<{ version: bigint; live: number; id: string | null }>(planEachTime(statement))
  const ids = rows.flatMap((row) => row.id ?? [])
  return { version: rows[0]?.version ?? 0n, live: rows[0]?.live ?? 0, ids }
}

export type Page = { readonly version: bigint; readonly projects: readonly ProjectRow[] }

export type Stretch = {
  readonly sortBy: SortBy
  readonly direction: 'up' | 'down'
  /** Up: the key to begin at. Down: the key to begin before; undefined for the end of the list. */
  readonly begin: Key | undefined
  readonly like?: string
  /** Only these folded names, a line each. */
  readonly named?: string
  readonly offset: number
  readonly limit: number
}

export async function readStretch(db: Queryable, merchantId: number, stretch: Stretch): Promise<Page> {
  const order = orders[stretch.sortBy]
  const { begin, direction, like, named } = stretch
  const beginning = begin ? (direction === 'up' ? order.from(begin) : order.before(begin)) : sql`true`
  return readRows(
    db,
    merchantId,
    sql`(
      select id, row_number() over (order by ${order[direction]}) as place from projects
      where merchant_id = ${merchantId} and deleted_at is null and ${beginning}
        and ${like === undefined ? sql`true` : sql`name_folded like ${like}`}
        and ${named === undefined ? sql`true` : sql`name_folded = any(string_to_array(${named}, chr(10)))`}
      order by ${order[direction]} offset ${stretch.offset} limit ${stretch.limit})`,
  )
}

export async function readProjects(db: Queryable, merchantId: number, ids: readonly string[]): Promise<Page> {
  return readRows(db, merchantId, sql`unnest(${ids}::text[]) with ordinality`)
}

/** `chosen` gives id and place. The version is of the same moment as the rows. */
async function readRows(db: Queryable, merchantId: number, chosen: Sql): Promise<Page> {
  const statement = sql`
    select list.version, item.* from ${versionOf(merchantId)} left join lateral (
      select project.id, name, name_folded, created_at, updated_at, place
      from ${chosen} as chosen (id, place)
      join projects as project on project.merchant_id = ${merchantId} and project.id = chosen.id
      where deleted_at is null) as item on true
    order by item.place`
  const rows = await db.query<{ version: bigint } & (ProjectRow | { id: null })>(planEachTime(statement))
  return { version: rows[0]?.version ?? 0n, projects: rows.filter((row) => row.id !== null) }
}

function versionOf(merchantId: number): Sql {
  return sql`(select coalesce(max(version), 0) as version from project_lists where merchant_id = ${merchantId}) as list`
}
