import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Database } from '../src/platform/database/database.ts'
import { startEmbedded } from '../src/platform/postgres/embedded.ts'
import { migrate } from '../src/platform/database/migrate.ts'
import { createKey } from '../src/core/merchants/change-keys.ts'
import { createMerchant } from '../src/core/merchants/create-merchant.ts'
import { freePort } from '../test/support/free-port.ts'
import { startServerProcess, type ServerProcess } from '../test/support/server-process.ts'

// Fresh servers on a fresh database, durable as in production, with limits that are counted but not reached.

/** As many as the machine of the goals has cores. What they are held against gets as many. */
export const processes = 2

export type Merchant = { readonly id: number; readonly secretKey: string }

/** What a load needs to know of a Florin. */
export type Target = {
  /** All servers listen on it. */
  readonly port: number
  readonly merchants: readonly Merchant[]
}

export type Site = Target & {
  readonly databaseUrl: string
  readonly db: Database
  readonly servers: readonly ServerProcess[]
  [Symbol.asyncDispose](): Promise<void>
}

export const unlimited = {
  RATE_LIMIT_PER_SECOND: '1000000',
  RATE_LIMIT_BURST: '1000000',
  MISS_LIMIT_PER_SECOND: '1000000',
  // A machine that stands still for ten seconds must not end a measure with a 503.
  REQUEST_TIMEOUT_MS: '120000',
  HEADER_TIMEOUT_MS: '120000',
  DATABASE_WAIT_MS: '60000',
}

// Room for pgbench beside the server, and for loading a table of millions.
const settingsOfPostgres = { max_connections: '400', max_wal_size: '8GB', maintenance_work_mem: '512MB' }

export async function openSite(
  merchantCount = 1,
  settings: Readonly<Record<string, string>> = {},
): Promise<Site> {
  await using opened = new AsyncDisposableStack()
  const { folder, postgres } = await startPostgres(opened)
  await migrate(postgres.url)
  const db = new Database(postgres.socketUrl, { poolSize: 8, statementTimeoutMs: 3_600_000 })
  opened.defer(() => db.close())
  const merchants: Merchant[] = []
  for (let count = 1; count <= merchantCount; count += 1) {
    const id = await createMerchant(db, { name: `Bench ${count}`, liveEnabled: true })
    const { key } = await createKey(db, id, { kind: 'secret', mode: 'test', name: 'bench' })
    merchants.push({ id, secretKey: key })
  }
  const databaseUrl = postgres.socketUrl
  const { port, servers } = await startServers(opened, databaseUrl, folder, undefined, settings)
  const closing = opened.move()
  return {
    port,
    merchants,
    databaseUrl,
    db,
    servers,
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  }
}

export async function startPostgres(
  opened: AsyncDisposableStack,
): Promise<{ folder: string; postgres: Awaited<ReturnType<typeof startEmbedded>> }> {
  const folder = mkdtempSync(join(tmpdir(), 'florin-bench-'))
  opened.defer(() => rmSync(folder, { recursive: true, force: true }))
  const postgres = await startEmbedded({ dataDir: folder, settings: settingsOfPostgres })
  opened.defer(() => postgres.stop())
  return { folder, postgres }
}

/** Their logs go to the folder. */
export async function startServers(
  opened: AsyncDisposableStack,
  databaseUrl: string,
  folder: string,
  program?: string,
  more: Readonly<Record<string, string>> = {},
): Promise<{ port: number; servers: readonly ServerProcess[] }> {
  const port = await freePort()
  const settings = { ...unlimited, PORT: String(port), SHARE_PORT: 'on', LOG_LEVEL: 'info', ...more }
  const servers: ServerProcess[] = []
  opened.defer(async () => void (await Promise.all(servers.map((each) => each.stop()))))
  for (let count = 0; count < processes; count += 1) {
    const logFile = join(folder, `server-${count}.log`)
    servers.push(await startServerProcess(databaseUrl, settings, ['serve'], logFile, program))
  }
  return { port, servers }
}

/** The merchants take turns, so that each gets as much of the load. */
export function merchantAt({ merchants }: Target, index: number): Merchant {
  const merchant = merchants[index % merchants.length]
  if (!merchant) throw new Error('There is no merchant')
  return merchant
}
