import type { Config } from './config.ts'
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
import { makeFindPayment } from './payments/find-payment.ts'
import { addPayments } from './payments/routes.ts'
import { findContact } from './merchants/contact.ts'
import type { Deliverer } from './notifications/deliver.ts'
import { makeNotifications, type NotificationsOptions } from './notifications/notifications.ts'
import { addNotifications } from './payments/notification-routes.ts'
import { startWorker, type Job, type Worker } from './worker.ts'

// The table of contents: every room registered by hand, in one place.

export type App = {
  readonly server: Server
  readonly db: Database
  readonly listener: Listener
  readonly jobs: readonly Job[]
  readonly deliverer: Deliverer
  startWorker(): Worker
  close(): Promise<void>
}

const keyUseFlushMs = 30_000

/** What a test may put in the place of the world: time, chance and the way out. */
export type AppOptions = Pick<NotificationsOptions, 'now' | 'random' | 'outbound'>

export function makeApp(config: Config, databaseUrl: string, log: Logger, options: AppOptions = {}): App {
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
  const keyLimit = makeRateLimit({ perSecond: config.RATE_LIMIT_PER_SECOND, burst: config.RATE_LIMIT_BURST })
  const findPayment = makeFindPayment(db)
  const notifications = makeNotifications({
    db,
    listener,
    log,
    metrics,
    baseUrl: config.BASE_URL,
    smtpUrl: config.SMTP_URL,
    mailFrom: config.MAIL_FROM,
    findMerchant: (merchantId) => findContact(db, merchantId),
    ...options,
  })
  let draining = false

  addHealth(server, { db, metrics, isDraining: () => draining, metricsOn: config.METRICS === 'on' })
  addPayments(server, {
    db,
    baseUrl: config.BASE_URL,
    authenticator,
    keyLimit,
    missLimit: makeRateLimit({
      perSecond: config.MISS_LIMIT_PER_SECOND,
      burst: config.MISS_LIMIT_PER_SECOND,
    }),
    createPayment: makeCreatePayment(db, config.BASE_URL),
    findPayment,
    findProjectId: async () => undefined,
  })
  addNotifications(server, { notifications, baseUrl: config.BASE_URL, authenticator, keyLimit, findPayment })
  addDashboard(server)

  const flushing = setInterval(() => void flushKeyUse(), keyUseFlushMs).unref()
  async function flushKeyUse(): Promise<void> {
    await authenticator
      .flush()
      .catch((error: unknown) => log.warn({ err: error }, 'Last use of keys was not written'))
  }

  const jobs: Job[] = []
  return {
    server,
    db,
    listener,
    jobs,
    deliverer: notifications.deliverer,
    startWorker: () => together([startWorker(jobs, listener, log), notifications.deliverer.start()]),
    /** Running requests finish first, then the pool closes. */
    async close() {
      draining = true
      clearInterval(flushing)
      await server.close()
      await flushKeyUse()
      await notifications.close()
      await listener.close()
      await db.close()
    },
  }
}

function together(workers: readonly Worker[]): Worker {
  return {
    async stop() {
      await Promise.all(workers.map((worker) => worker.stop()))
    },
  }
}
