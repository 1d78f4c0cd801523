import { DatabaseUnavailable } from '../../errors/database-unavailable.ts'
import type { Database } from '../database.ts'
import { sql } from '../sql.ts'
import { findMissingFile } from './check-new-connection.ts'

// Whether PostgreSQL can still write. With a full disk every read works, so a server looks healthy to read-only checks.

/** The message is one line for the operator. */
export class WritesFail extends Error {}

// Counts more numbers than fit into the memory it gets, so that PostgreSQL writes some 200 KiB to a file of their own. That
// always takes new room on the disk, where a row may find its place in a page that is there; and it leaves nothing behind.
const littleMemory = sql`set local work_mem = '64kB'`
const spill = sql`
  select count(*) as numbers, current_setting('transaction_read_only') as read_only from generate_series(1, 10000)`

/** Throws WritesFail. An unavailable database is reported elsewhere. */
export async function checkWrites(db: Database): Promise<void> {
  const rows = await db.queryAll<{ read_only?: string }>([littleMemory, spill]).catch((error: unknown) => {
    const { message } = (error instanceof DatabaseUnavailable ? error.cause : error) as Error
    throw new WritesFail(`The database can't write: ${message}`, { cause: error })
  })
  if (rows[1]?.[0]?.read_only === 'on')
    throw new WritesFail("The database can't write: it is read-only, or a standby")
  const missing = await findMissingFile(db.url)
  if (missing !== undefined) throw new WritesFail(describeMissing(missing))
}

function describeMissing(message: string): string {
  return `PostgreSQL's program files were replaced while it ran, so new connections fail: ${message}. Restart PostgreSQL.`
}

/** The same, at most every `everyMs`, however often it is called, and one at a time. */
export function makeCheckWrites(db: Database, everyMs: number): () => Promise<void> {
  let last: Promise<void> | undefined
  let endedMs = -Infinity
  let isRunning = false
  return async () => {
    if (last === undefined || (!isRunning && performance.now() - endedMs > everyMs)) {
      isRunning = true
      last = checkWrites(db).finally(() => {
        isRunning = false
        endedMs = performance.now()
      })
    }
    return last
  }
}
