import type { Queryable, Transaction } from '../database/database.ts'
import { sql } from '../database/sql.ts'

// The rows of projects, one or a few at a time. The list as a whole is list-store.ts.

export type ProjectRow = {
  readonly id: string
  readonly name: string
  readonly name_folded: string
  readonly created_at: string
  readonly updated_at: string
}

/** First statement of every change: counts the list's version up, and so lets one change in at a time. */
export async function claimList(tx: Transaction, merchantId: number): Promise<bigint> {
  const rows = await tx.query<{ version: bigint }>(sql`
    insert into project_lists as list (merchant_id, version) values (${merchantId}, 1)
    on conflict (merchant_id) do update set version = list.version + 1
    returning version`)
  return rows[0]?.version ?? 0n
}

export async function insertProject(
  tx: Transaction,
  merchantId: number,
  project: { id: string; name: string; folded: string },
): Promise<ProjectRow> {
  const rows = await tx.query<ProjectRow>(sql`
    insert into projects (merchant_id, id, name, name_folded)
    values (${merchantId}, ${project.id}, ${project.name}, ${project.folded})
    returning id, name, name_folded, created_at, updated_at`)
  return rows[0] as ProjectRow
}

export async function findById(
  db: Queryable,
  merchantId: number,
  id: string,
): Promise<ProjectRow | undefined> {
  const rows = await db.query<ProjectRow>(sql`
    select id, name, name_folded, created_at, updated_at from projects
    where merchant_id = ${merchantId} and id = ${id} and deleted_at is null`)
  return rows[0]
}

export async function findByFoldedName(
  db: Queryable,
  merchantId: number,
  folded: string,
): Promise<ProjectRow | undefined> {
  const rows = await db.query<ProjectRow>(sql`
    select id, name, name_folded, created_at, updated_at from projects
    where merchant_id = ${merchantId} and name_folded = ${folded} and deleted_at is null`)
  return rows[0]
}

export async function findLastDeleted(
  db: Queryable,
  merchantId: number,
  folded: string,
): Promise<{ id: string } | undefined> {
  const rows = await db.query<{ id: string }>(sql`
    select id from projects
    where merchant_id = ${merchantId} and name_folded = ${folded} and deleted_at is not null
    order by deleted_at desc, id desc limit 1`)
  return rows[0]
}

export async function setName(
  tx: Transaction,
  merchantId: number,
  project: { id: string; name: string; folded: string },
): Promise<ProjectRow> {
  const rows = await tx.query<ProjectRow>(sql`
    update projects set name = ${project.name}, name_folded = ${project.folded}, updated_at = now()
    where merchant_id = ${merchantId} and id = ${project.id} and deleted_at is null
    returning id, name, name_folded, created_at, updated_at`)
  return rows[0] as ProjectRow
}

export async function markDeleted(tx: Transaction, merchantId: number, id: string): Promise<void> {
  await tx.query(sql`
    update projects set deleted_at = now(), updated_at = now()
    where merchant_id = ${merchantId} and id = ${id} and deleted_at is null`)
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
