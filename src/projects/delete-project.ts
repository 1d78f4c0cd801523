import type { Database } from '../database/database.ts'
import { orNotFound } from './find-project.ts'
import { whichProject } from './names.ts'
import { markDeleted, type ProjectRow } from './store.ts'

/** Payments of the project stay as they are, with its name. */
export async function deleteProject(db: Database, merchantId: number, idOrName: string): Promise<ProjectRow> {
  const which = whichProject(idOrName)
  return orNotFound(which && (await markDeleted(db, merchantId, which)))
}
