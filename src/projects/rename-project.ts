import { inTransaction, type Database } from '../database/database.ts'
import { Fields } from '../input/fields.ts'
import { noteChange } from './change-store.ts'
import { refuseTakenName } from './create-project.ts'
import { getProject } from './find-project.ts'
import { foldName, readName } from './names.ts'
import { addToShelf, keyOf, takeFromShelf } from './shelf-store.ts'
import { claimList, setName, type ProjectRow } from './store.ts'

export async function renameProject(
  db: Database,
  merchantId: number,
  idOrName: string,
  body: unknown,
): Promise<ProjectRow> {
  const fields = new Fields(body)
  const name = readName(fields) ?? ''
  fields.check()
  return refuseTakenName(() =>
    inTransaction(db, async (tx) => {
      const version = await claimList(tx, merchantId)
      const before = await getProject(tx, merchantId, idOrName)
      const after = await setName(tx, merchantId, { id: before.id, name, folded: foldName(name) })
      if (after.name_folded !== before.name_folded) {
        // Added after the row has moved: a full shelf is split by what stands on it now.
        await takeFromShelf(tx, merchantId, 'project', keyOf('project', before))
        await addToShelf(tx, merchantId, 'project', keyOf('project', after))
      }
      await noteChange(tx, merchantId, version, { before, after })
      return after
    }),
  )
}
