import type { Database } from '../database/database.ts'
import { refuseTakenName } from './create-project.ts'
import { orNotFound } from './find-project.ts'
import { readName, whichProject } from './names.ts'
import { setName, type ProjectRow } from './store.ts'

export async function renameProject(
  db: Database,
  merchantId: number,
  idOrName: string,
  body: unknown,
): Promise<ProjectRow> {
  const name = readName(body)
  const which = whichProject(idOrName)
  return orNotFound(which && (await refuseTakenName(() => setName(db, merchantId, which, name))))
}
