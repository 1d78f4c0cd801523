import type { Queryable } from '../../platform/database/database.ts'
import { sql, type Sql } from '../../platform/database/sql.ts'
import type { Name, Which } from './names.ts'

// The rows of projects, one or a few at a time; list-store.ts reads pages of them. Each change is one statement, and
// changes the count last: whoever waits for the count holds nothing that its holder waits for.

export type ProjectRow = {
  readonly id: string
  readonly name: string
  readonly created_at: string
  readonly updated_at: string
}

export async function insertProject(
  db: Queryable,
  merchantId: number,
  id: string,
  { name, folded }: Name,
): Promise<ProjectRow> {
  const rows = await db.query<ProjectRow>(sql`
    with counted as (
      insert into project_counts as counts (merchant_id, live) values (${merchantId}, 1)
      on conflict (merchant_id) do update set live = counts.live + 1)
    insert into projects (merchant_id, id, name, name_folded) values (${merchantId}, ${id}, ${name}, ${folded})
    returning id, name, created_at, updated_at`)
  return rows[0] as ProjectRow
}

export async function findLive(
  db: Queryable,
  merchantId: number,
  which: Which,
): Promise<ProjectRow | undefined> {
  const rows = await db.query<ProjectRow>(sql`
    select id, name, created_at, updated_at from projects
    where merchant_id = ${merchantId} and ${is(which)} and deleted_at is null`)
  return rows[0]
}

export async function setName(
  db: Queryable,
  merchantId: number,
  which: Which,
  { name, folded }: Name,
): Promise<ProjectRow | undefined> {
  const rows = await db.query<ProjectRow>(sql`
    update projects set name = ${name}, name_folded = ${folded}, updated_at = now()
    where merchant_id = ${merchantId} and ${is(which)} and deleted_at is null
    returning id, name, created_at, updated_at`)
  return rows[0]
}

export async function markDeleted(
  db: Queryable,
  merchantId: number,
  which: Which,
): Promise<ProjectRow | undefined> {
  const rows = await db.query<ProjectRow>(sql`
    with deleted as (
      update projects set deleted_at = now(), updated_at = now()
      where merchant_id = ${merchantId} and ${is(which)} and deleted_at is null
      returning id, name, created_at, updated_at),
    counted as (
      update project_counts set live = live - 1 from deleted where merchant_id = ${merchantId})
    select id, name, created_at, updated_at from deleted`)
  return rows[0]
}

function is(which: Which): Sql {
  return 'id' in which ? sql`id = ${which.id}` : sql`name_folded = ${which.folded}`
}

export async function findLastDeleted(
  db: Queryable,
  merchantId: number,
  which: Which,
): Promise<{ id: string } | undefined> {
  const rows = await db.query<{ id: string }>(sql`
    select id from projects where merchant_id = ${merchantId} and ${is(which)} and deleted_at is not null
    order by deleted_at desc, id desc limit 1`)
  return rows[0]
}

/** Deleted ones included: a payment keeps the name of its project. */
export async function listNames(
  db: Queryable,
  merchantId: number,
  ids: readonly string[],
): Promise<{ id: string; name: string }[]> {
  return db.query<{ id: string; name: string }>(sql`
    select id, name from projects where merchant_id = ${merchantId} and id = any(${ids}::text[])`)
}
