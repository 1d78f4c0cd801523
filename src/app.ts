import { addCheckout } from './checkout/routes.ts'
import type { Config } from './config.ts'
import { makeTestNetwork } from './connectors/test-network/network.ts'
import { Database } from './database/database.ts'
import { listen, type Listener } from './database/listen.ts'
import { addHealth } from './health.ts'
import type { Logger } from './http/log.ts'
import { makeMetrics } from './http/metrics.ts'
import { makeRateLimit } from './http/rate-limit.ts'
import { makeServer, type Server } from './http/server.ts'
import { addDashboard } from './dashboard/routes.ts'
import { makeAuthenticator } from './merchants/authenticate.ts'
import { makeCreatePayment } from './payments/create-payment.ts'
import { expireJob } from './payments/expire-payments.ts'
import { makeFindPayment } from './payments/find-payment.ts'
import { paymentOperations } from './payments/operations.ts'
import { makePayer, type Payer } from './payments/pay.ts'
import { reconcileJob } from './payments/reconcile.ts'
import { addPayments } from './payments/routes.ts'
import { addReference } from './reference/routes.ts'
import { startWorker, type Job, type Worker } from './worker.ts'

// The table of contents: every room registered by hand, in one place.

export type App = {
  readonly server: Server
  readonly db: Database
  readonly listener: Listener
  readonly payer: Payer
  readonly jobs: readonly Job[]
  startWorker(): Worker
  close(): Promise<void>
}

const keyUseFlushMs = 30_000

export function makeApp(config: Config, databaseUrl: string, log: Logger): App {
  const db = new Database(databaseUrl, {
    poolSize: config.DATABASE_POOL_SIZE,
    waitMs: config.DATABASE_WAIT_MS,
    statementTimeoutMs: config.REQUEST_TIMEOUT_MS,
    onConnectionError: (error) => log.warn({ err: error }, 'A database connection broke'),
  })
  const listener = listen(databaseUrl)
  const metrics = makeMetrics()
  const server = makeServer({
    log,
    metrics,
    baseUrl: config.BASE_URL,
    requestTimeoutMs: config.REQUEST_TIMEOUT_MS,
    trustedProxies: config.TRUSTED_PROXIES,
  })
  const authenticator = makeAuthenticator(db, listener)
  const now = (): Date => new Date()
  const paying = { db, connectors: [makeTestNetwork(db, now)], baseUrl: config.BASE_URL, now, log }
  const payer = makePayer(paying)
  let draining = false

  const missLimit = makeRateLimit({
    perSecond: config.MISS_LIMIT_PER_SECOND,
    burst: config.MISS_LIMIT_PER_SECOND,
  })

  addHealth(server, { db, metrics, isDraining: () => draining, metricsOn: config.METRICS === 'on' })
  addPayments(server, {
    db,
    baseUrl: config.BASE_URL,
    authenticator,
    keyLimit: makeRateLimit({ perSecond: config.RATE_LIMIT_PER_SECOND, burst: config.RATE_LIMIT_BURST }),
    missLimit,
    createPayment: makeCreatePayment(db, config.BASE_URL),
    findPayment: makeFindPayment(db),
    findProjectId: async () => undefined,
  })
  addCheckout(server, { db, payer, baseUrl: config.BASE_URL, missLimit, now })
  addReference(server, paymentOperations, config.BASE_URL)
  addDashboard(server)

  const flushing = setInterval(() => void flushKeyUse(), keyUseFlushMs).unref()
  async function flushKeyUse(): Promise<void> {
    await authenticator
      .flush()
      .catch((error: unknown) => log.warn({ err: error }, 'Last use of keys was not written'))
  }

  const jobs: Job[] = [expireJob(paying), reconcileJob(paying)]
  return {
    server,
    db,
    listener,
    payer,
    jobs,
    startWorker: () => startWorker(jobs, listener, log),
    /** Running requests finish first, then the pool closes. */
    async close() {
      draining = true
      clearInterval(flushing)
      await server.close()
      await flushKeyUse()
      await listener.close()
      await db.close()
    },
  }
}
