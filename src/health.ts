import { inspectCluster, type ClusterFacts } from './database/cluster/inspect-cluster.ts'
import type { Database } from './database/database.ts'
import { hasMigrations, readMigrations } from './database/migrate.ts'
import { Refusal } from './errors/refusals.ts'
import { success } from './http/envelope.ts'
import type { Metrics } from './http/metrics.ts'
import type { Server } from './http/server.ts'
import { programVersion } from './version.ts'

// /healthz: the process answers. /readyz: it can serve (database reachable, schema there, not draining). /metrics.

/** Throws the reason when Florin can't serve. */
export type CheckReady = () => Promise<void>

/** Of the server that customers reach: it is no longer ready once it has begun to close. */
export function makeCheckReady(server: Server, db: Database): CheckReady {
  const migrations = readMigrations()
  let draining = false
  server.addHook('preClose', (done) => {
    draining = true
    done()
  })
  return async () => {
    if (draining) throw new Refusal('unavailable', 'Florin is shutting down')
    if (!(await hasMigrations(db, migrations))) {
      throw new Refusal('unavailable', 'The database schema does not fit this program; run florin migrate')
    }
  }
}

/** A proxy has to know whether to send customers here; why not is told to operators, and to nobody else. */
export function addHealth(
  server: Server,
  db: Database,
  checkReady: CheckReady,
  options: { tellsWhy: boolean },
): void {
  server.get('/healthz', () => success('Alive', { alive: true }))

  server.get('/readyz', async () => {
    await checkReady().catch((error: unknown) => {
      throw options.tellsWhy ? error : new Refusal('unavailable', 'Not ready')
    })
    return success('Ready', { ready: true, ...(options.tellsWhy && (await clusterOf(db))) })
  })
}

/** With a node away the merchants of the others go on, so Florin is ready: which node it is stands here. */
async function clusterOf(db: Database): Promise<{ cluster?: ClusterFacts }> {
  const cluster = await inspectCluster(db)
  return cluster ? { cluster } : {}
}

export function countProcess(metrics: Metrics, db: Database): void {
  const version = metrics.counter('florin_version_info', 'Which Florin this is, in its label.', ['version'])
  version.inc({ version: programVersion() }, 0)
  metrics.gauge('florin_database_connections_busy', 'Connections in use.', () => db.load().busy)
  metrics.gauge(
    'florin_database_callers_waiting',
    'Callers waiting for a connection.',
    () => db.load().waiting,
  )
}

export function addMetrics(server: Server, metrics: Metrics): void {
  server.get('/metrics', async (_, reply) => reply.type(metrics.contentType).send(await metrics.print()))
}
