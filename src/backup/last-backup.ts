import type { Database } from '../database/database.ts'
import { readTime, writeTime } from './last-backup-store.ts'

const name = 'last_backup'

/** A backup was completed, by us or by another program. Startup warns if there is none. */
export async function noteBackup(db: Database): Promise<void> {
  await writeTime(db, name)
}

/** Undefined when none was ever seen. */
export async function lastBackupAt(db: Database): Promise<string | undefined> {
  return readTime(db, name)
}
