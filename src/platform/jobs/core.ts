import type { Database } from '../database/database.ts'
import type { Logger } from '../http/log.ts'

/** What nearly every module needs: the database, the log and the clock. Created once per process and handed down. */
export type Core = {
  readonly db: Database
  readonly log: Logger
  readonly now: () => Date
}
