import { inTransaction, type Database } from '../database/database.ts'
import { getProject } from './find-project.ts'
import { keyOf, takeFromShelf } from './shelf-store.ts'
import { claimList, markDeleted, type ProjectRow } from './store.ts'

/** Payments of the project stay as they are, with its name. */
export async function deleteProject(db: Database, merchantId: number, idOrName: string): Promise<ProjectRow> {
  return inTransaction(db, async (tx) => {
    await claimList(tx, merchantId)
    const project = await getProject(tx, merchantId, idOrName)
    await markDeleted(tx, merchantId, project.id)
    await takeFromShelf(tx, merchantId, 'created_at', keyOf('created_at', project))
    await takeFromShelf(tx, merchantId, 'project', keyOf('project', project))
    return project
  })
}
