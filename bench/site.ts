import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Database } from '../src/database/database.ts'
import { startEmbedded } from '../src/database/embedded.ts'
import { migrate } from '../src/database/migrate.ts'
import { createKey } from '../src/merchants/change-keys.ts'
import { createMerchant } from '../src/merchants/create-merchant.ts'
import { freePort } from '../test/support/free-port.ts'
import { startServerProcess, type ServerProcess } from '../test/support/server-process.ts'

// Fresh servers on a fresh database, durable as in production, with limits that are counted but not reached.

/** As many as the machine of the goals has cores. What they are held against gets as many. */
export const processes = 2

export type Site = {
  readonly databaseUrl: string
  readonly db: Database
  /** The first of them; all of them listen on the same port. */
  readonly server: ServerProcess
  readonly servers: readonly ServerProcess[]
  readonly port: number
  readonly merchantId: number
  readonly secretKey: string
  readonly apiKey: string
  [Symbol.asyncDispose](): Promise<void>
}

const unlimited = {
  RATE_LIMIT_PER_SECOND: '1000000',
  RATE_LIMIT_BURST: '1000000',
  MISS_LIMIT_PER_SECOND: '1000000',
}

// Room for pgbench beside the server, and for loading a table of millions.
const settingsOfPostgres = { max_connections: '300', max_wal_size: '8GB', maintenance_work_mem: '512MB' }

export async function openSite(
  settings: Record<string, string> = {},
  postgresSettings: Record<string, string> = {},
): Promise<Site> {
  const dataDir = mkdtempSync(join(tmpdir(), 'florin-bench-'))
  const postgres = await startEmbedded({ dataDir, settings: { ...settingsOfPostgres, ...postgresSettings } })
  await migrate(postgres.url)
  const db = new Database(postgres.socketUrl, { poolSize: 8, statementTimeoutMs: 3_600_000 })
  const merchantId = await createMerchant(db, { name: 'Bench' })
  const secret = await createKey(db, merchantId, { kind: 'secret', mode: 'test', name: 'bench' })
  const api = await createKey(db, merchantId, { kind: 'api', name: 'bench' })
  const port = await freePort()
  const servers: ServerProcess[] = []
  for (let count = 0; count < processes; count += 1) {
    const shared = { PORT: String(port), SHARE_PORT: 'on', LOG_LEVEL: 'info' }
    const logFile = join(dataDir, `server-${count}.log`)
    const all = { ...unlimited, ...shared, ...settings }
    servers.push(await startServerProcess(postgres.socketUrl, all, ['serve'], logFile))
  }
  const [server] = servers
  if (!server) throw new Error('There is no server')
  return {
    databaseUrl: postgres.socketUrl,
    db,
    server,
    servers,
    port,
    merchantId,
    secretKey: secret.key,
    apiKey: api.key,
    async [Symbol.asyncDispose]() {
      await Promise.all(servers.map((each) => each.stop()))
      await db.close()
      await postgres.stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
