import { isOwnMachine, type Config } from './config.ts'
import { Database } from './database/database.ts'
import type { ProcessRole } from './database/inspect.ts'
import { listen } from './database/listen.ts'
import { addHealth, addMetrics, countProcess, makeCheckReady } from './health.ts'
import type { Logger } from './http/log.ts'
import { makeMetrics } from './http/metrics.ts'
import { makeServer } from './http/server.ts'
import { makeRequestLog, noRequestLog } from './merchants/requests/request-log.ts'

// The plumbing of a process: its database, its listener, its servers and what operators read of them.

export type Infrastructure = ReturnType<typeof makeInfrastructure>

export function makeInfrastructure(config: Config, databaseUrl: string, log: Logger, role?: ProcessRole) {
  let closing = false
  const db = new Database(databaseUrl, {
    poolSize: config.DATABASE_POOL_SIZE,
    waitMs: config.DATABASE_WAIT_MS,
    statementTimeoutMs: config.REQUEST_TIMEOUT_MS,
    // At the end PostgreSQL may be gone before it has read the last goodbye: nothing that anybody has to know.
    onConnectionError: (error) => closing || log.warn({ err: error }, 'A database connection broke'),
  })
  const metrics = makeMetrics()
  const requestLog =
    config.REQUEST_LOG_DAYS > 0
      ? makeRequestLog({ db, metrics, log, perSecond: config.REQUEST_LOG_PER_SECOND })
      : noRequestLog
  const server = makeServer({ ...serverOptions(config), log, metrics, onAnswer: requestLog.note })
  // With metrics of its own, which nobody reads: what operators ask for is no traffic.
  const operatorServer =
    config.METRICS_PORT === 0
      ? undefined
      : makeServer({ ...serverOptions(config), log, metrics: makeMetrics() })
  const beginClosing = (): void => {
    closing = true
  }
  return {
    db,
    metrics,
    server,
    operatorServer,
    requestLog,
    listener: listen(databaseUrl, role),
    beginClosing,
  }
}

function serverOptions(config: Config) {
  return {
    baseUrl: config.BASE_URL,
    requestTimeoutMs: config.REQUEST_TIMEOUT_MS,
    headerTimeoutMs: config.HEADER_TIMEOUT_MS,
    idleTimeoutMs: config.IDLE_TIMEOUT_MS,
    connections: { all: config.MAX_CONNECTIONS, perAddress: config.MAX_CONNECTIONS_PER_ADDRESS },
    trustedProxies: config.TRUSTED_PROXIES,
  }
}

/** What operators ask for: on a port of its own, or beside the rest on a machine that nobody else reaches. */
export function addOperators(config: Config, { server, operatorServer, db, metrics }: Infrastructure): void {
  const checkReady = makeCheckReady(server, db)
  const isBeside = operatorServer === undefined && isOwnMachine(config)
  addHealth(server, db, checkReady, { tellsWhy: isBeside })
  if (operatorServer) addHealth(operatorServer, db, checkReady, { tellsWhy: true })
  if (config.METRICS !== 'on') return
  countProcess(metrics, db)
  const shown = operatorServer ?? (isBeside ? server : undefined)
  if (shown) addMetrics(shown, metrics)
}
