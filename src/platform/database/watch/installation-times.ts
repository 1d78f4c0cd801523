import type { Database } from '../database.ts'
import { isFirst, readTime, writeTime } from './installation-times-store.ts'

const lastBackup = 'last_backup'
const toldOfNoAccount = 'told_of_no_account'

/** A backup was completed, by us or by another program. Startup warns if there is none. */
export async function noteBackup(db: Database): Promise<void> {
  await writeTime(db, lastBackup)
}

/** Undefined when none was ever seen. */
export async function lastBackupAt(db: Database): Promise<string | undefined> {
  return readTime(db, lastBackup)
}

/** True for one start of one process: every process would repeat each time that no one has an account yet. */
export async function mayTellOfNoAccount(db: Database): Promise<boolean> {
  return isFirst(db, toldOfNoAccount)
}
