import { inTransaction, violates, type Database } from '../database/database.ts'
import { randomBase62 } from '../database/random-id.ts'
import { Fields } from '../input/fields.ts'
import { Refusal } from '../errors/refusals.ts'
import { noteChange } from './change-store.ts'
import { foldName, readName } from './names.ts'
import { addToShelf, keyOf } from './shelf-store.ts'
import { claimList, insertProject, type ProjectRow } from './store.ts'

export async function createProject(db: Database, merchantId: number, body: unknown): Promise<ProjectRow> {
  const fields = new Fields(body)
  const name = readName(fields) ?? ''
  fields.check()
  const fresh = { id: `prj_${randomBase62(16)}`, name, folded: foldName(name) }
  return refuseTakenName(() =>
    inTransaction(db, async (tx) => {
      const version = await claimList(tx, merchantId)
      const project = await insertProject(tx, merchantId, fresh)
      await addToShelf(tx, merchantId, 'created_at', keyOf('created_at', project))
      await addToShelf(tx, merchantId, 'project', keyOf('project', project))
      await noteChange(tx, merchantId, version, { after: project })
      return project
    }),
  )
}

export async function refuseTakenName<T>(change: () => Promise<T>): Promise<T> {
  try {
    return await change()
  } catch (error) {
    throw violates(error, 'projects_name_once') ? new Refusal('name_taken') : error
  }
}
