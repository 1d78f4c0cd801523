import { inTransaction, type Database } from '../database/database.ts'
import { noteChange } from './change-store.ts'
import { getProject } from './find-project.ts'
import { keyOf, takeFromShelf } from './shelf-store.ts'
import { claimList, markDeleted, type ProjectRow } from './store.ts'

/** Payments of the project stay as they are, with its name. */
export async function deleteProject(db: Database, merchantId: number, idOrName: string): Promise<ProjectRow> {
  return inTransaction(db, async (tx) => {
    const version = await claimList(tx, merchantId)
    const project = await getProject(tx, merchantId, idOrName)
    await markDeleted(tx, merchantId, project.id)
    await takeFromShelf(tx, merchantId, 'created_at', keyOf('created_at', project))
    await takeFromShelf(tx, merchantId, 'project', keyOf('project', project))
    await noteChange(tx, merchantId, version, { before: project })
    return project
  })
}
