import type { Database } from '../../platform/database/database.ts'
import { lastBackupAt } from '../../platform/database/watch/installation-times.ts'

const backupMaxMs = 7 * 24 * 3_600_000

/** Whoever takes real money should be able to lose a disk. */
export async function warnOfOldBackup(
  db: Database,
  { isLive }: { readonly isLive: boolean },
): Promise<string[]> {
  if (!isLive) return []
  const at = await lastBackupAt(db)
  if (at === undefined)
    return ['No backup yet: run florin backup, or florin backup --noted after a backup with another tool.']
  const days = Math.floor((Date.now() - Date.parse(at)) / 86_400_000)
  return Date.now() - Date.parse(at) > backupMaxMs ? [`The last backup is ${days} days old.`] : []
}
