import { inspectCluster, type ClusterFacts } from '../platform/database/spread/inspect-cluster.ts'
import type { Database, DatabaseObserver } from '../platform/database/database.ts'
import { hasMigrations, readMigrations, type Migration } from '../platform/database/migrate.ts'
import { makeCheckWrites, WritesFail } from '../platform/database/watch/check-writes.ts'
import { lastBackupAt } from '../platform/database/watch/installation-times.ts'
import { listProcesses } from '../platform/database/watch/processes.ts'
import { DatabaseUnavailable } from '../platform/errors/database-unavailable.ts'
import { Refusal } from '../platform/errors/refusals.ts'
import { success } from '../platform/http/envelope.ts'
import { sendRefusal } from '../platform/http/error-handler.ts'
import type { Logger } from '../platform/http/log.ts'
import { makeMeasured } from '../platform/http/measured.ts'
import type { Metrics } from '../platform/http/metrics.ts'
import type { Server } from '../platform/http/server.ts'
import { isLoopbackHost } from '../platform/outbound/addresses.ts'
import { programVersion } from '../platform/settings/version.ts'
import type { ReadWarnings } from './warnings.ts'

// /healthz: the process answers. /readyz: it can serve (database reachable and writing, schema there, not draining).
// /metrics.

/** Why Florin can't serve; undefined when it can. */
export type CheckReady = () => Promise<string | undefined>

/** A full disk is noticed so late at most. */
const checkWritesEveryMs = 5_000

/** The server that customers reach: it is no longer ready once it has begun to close. */
export function makeCheckReady(server: Server, db: Database, log: Logger): CheckReady {
  const migrations = readMigrations()
  const checkWrites = makeCheckWrites(db, checkWritesEveryMs)
  let draining = false
  server.addHook('preClose', (done) => {
    draining = true
    done()
  })
  const tell = makeTellOnce(log)
  return async () => {
    // A stop is logged by its caller.
    if (draining) return 'Florin is shutting down'
    const reason = await findReason(db, migrations, checkWrites)
    tell(reason)
    return reason
  }
}

async function findReason(
  db: Database,
  migrations: readonly Migration[],
  checkWrites: () => Promise<void>,
): Promise<string | undefined> {
  try {
    if (!(await hasMigrations(db, migrations)))
      return 'The database schema does not match this version; run florin migrate'
    await checkWrites()
    return undefined
  } catch (error) {
    if (error instanceof WritesFail) return error.message
    if (!(error instanceof DatabaseUnavailable)) throw error
    const cause = error.cause instanceof Error ? `: ${error.cause.message}` : ''
    return `${error.message}${cause}`
  }
}

/** Proxies ask every few seconds, of each server: the log has a line when it changes. */
function makeTellOnce(log: Logger): (reason: string | undefined) => void {
  let told: string | undefined
  return (reason) => {
    // PostgreSQL says how many bytes were missing this time.
    const kind = reason?.replaceAll(/\d+/g, 'n')
    if (kind === told) return
    told = kind
    if (reason === undefined) log.info('This process is ready again')
    else log.warn({ reason }, 'This process is not ready')
  }
}

/** A proxy needs to know whether to send customers here; only operators learn why not, and the rest. */
export function addHealth(
  server: Server,
  db: Database,
  checkReady: CheckReady,
  details: { readonly tellsWhy: boolean; readonly readWarnings: ReadWarnings },
): void {
  server.get('/healthz', () => success('Alive', { alive: true }))

  server.get('/readyz', async (_, reply) => {
    const reason = await checkReady()
    if (reason !== undefined) {
      // Not thrown, as what is thrown is logged each time.
      sendRefusal(reply, new Refusal('unavailable', details.tellsWhy ? reason : 'Not ready'))
      return reply
    }
    const warnings = details.tellsWhy ? await details.readWarnings() : []
    const cluster = details.tellsWhy ? await clusterOf(db) : {}
    const processes = details.tellsWhy ? { processes: await processesOf(db) } : {}
    const version = details.tellsWhy ? { version: programVersion() } : {}
    const more = warnings.length > 0 && { warnings }
    return success('Ready', { ready: true, ...version, ...cluster, ...processes, ...more })
  })
}

/** With a node down the other nodes' merchants continue, so Florin is ready: the details name the node. */
async function clusterOf(db: Database): Promise<{ cluster?: ClusterFacts }> {
  const cluster = await inspectCluster(db)
  return cluster ? { cluster } : {}
}

/** All processes of the installation, including this one: during an upgrade they differ. */
async function processesOf(db: Database): Promise<object[]> {
  const now = Date.now()
  return (await listProcesses(db)).map(({ role, version, since, port }) => ({
    role: role.replace(/^florin /, ''),
    version,
    seconds: since === null ? null : Math.max(0, Math.round((now - Date.parse(since)) / 1000)),
    port,
  }))
}

const waitBuckets = [0.001, 0.005, 0.025, 0.1, 0.5, 1, 2.5, 5, 10]
const batchBuckets = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512]

export function makeDatabaseMetrics(metrics: Metrics): DatabaseObserver {
  const waits = metrics.histogram(
    'florin_database_wait_seconds',
    'How long callers waited for a database connection.',
    waitBuckets,
  )
  const batches = metrics.histogram(
    'florin_batch_size',
    'How many callers of a merchant shared a batch.',
    batchBuckets,
  )
  return { waited: (seconds) => waits.observe(seconds), batch: (size) => batches.observe(size) }
}

export function countProcess(metrics: Metrics, db: Database, checkReady: CheckReady, role = 'florin'): void {
  const version = programVersion()
  const node = process.versions.node
  metrics.info('florin_build_info', 'Version and role of this process, as labels.', {
    version,
    node,
    role,
  })
  metrics.info('florin_version_info', 'Version of this process, as a label.', { version })
  metrics.gauge('florin_database_connections_busy', 'Database connections in use.', () => db.load().busy)
  metrics.gauge(
    'florin_database_callers_waiting',
    'Callers waiting for a database connection.',
    () => db.load().waiting,
  )
  const ready = makeMeasured(async () => ((await checkReady()) === undefined ? 1 : 0), 0)
  metrics.gauge('florin_ready', 'Whether this process can serve: 1, or 0 as /readyz says why.', ready)
  metrics.gauge(
    'florin_last_backup_timestamp_seconds',
    'When the last backup was completed, in Unix time; 0 if none was ever seen.',
    makeMeasured(async () => secondsOf(await lastBackupAt(db)), NaN),
  )
}

function secondsOf(at: string | undefined): number {
  return at === undefined ? 0 : Date.parse(at) / 1000
}

/**
 * On loopback only under names of this machine: a web page that a developer opens can have its own name lead to 127.0.0.1, and would
 * read them as its own.
 */
export function addMetrics(server: Server, metrics: Metrics, isOnLoopback: boolean): void {
  server.get('/metrics', async (request, reply) => {
    if (isOnLoopback && !isLoopbackHost(request.hostname.replace(/^\[|\]$/g, '')))
      throw new Refusal('not_found', 'Use the address Florin listens on')
    return reply.type(metrics.contentType).send(await metrics.print())
  })
}
