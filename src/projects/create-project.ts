import { inTransaction, sqlState, violates, type Database } from '../database/database.ts'
import { randomBase62 } from '../database/random-id.ts'
import { DatabaseUnavailable } from '../errors/database-unavailable.ts'
import { Refusal } from '../errors/refusals.ts'
import { recordAct, type Actor } from '../merchants/audit/audit.ts'
import { readName } from './names.ts'
import { insertProject, type ProjectRow } from './store.ts'

/** What a person does is written down. Programs make projects by the thousand: theirs are in the request log alone. */
export async function createProject(
  db: Database,
  merchantId: number,
  body: unknown,
  person?: Actor,
): Promise<ProjectRow> {
  const name = readName(body)
  const id = `prj_${randomBase62(16)}`
  if (!person) return refuseTakenName(() => insertProject(db, merchantId, id, name))
  return refuseTakenName(() =>
    inTransaction(db, async (tx) => {
      const made = await insertProject(tx, merchantId, id, name)
      const after = { name: made.name }
      await recordAct(tx, merchantId, person, { action: 'project.created', subject: id, after })
      return made
    }),
  )
}

/**
 * Two projects that take each other's name at the same moment wait for one another, until PostgreSQL ends one of the two
 * as a deadlock. The name it asked for was taken then.
 */
export async function refuseTakenName<T>(change: () => Promise<T>): Promise<T> {
  try {
    return await change()
  } catch (error) {
    const deadlocked = error instanceof DatabaseUnavailable && sqlState(error.cause) === '40P01'
    throw deadlocked || violates(error, 'projects_name_once') ? new Refusal('name_taken') : error
  }
}
