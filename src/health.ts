import type { Database } from './database/database.ts'
import { hasMigrations, readMigrations } from './database/migrate.ts'
import { Refusal } from './errors/refusals.ts'
import { success } from './http/envelope.ts'
import type { Metrics } from './http/metrics.ts'

import type { Server } from './http/server.ts'
import { programVersion } from './version.ts'

// /healthz: the process answers. /readyz: it can serve (database reachable, schema there, not draining).

export function addHealth(
  server: Server,
  deps: { db: Database; metrics: Metrics; metricsOn: boolean },
): void {
  const migrations = readMigrations()
  let draining = false
  server.addHook('preClose', (done) => {
    draining = true
    done()
  })

  server.get('/healthz', () => success('Alive', { alive: true }))

  server.get('/readyz', async () => {
    if (draining) throw new Refusal('unavailable', 'Florin is shutting down')
    if (!(await hasMigrations(deps.db, migrations))) {
      throw new Refusal('unavailable', 'The database schema does not fit this program; run florin migrate')
    }
    return success('Ready', { ready: true })
  })

  if (!deps.metricsOn) return
  const version = deps.metrics.counter('florin_version_info', 'Which Florin this is, in its label.', [
    'version',
  ])
  version.inc({ version: programVersion() }, 0)
  deps.metrics.gauge('florin_database_connections_busy', 'Connections in use.', () => deps.db.load().busy)
  deps.metrics.gauge(
    'florin_database_callers_waiting',
    'Callers waiting for a connection.',
    () => deps.db.load().waiting,
  )
  server.get('/metrics', async (_, reply) =>
    reply.type(deps.metrics.contentType).send(await deps.metrics.print()),
  )
}
