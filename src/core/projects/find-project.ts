import type { Queryable } from '../../platform/database/database.ts'
import { Refusal } from '../../platform/errors/refusals.ts'
import { whichProject } from './names.ts'
import { findLastDeleted, findLive, listNames, type ProjectRow } from './store.ts'

export async function findProject(
  db: Queryable,
  merchantId: number,
  idOrName: string,
): Promise<ProjectRow | undefined> {
  const which = whichProject(idOrName)
  return which && findLive(db, merchantId, which)
}

/** For payments that exist: of a deleted project too. A name is its live project's, else the last one's that had it. */
export async function findProjectEver(
  db: Queryable,
  merchantId: number,
  idOrName: string,
): Promise<{ readonly id: string } | undefined> {
  const which = whichProject(idOrName)
  return which && ((await findLive(db, merchantId, which)) ?? findLastDeleted(db, merchantId, which))
}

export async function getProject(db: Queryable, merchantId: number, idOrName: string): Promise<ProjectRow> {
  return orNotFound(await findProject(db, merchantId, idOrName))
}

export function orNotFound(project: ProjectRow | undefined): ProjectRow {
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
