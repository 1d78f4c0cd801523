import { isOwnMachine, isPooled, type Config } from '../platform/settings/config.ts'
import { Database } from '../platform/database/database.ts'
import { listen } from '../platform/database/listen.ts'
import { countServers } from '../platform/database/watch/count-servers.ts'
import { watchHearing } from '../platform/database/watch/hearing.ts'
import { processName, type ProcessRole } from '../platform/database/watch/processes.ts'
import { DatabaseUnavailable } from '../platform/errors/database-unavailable.ts'
import { addHealth, addMetrics, countProcess, makeCheckReady, makeDatabaseMetrics } from './health.ts'
import { isLoopbackHost } from '../platform/outbound/addresses.ts'
import type { Logger } from '../platform/http/log.ts'
import { makeMetrics } from '../platform/http/metrics.ts'
import { makeServer } from '../platform/http/server.ts'
import type { Module, Watch } from '../modules/module.ts'
import type { OnAnswer } from '../platform/http/note-answer.ts'
import type { Traces } from './traces.ts'
import { programVersion } from '../platform/settings/version.ts'
import { deafWarning, makeReadWarnings } from './warnings.ts'

// The plumbing of a process: its database, its listener, its servers and what operators read of them.

export type Infrastructure = ReturnType<typeof makeInfrastructure>

export function makeInfrastructure(
  config: Config,
  databaseUrl: string,
  log: Logger,
  modules: readonly Module[],
  role?: ProcessRole,
  traces?: Traces,
) {
  let closing = false
  const metrics = makeMetrics()
  const db = new Database(databaseUrl, {
    poolSize: config.DATABASE_POOL_SIZE,
    waitMs: config.DATABASE_WAIT_MS,
    statementTimeoutMs: config.REQUEST_TIMEOUT_MS,
    // At the end PostgreSQL may be gone before it has read the last goodbye: nothing that anybody has to know.
    onConnectionError: (error) =>
      closing ||
      log.warn({ err: new DatabaseUnavailable(false, { cause: error }) }, 'A database connection broke'),
    observe: { ...makeDatabaseMetrics(metrics), ...(traces && { statement: traces.statement }) },
    pooled: isPooled(config),
  })
  const watch = joinWatches(modules.flatMap((module) => module.watch?.(config, { db, metrics, log }) ?? []))
  const server = makeServer({ ...serverOptions(config), log, metrics, onAnswer: watch.note })
  traces?.addTo(server)
  // With separate metrics that aren't read: operators' requests are no traffic.
  const operatorServer =
    config.METRICS_PORT === 0
      ? undefined
      : makeServer({ ...serverOptions(config), log, metrics: makeMetrics() })
  const beginClosing = (): void => {
    closing = true
  }
  const name = nameOf(role)
  const listener = listen(isPooled(config) ? config.DATABASE_LISTEN_URL : databaseUrl, name?.())
  const hearing = watchHearing(db, listener, {
    onChange: (isHeard) =>
      isHeard ? log.info('Database notifications arrive again') : log.warn(deafWarning),
  })
  const servers = countServers(db)
  const readWarnings = makeReadWarnings(
    config,
    db,
    hearing,
    modules.flatMap(({ warner }) => warner ?? []),
  )
  const stopWatching = (): void => {
    hearing.close()
    servers.close()
  }
  return {
    db,
    log,
    metrics,
    server,
    operatorServer,
    watch,
    listener,
    hearing,
    servers,
    readWarnings,
    role,
    /** For listing processes. */
    tellPort: async (port: number) => name && listener.rename(name(port)),
    beginClosing,
    stopWatching,
  }
}

/** Nothing to note where no module watches: an answer then costs nothing more. */
function joinWatches(watches: readonly Watch[]): Omit<Watch, 'note'> & Partial<Watch> {
  const [first, ...others] = watches
  const noteAll: OnAnswer = (...answer) => {
    for (const { note } of watches) note(...answer)
  }
  return {
    ...(first && { note: others.length === 0 ? first.note : noteAll }),
    flush: async () => void (await Promise.all(watches.map(async (watch) => watch.flush()))),
    close: async () => void (await Promise.all(watches.map(async (watch) => watch.close()))),
  }
}

function nameOf(role: ProcessRole | undefined): ((port?: number) => string) | undefined {
  if (role === undefined) return undefined
  const startedAt = new Date(Date.now() - process.uptime() * 1000)
  return (port) => processName({ role, version: programVersion(), startedAt, port })
}

/** Programs with a key, networks, and people who sign in. All others may be customers. */
const ofKnownPeople = /^\/(?:api|callbacks|dashboard)(?:\/|$)/

function serverOptions(config: Config) {
  return {
    baseUrl: config.BASE_URL,
    version: programVersion(),
    requestTimeoutMs: config.REQUEST_TIMEOUT_MS,
    headerTimeoutMs: config.HEADER_TIMEOUT_MS,
    idleTimeoutMs: config.IDLE_TIMEOUT_MS,
    connections: { all: config.MAX_CONNECTIONS, perAddress: config.MAX_CONNECTIONS_PER_ADDRESS },
    trustedProxies: config.TRUSTED_PROXIES,
    shortensAddress: (route: string) => config.LOG_ADDRESSES === 'short' && !ofKnownPeople.test(route),
  }
}

/** The operators' routes: on their own port, or beside the rest on a machine no one else can reach. */
export function addOperators(
  config: Config,
  { server, operatorServer, db, metrics, readWarnings, role, log }: Infrastructure,
): void {
  const checkReady = makeCheckReady(server, db, log)
  const isBeside = operatorServer === undefined && isOwnMachine(config)
  addHealth(server, db, checkReady, { tellsWhy: isBeside, readWarnings })
  if (operatorServer) addHealth(operatorServer, db, checkReady, { tellsWhy: true, readWarnings })
  if (config.METRICS !== 'on') return
  countProcess(metrics, db, checkReady, role)
  const shown = operatorServer ?? (isBeside ? server : undefined)
  if (shown) addMetrics(shown, metrics, isBeside || isLoopbackHost(config.METRICS_HOST))
}
