import { existsSync } from 'node:fs'
import type { Config } from '../../platform/settings/config.ts'
import { DataFolderRefused, lockDataFolder } from '../../platform/postgres/data-folder.ts'
import { isNode } from '../../platform/database/spread/inspect-cluster.ts'
import { Database } from '../../platform/database/database.ts'
import { notTheCoordinator } from '../../platform/database/spread/spread.ts'
import { clusterFolder } from '../../platform/postgres/embedded-cluster.ts'
import { findRunning, startEmbedded } from '../../platform/postgres/embedded.ts'
import { isMigrated, migrate, MigrationRefused, readMigrations } from '../../platform/database/migrate.ts'
import type { Secrets } from '../../platform/secrets/secrets.ts'
import { asking, databaseName } from './asked.ts'
import { directUrl } from './direct-url.ts'
import { openKeyRing } from './open-key-ring.ts'

type Options = {
  readonly mayCreate?: boolean
  /** For the embedded database: only their owner may change tables. */
  readonly asOwner?: boolean
  /** For work that reads all there is; else REQUEST_TIMEOUT_MS. */
  readonly statementTimeoutMs?: number
  /** For an embedded database that isn't running: it isn't migrated first. */
  readonly asItIs?: boolean
}

/** Runs `work` on the database of a command, which must have the schema that this program was written for. */
export async function withDatabase<T>(
  config: Config,
  work: (db: Database) => Promise<T>,
  options: Options = {},
): Promise<T> {
  const withDb = async (url: string): Promise<T> => {
    const db = new Database(url, {
      poolSize: 2,
      waitMs: config.DATABASE_WAIT_MS,
      statementTimeoutMs: options.statementTimeoutMs ?? config.REQUEST_TIMEOUT_MS,
      name: 'florin command',
    })
    try {
      await refuseOtherSchema(db)
      return await work(db)
    } finally {
      await db.close()
    }
  }
  return withDatabaseUrl(config, withDb, options)
}

/** As withDatabase, for commands that open or seal secrets. */
export async function withSecrets<T>(
  config: Config,
  work: (keeping: { readonly db: Database; readonly secrets: Secrets }) => Promise<T>,
): Promise<T> {
  return withDatabase(config, async (db) => {
    const { secrets } = await openKeyRing(config, db)
    return work({ db, secrets })
  })
}

/** DATABASE_URL, or the running embedded database of DATA_DIR, or that one started for the length of the command. */
export async function withDatabaseUrl<T>(
  config: Config,
  work: (url: string) => Promise<T>,
  options: Options = {},
): Promise<T> {
  return asking(databaseName(config), () => findDatabase(config, work, options))
}

async function findDatabase<T>(
  config: Config,
  work: (url: string) => Promise<T>,
  { mayCreate = false, asOwner = false, asItIs = false }: Options,
): Promise<T> {
  const url = directUrl(config) || (await findRunning(config.DATA_DIR, asOwner ? 'owner' : 'application'))
  if (url) return work(url)

  if (!mayCreate) refuseNoCluster(config.DATA_DIR)
  const lock = lockDataFolder(config.DATA_DIR)
  try {
    const embedded = await startEmbedded({ dataDir: config.DATA_DIR })
    try {
      if (!asItIs) await migrate(embedded.url)
      return await work(asOwner ? embedded.url : embedded.applicationUrl)
    } finally {
      await embedded.stop()
    }
  } finally {
    lock.release()
  }
}

/** A question asked in the wrong folder must not leave a whole PostgreSQL there. */
function refuseNoCluster(dataDir: string): void {
  if (existsSync(dataDir) && existsSync(clusterFolder(dataDir))) return
  throw new DataFolderRefused(`No database in ${dataDir}. Start florin serve first, or set DATA_DIR.`)
}

async function refuseOtherSchema(db: Database): Promise<void> {
  if (await isMigrated(db, readMigrations())) return
  // A node of a cluster has no list of migrations.
  if (await isNode(db)) throw notTheCoordinator()
  throw new MigrationRefused('The database schema does not match this version. Run florin migrate first.')
}

export async function refuseOtherSchemaAt(config: Config, url: string): Promise<void> {
  const db = new Database(url, {
    poolSize: 1,
    waitMs: config.DATABASE_WAIT_MS,
    statementTimeoutMs: config.REQUEST_TIMEOUT_MS,
    name: 'florin start',
  })
  try {
    await refuseOtherSchema(db)
  } finally {
    await db.close()
  }
}
