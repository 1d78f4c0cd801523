import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { Database } from '../src/platform/database/database.ts'
import { clusterFolder } from '../src/platform/postgres/embedded-cluster.ts'
import { readPostmaster } from '../src/platform/postgres/embedded-postmaster.ts'
import { startEmbedded } from '../src/platform/postgres/embedded.ts'
import { migrate } from '../src/platform/database/migrate.ts'
import { createKey } from '../src/core/merchants/change-keys.ts'
import { createMerchant } from '../src/core/merchants/create-merchant.ts'
import { cert } from '../test/support/certificate.ts'
import { shortenSignIn } from '../test/support/global-setup.ts'
import { waitUntil } from '../test/support/wait-until.ts'
import { startLoad, type Load } from './load-process.ts'
import { openMailSink } from './mail-sink.ts'
import { startLiveCustomers, type LiveLoad } from './live/customers.ts'
import { openLiveNetworks, openLiveWorld, type LiveWorld } from './live/world.ts'
import { familyOf } from './process-family.ts'
import { openProxy, type Proxy } from './proxy.ts'
import type { Random } from './random.ts'
import { openReceiver, type Receiver } from './receiver.ts'
import { freePort, startServer, type FloatingServer, type ServerPlace } from './server.ts'

// Everything that one fault needs: a PostgreSQL with its data on disk, the proxy before it, a server, a merchant who
// listens, and a load. All of it is thrown away afterwards.

export type Stage = {
  readonly folder: string
  /** Past the proxy, for the checker. */
  readonly databaseUrl: string
  readonly db: Database
  readonly proxy: Proxy
  readonly receiver: Receiver
  readonly merchant: Merchant
  readonly stranger: Merchant
  readonly place: ServerPlace
  readonly journals: string[]
  readonly logFile: string
  /** Where live payments are made too. */
  readonly live: LiveWorld | undefined
  /** Message ids of what the mail server took. */
  readonly mailIds: ReadonlySet<string>
  server(): FloatingServer
  /** After a kill; the port stays the same. */
  startServer(): Promise<FloatingServer>
  startLoad(clients: number, restMs?: number): Load
  /** SIGINT is the restart of an administrator: it ends, and is started again. */
  killPostgres(signal?: NodeJS.Signals): Promise<void>
  /** It stands still, and all that was sent to it is read when it goes on. */
  freezePostgres(ms: number): Promise<void>
  close(): Promise<void>
}

/** What the promises are checked with. */
export type Witness = Pick<
  Stage,
  'databaseUrl' | 'receiver' | 'merchant' | 'stranger' | 'journals' | 'logFile' | 'live' | 'server'
>

export type Merchant = { readonly id: number; readonly testKey: string; readonly liveKey: string }

export type StageOptions = {
  readonly random: Random
  readonly postgres?: Readonly<Record<string, string>>
  readonly settings?: Readonly<Record<string, string>>
  /** With networks on this machine that take live payments. */
  readonly live?: boolean
  /** With a mail server that takes everything. */
  readonly mail?: boolean
  /** Where PostgreSQL's data is to be, when not beside the journals. */
  readonly dataParent?: string
}

const liveClients = 6

const postgresSettings = { max_connections: '60', log_min_messages: 'fatal' }

// Shorter than in production, so that what waits for a limit is over sooner.
export const serverSettings = {
  REQUEST_TIMEOUT_MS: '3000',
  DATABASE_WAIT_MS: '2000',
  RATE_LIMIT_PER_SECOND: '1000000',
  RATE_LIMIT_BURST: '1000000',
  MISS_LIMIT_PER_SECOND: '1000000',
  // Everybody here comes from one address, and many are declined.
  CARD_TESTING_FREE_DECLINES: '1000000',
  CARD_TESTING_ATTACK_DECLINES: '1000000',
  // The control for losses runs on such a database, on purpose.
  ALLOW_UNSAFE_DATABASE: 'on',
  // An orderly end waits for requests: on a machine that stands still the usual 15 s are over before they are.
  SHUTDOWN_TIMEOUT_MS: '300000',
}

/** For what looks on: no statement of its own fails because the machine stands still. */
export const patientDatabase = { statementTimeoutMs: 300_000, waitMs: 300_000 }

export async function openStage(options: StageOptions): Promise<Stage> {
  const folder = mkdtempSync(join(tmpdir(), 'florin-faults-'))
  const dataDir = options.dataParent ? mkdtempSync(join(options.dataParent, 'data-')) : join(folder, 'data')
  const closing = new AsyncDisposableStack()
  closing.defer(() => {
    for (const one of [dataDir, folder]) rmSync(one, { recursive: true, force: true, maxRetries: 5 })
  })
  try {
    return await furnish(options, folder, dataDir, closing)
  } catch (error) {
    await closing.disposeAsync()
    throw error
  }
}

async function furnish(
  options: StageOptions,
  folder: string,
  dataDir: string,
  closing: AsyncDisposableStack,
): Promise<Stage> {
  const postgres = await startEmbedded({ dataDir, settings: { ...postgresSettings, ...options.postgres } })
  closing.defer(() => postgres.stop())
  await shortenSignIn(postgres.url)
  await migrate(postgres.url)
  const db = new Database(postgres.url, { poolSize: 4, name: 'faults', ...patientDatabase })
  closing.defer(() => db.close())
  const merchant = await openAccount(db, 'Corner shop')
  const stranger = await openAccount(db, 'Another shop')
  const proxy = await openProxy(postgres.url)
  closing.defer(() => proxy.close())
  const receiver = await openReceiver(join(folder, 'received.jsonl'))
  closing.defer(() => receiver.close())
  const networks = options.live ? await openLiveNetworks() : undefined
  closing.defer(async () => networks?.close())
  const mail = options.mail ? await openMailSink() : undefined
  closing.defer(async () => mail?.close())
  const place = await placeOf(options, folder, proxy.url, { ...networks?.settings, ...mail?.settings })
  let server = await startServer(place)
  closing.defer(async () => {
    server.kill('SIGKILL')
    await server.ended
  })
  const ids = { merchant: merchant.id, stranger: stranger.id }
  const live = networks && (await openLiveWorld(networks, db, server.url, ids))
  const journals: string[] = []
  return {
    folder,
    databaseUrl: postgres.url,
    db,
    proxy,
    receiver,
    merchant,
    stranger,
    place,
    journals,
    logFile: place.logFile,
    live,
    mailIds: mail?.ids ?? new Set(),
    server: () => server,
    async startServer() {
      server = await startServer(place)
      return server
    },
    startLoad(clients, restMs = 0) {
      const journal = join(folder, `load-${journals.length}.jsonl`)
      const name = `order-${journals.length}`
      journals.push(journal)
      const seed = options.random.whole(0, 2 ** 31)
      const whom = { url: server.url, key: merchant.testKey, callbackUrls: callbackUrlsOf(receiver) }
      const started = startLoad({ ...whom, journal, seed, clients, restMs, name })
      closing.defer(() => started.kill())
      const shop = { url: server.url, key: merchant.liveKey, name, restMs }
      if (!live) return started
      const customers = startLiveCustomers(live, shop, options.random.fork('live'), liveClients)
      closing.defer(() => customers.leave())
      return withCustomers(started, customers)
    },
    // After the strike before it may be on its way back, and what is not there can't be killed.
    killPostgres: async (signal = 'SIGKILL') =>
      waitUntil('PostgreSQL is there to be killed', () => endPostgres(dataDir, signal)),
    freezePostgres: async (ms) => freeze(dataDir, ms),
    close: async () => closing.disposeAsync(),
  }
}

/** A handshake costs more than a payment: one in four is enough to meet one that breaks. */
function callbackUrlsOf({ url, secureUrl }: Receiver): string[] {
  return [url, url, url, secureUrl]
}

function withCustomers(load: Load, customers: LiveLoad): Load {
  return {
    ...load,
    async stop() {
      await Promise.all([load.stop(), customers.stop()])
    },
  }
}

async function placeOf(
  options: StageOptions,
  folder: string,
  databaseUrl: string,
  networks: Readonly<Record<string, string>> = {},
): Promise<ServerPlace> {
  const trusted = join(folder, 'merchant.pem')
  writeFileSync(trusted, cert)
  return {
    port: await freePort(),
    databaseUrl,
    trusted,
    settings: { ...serverSettings, ...networks, ...options.settings },
    logFile: join(folder, 'server.log'),
  }
}

function endPostgres(dataDir: string, signal: NodeJS.Signals): boolean {
  const postmaster = readPostmaster(clusterFolder(dataDir))
  if (!postmaster?.ready) return false
  const [first = 0, ...others] = signal === 'SIGKILL' ? familyOf(postmaster.pid) : [postmaster.pid]
  const struck = end(first, signal)
  for (const pid of others) end(pid, signal)
  return struck
}

async function freeze(dataDir: string, ms: number): Promise<void> {
  let family: readonly number[] = []
  await waitUntil('PostgreSQL is there to be stopped', () => {
    const postmaster = readPostmaster(clusterFolder(dataDir))
    family = postmaster?.ready ? familyOf(postmaster.pid) : []
    return family.length > 0
  })
  for (const pid of family) end(pid, 'SIGSTOP')
  await pause(ms)
  for (const pid of family) end(pid, 'SIGCONT')
}

/** False when it has ended by itself meanwhile. */
function end(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal)
  } catch {
    return false
  }
}

export async function openAccount(db: Database, name: string): Promise<Merchant> {
  const id = await createMerchant(db, { name, liveEnabled: true })
  const test = await createKey(db, id, { kind: 'secret', mode: 'test', name: 'test' })
  const live = await createKey(db, id, { kind: 'secret', mode: 'live', name: 'live' })
  return { id, testKey: test.key, liveKey: live.key }
}

/** One statement past the proxy. Waits for a database that is on its way back. */
export async function ask<Row extends object>(
  url: string,
  text: string,
  values: unknown[] = [],
): Promise<Row[]> {
  const client = await connectSurely(url)
  try {
    const { rows } = await client.query<Row>(text, values)
    return rows
  } finally {
    await client.end()
  }
}

const databaseBackWithinMs = 300_000

async function connectSurely(url: string): Promise<pg.Client> {
  const deadline = Date.now() + databaseBackWithinMs
  for (;;) {
    const client = new pg.Client({ connectionString: url })
    client.on('error', () => {})
    try {
      await client.connect()
      return client
    } catch (error) {
      if (Date.now() > deadline) throw error
      await pause(50)
    }
  }
}
