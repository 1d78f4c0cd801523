import { inTransaction, type Database } from '../../platform/database/database.ts'
import { recordAct, type Actor } from '../audit/audit.ts'
import { refuseTakenName } from './create-project.ts'
import { orNotFound } from './find-project.ts'
import { readName, whichProject } from './names.ts'
import { findLive, setName, type ProjectRow } from './store.ts'

export async function renameProject(
  db: Database,
  merchantId: number,
  idOrName: string,
  body: unknown,
  person?: Actor,
): Promise<ProjectRow> {
  const name = readName(body)
  const which = whichProject(idOrName)
  if (!which || !person)
    return orNotFound(which && (await refuseTakenName(() => setName(db, merchantId, which, name))))
  return refuseTakenName(() =>
    inTransaction(db, async (tx) => {
      const old = orNotFound(await findLive(tx, merchantId, which))
      const renamed = orNotFound(await setName(tx, merchantId, which, name))
      await recordAct(tx, merchantId, person, {
        action: 'project.renamed',
        subject: renamed.id,
        before: { name: old.name },
        after: { name: renamed.name },
      })
      return renamed
    }),
  )
}
