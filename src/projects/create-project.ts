import { sqlState, violates, type Database } from '../database/database.ts'
import { randomBase62 } from '../database/random-id.ts'
import { DatabaseUnavailable } from '../errors/database-unavailable.ts'
import { Refusal } from '../errors/refusals.ts'
import { readName } from './names.ts'
import { insertProject, type ProjectRow } from './store.ts'

export async function createProject(db: Database, merchantId: number, body: unknown): Promise<ProjectRow> {
  const name = readName(body)
  return refuseTakenName(() => insertProject(db, merchantId, `prj_${randomBase62(16)}`, name))
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
