import type { Queryable } from '../database/database.ts'
import { Refusal } from '../errors/refusals.ts'
import { foldName, isProjectId } from './names.ts'
import { findByFoldedName, findById, findLastDeleted, listNames, type ProjectRow } from './store.ts'

/** A project by its id or, without regard to case, its name. No name looks like an id, so there is never a doubt. */
export async function findProject(
  db: Queryable,
  merchantId: number,
  idOrName: string,
): Promise<ProjectRow | undefined> {
  if (isProjectId(idOrName)) return findById(db, merchantId, idOrName)
  // PostgreSQL has no text with a zero character in it, and so no such name.
  if (idOrName.includes('\0')) return undefined
  return findByFoldedName(db, merchantId, foldName(idOrName))
}

/** For payments that exist: of a deleted project too. A name is its live project's, else the last one's that had it. */
export async function findProjectEver(
  db: Queryable,
  merchantId: number,
  idOrName: string,
): Promise<{ readonly id: string } | undefined> {
  const live = await findProject(db, merchantId, idOrName)
  if (live || idOrName.includes('\0')) return live
  return isProjectId(idOrName)
    ? (await listNames(db, merchantId, [idOrName]))[0]
    : findLastDeleted(db, merchantId, foldName(idOrName))
}

export async function getProject(db: Queryable, merchantId: number, idOrName: string): Promise<ProjectRow> {
  const project = await findProject(db, merchantId, idOrName)
  if (!project) throw new Refusal('not_found', 'Project not found')
  return project
}

/** For lists of payments: id → name, of deleted projects too. */
export async function projectNames(
  db: Queryable,
  merchantId: number,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await listNames(db, merchantId, ids)
  return new Map(rows.map((row) => [row.id, row.name]))
}
