import type { Config } from '../config.ts'
import { lockDataFolder } from '../database/data-folder.ts'
import { Database } from '../database/database.ts'
import { findRunning, startEmbedded } from '../database/embedded.ts'
import { migrate } from '../database/migrate.ts'

// The database of a command: DATABASE_URL, or the running embedded one of DATA_DIR, or that one started for the
// length of the command.
export async function withDatabase<T>(
  config: Config,
  work: (db: Database, url: string) => Promise<T>,
): Promise<T> {
  const url = config.DATABASE_URL || (await findRunning(config.DATA_DIR))
  if (url) return use(url, work)

  const lock = lockDataFolder(config.DATA_DIR)
  try {
    const embedded = await startEmbedded({ dataDir: config.DATA_DIR })
    try {
      await migrate(embedded.url)
      return await use(embedded.url, work)
    } finally {
      await embedded.stop()
    }
  } finally {
    lock.release()
  }
}

async function use<T>(url: string, work: (db: Database, url: string) => Promise<T>): Promise<T> {
  const db = new Database(url, { poolSize: 2, name: 'florin command' })
  try {
    return await work(db, url)
  } finally {
    await db.close()
  }
}
