import { randomInt } from 'node:crypto'
import { existsSync } from 'node:fs'
import { createServer } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { clusterFolder, connectionUrl, openCluster, passwordOf, roleNames } from './embedded-cluster.ts'
import { socketFolder, socketUrl } from './embedded-cluster.ts'
import type { Cluster, DatabaseRole } from './embedded-cluster.ts'
import { clearCluster, findPostmaster } from './embedded-postmaster.ts'
import { launch, StartFailed } from './embedded-process.ts'
import type { RunningPostgres } from './embedded-process.ts'
import { EmbeddedRefused } from './embedded-refused.ts'

// The PostgreSQL that comes with npm, for a start with no set-up. It lives and dies with this process.

export type EmbeddedOptions = {
  /** The caller holds its lock (data-folder.ts). */
  readonly dataDir: string
  readonly onProgress?: (line: string) => void
  /** PostgreSQL died under us: once with its end, once when it is back on the same port. */
  readonly onCrash?: (line: string) => void
  readonly settings?: Record<string, string>
}

export type EmbeddedPostgres = {
  /** As the owner, who migrates. */
  readonly url: string
  /** Over a Unix socket where there can be one, else the same. */
  readonly socketUrl: string
  /** The same way, as the role that Florin runs as. */
  readonly applicationUrl: string
  stop(): Promise<void>
}

const defaults: Record<string, string> = {
  listen_addresses: '127.0.0.1',
  max_connections: '100',
  shared_buffers: '128MB',
  fsync: 'on',
  synchronous_commit: 'on',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_checkpoints: 'off',
  // A new database has no statistics, and paying costs PostgreSQL a third more until the first analyze, which comes after
  // a minute by default. Every 5 s was too often: while tables are young they were analyzed and vacuumed each time,
  // which took a tenth of the machine.
  autovacuum_naptime: '15s',
  // Details of an error quote the row: names and addresses of payers have no place in a log.
  log_error_verbosity: 'terse',
}

const FIRST_START_LIMIT_MS = 30_000
const RETRY_MIN_MS = 50
const RETRY_MAX_MS = 1000
// Below the ports that systems hand to outgoing connections (32768 on Linux, 49152 on macOS): in that range a client
// that keeps trying while PostgreSQL is down can meet itself, and then holds the port.
const PORTS = { from: 20_000, to: 32_000 } as const

export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const { dataDir, onProgress = () => {}, onCrash = () => {} } = options
  const chosen = { ...defaults, ...options.settings }
  const cluster = await openCluster(dataDir, {
    durable: chosen['fsync'] !== 'off',
    onCreate: () => onProgress('Creating the database, once …'),
  })
  const settings = { ...chosen, unix_socket_directories: socketFolder(cluster.folder) ?? '' }
  await clearCluster(cluster.folder, () => onProgress('Waiting for the previous PostgreSQL to stop …'))
  const { port, postgres } = await launchFirst(cluster, settings)
  const url = connectionUrl(dataDir, port)
  const again = async (): Promise<RunningPostgres> => {
    await clearCluster(cluster.folder, () => {})
    return launch(cluster, { ...settings, port: String(port) })
  }
  const supervised = keepRunning(postgres, again, onCrash)
  try {
    await ensureDatabase(connectionUrl(dataDir, port, { database: 'postgres' }))
    await ensureApplicationRole(url, passwordOf(dataDir, 'application'))
  } catch (error) {
    await supervised.stop()
    throw error
  }
  return {
    url,
    socketUrl: socketUrl(dataDir, port, 'owner'),
    applicationUrl: socketUrl(dataDir, port, 'application'),
    stop: () => supervised.stop(),
  }
}

/** The address of the embedded database that a running server has on this folder. */
export async function findRunning(
  dataDir: string,
  role: DatabaseRole = 'application',
): Promise<string | undefined> {
  if (!existsSync(dataDir)) return undefined
  const postmaster = findPostmaster(clusterFolder(dataDir))
  return postmaster?.ready ? connectionUrl(dataDir, postmaster.port, { role }) : undefined
}

async function launchFirst(
  cluster: Cluster,
  settings: Record<string, string>,
): Promise<{ port: number; postgres: RunningPostgres }> {
  const deadline = Date.now() + FIRST_START_LIMIT_MS
  for (;;) {
    const port = await freePort()
    try {
      return { port, postgres: await launch(cluster, { ...settings, port: String(port) }) }
    } catch (error) {
      if (!(error instanceof StartFailed)) throw error
      if (!isPassing(error.message) || Date.now() > deadline) {
        throw new EmbeddedRefused(`PostgreSQL did not start: ${error.message}. Its log is ${cluster.log}`, {
          cause: error,
        })
      }
    }
    await pause(RETRY_MIN_MS)
  }
}

// Reasons that pass by themselves: the processes of a killed PostgreSQL take a moment to end, and another program can
// take the port after we found it free.
function isPassing(words: string): boolean {
  return /shared memory block|lock file .* already exists|Address already in use|could not bind/.test(words)
}

function keepRunning(
  first: RunningPostgres,
  again: () => Promise<RunningPostgres>,
  onCrash: (line: string) => void,
): { stop(): Promise<void> } {
  let current = first
  const stopping = new AbortController()
  const { signal } = stopping

  const relaunch = async (): Promise<void> => {
    const since = Date.now()
    let told = ''
    for (let waitMs = RETRY_MIN_MS; !signal.aborted; waitMs = Math.min(waitMs * 2, RETRY_MAX_MS)) {
      try {
        current = await again()
        onCrash(`PostgreSQL is running again after ${Date.now() - since} ms`)
        return
      } catch (error) {
        const words = (error as Error).message
        if (!isPassing(words) && words !== told) onCrash(`PostgreSQL does not start: ${words}`)
        told = words
      }
      await pause(waitMs, undefined, { ref: false, signal }).catch(() => {})
    }
  }

  const watch = async (): Promise<void> => {
    while (!signal.aborted) {
      await current.ended
      if (signal.aborted) return
      onCrash('PostgreSQL stopped unexpectedly; restarting it')
      await relaunch()
    }
  }
  const watching = watch()

  return {
    stop: async () => {
      stopping.abort()
      await current.stop()
      await watching
      // One that was being started when we were asked to stop.
      await current.stop()
    },
  }
}

async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(PORTS.from, PORTS.to)
    if (await isFree(port)) return port
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', () => resolve(false))
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)))
  })
}

async function ensureDatabase(adminUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl })
  await client.connect()
  try {
    const found = await client.query("select from pg_database where datname = 'florin'")
    if (found.rowCount === 0) await client.query('create database florin')
  } finally {
    await client.end()
  }
}

const app = roleNames.application

/**
 * At every start, so that a data folder from before there was this role gets it too: rights on what is there, and by
 * default on what a migration makes.
 */
export async function ensureApplicationRole(ownerUrl: string, password: string): Promise<void> {
  const client = new pg.Client({ connectionString: ownerUrl })
  await client.connect()
  try {
    const found = await client.query('select from pg_roles where rolname = $1', [app])
    if (found.rowCount === 0) await client.query(`create role ${app}`)
    await client.query(
      `alter role ${app} login nosuperuser nocreatedb nocreaterole noreplication nobypassrls password '${password}'`,
    )
    await client.query(`
      alter default privileges grant usage on schemas to ${app};
      alter default privileges grant select, insert, update, delete on tables to ${app};
      alter default privileges grant usage, select on sequences to ${app}`)
    const schemas = await client.query<{ name: string }>(`
      select quote_ident(nspname) as name from pg_namespace
      where nspname <> 'information_schema' and nspname not like 'pg\\_%'`)
    for (const { name } of schemas.rows) {
      await client.query(`
        grant usage on schema ${name} to ${app};
        grant select, insert, update, delete on all tables in schema ${name} to ${app};
        grant usage, select on all sequences in schema ${name} to ${app}`)
    }
    // Its trigger refuses changes as well; a role that may not even ask needs no trigger.
    const audit = await client.query("select to_regclass('audit_log') is not null as there")
    if (audit.rows[0].there) await client.query(`revoke update, delete, truncate on audit_log from ${app}`)
  } finally {
    await client.end()
  }
}
