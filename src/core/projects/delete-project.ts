import { inTransaction, type Database } from '../../platform/database/database.ts'
import { bySystem, recordAct, type Actor } from '../audit/audit.ts'
import { orNotFound } from './find-project.ts'
import { whichProject } from './names.ts'
import { markDeleted, type ProjectRow } from './store.ts'

/** Payments of the project stay as they are, with its name. */
export async function deleteProject(
  db: Database,
  merchantId: number,
  idOrName: string,
  by: Actor = bySystem,
): Promise<ProjectRow> {
  const which = whichProject(idOrName)
  return inTransaction(db, async (tx) => {
    const deleted = orNotFound(which && (await markDeleted(tx, merchantId, which)))
    const { id, name } = deleted
    await recordAct(tx, merchantId, by, { action: 'project.deleted', subject: id, before: { name } })
    return deleted
  })
}
