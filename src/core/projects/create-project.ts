import {
  inTransaction,
  makeOnce,
  sqlState,
  violates,
  type Database,
  type Transaction,
} from '../../platform/database/database.ts'
import { MadeBefore } from '../../platform/errors/made-before.ts'
import { randomBase62 } from '../../platform/database/random-id.ts'
import { DatabaseUnavailable } from '../../platform/errors/database-unavailable.ts'
import { Refusal } from '../../platform/errors/refusals.ts'
import { recordAct, type Actor } from '../audit/audit.ts'
import { readName } from './names.ts'
import { findLive, insertProject, type ProjectRow } from './store.ts'

/** Programs make projects by the thousand: theirs are in the request log alone. */
export async function createProject(db: Database, merchantId: number, body: unknown): Promise<ProjectRow> {
  const name = readName(body)
  return refuseTakenName(() => insertProject(db, merchantId, `prj_${randomBase62(16)}`, name))
}

/** A person's action is audited, and may be sent twice: the id is drawn before. */
export async function createProjectByHand(
  db: Database,
  merchantId: number,
  { id, body }: { readonly id: string; readonly body: unknown },
  person: Actor,
): Promise<ProjectRow> {
  const name = readName(body)
  const insert = async (tx: Transaction): Promise<ProjectRow> => {
    const made = await insertProject(tx, merchantId, id, name)
    const after = { name: made.name }
    await recordAct(tx, merchantId, person, { action: 'project.created', subject: id, after })
    return made
  }
  return makeOnce('projects_pkey', () => refuseTakenName(() => inTransaction(db, insert))).catch(
    async (error: unknown) => {
      // Whether the name or the id is found to be taken first is up to the database.
      throw (await findLive(db, merchantId, { id })) ? new MadeBefore() : error
    },
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
