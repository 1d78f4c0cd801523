import { addForm } from './checkout/form-routes.ts'
import { addCheckout } from './checkout/routes.ts'
import type { Config } from './config.ts'
import type { Connector } from './connectors/hosted.ts'
import { makeTestBank } from './connectors/test-bank/bank.ts'
import { addTestBank } from './connectors/test-bank/routes.ts'
import { makeTestNetwork } from './connectors/test-network/network.ts'
import { Database } from './database/database.ts'
import type { ProcessRole } from './database/inspect.ts'
import type { Job } from './database/job.ts'
import { listen, type Listener } from './database/listen.ts'
import { addHealth } from './health.ts'
import type { Logger } from './http/log.ts'
import { makeMetrics } from './http/metrics.ts'
import { makeRateLimit } from './http/rate-limit.ts'
import { makeServer, type Server } from './http/server.ts'
import { addDashboard } from './dashboard/routes.ts'
import { noAccounts, type Accounts } from './merchants/accounts/accounts.ts'
import { makeAuthenticator, makeFindMerchant } from './merchants/authenticate.ts'
import type { Deliverer } from './notifications/deliver/deliver.ts'
import { notificationOperations } from './notifications/operations.ts'
import { addNotifications } from './notifications/routes.ts'
import { makeNotifications, type NotificationsOptions } from './notifications/notifications.ts'
import type { Mailbox } from './notifications/mail/read-mailbox.ts'
import { makeReadCheckout } from './payments/checkout-view.ts'
import { makeCreatePayment } from './payments/create-payment.ts'
import { expireJob } from './payments/attempts/expire-payments.ts'
import { makeFindPayment } from './payments/find-payment.ts'
import { makePaymentFromPath } from './payments/api/payment-from-path.ts'
import { sampleTransaction } from './payments/sample-transaction.ts'
import { paymentOperations } from './payments/api/operations.ts'
import { paymentWebhooks } from './payments/api/webhooks.ts'
import { makePaying, type Paying } from './payments/attempts/paying.ts'
import { makePayer, type Payer } from './payments/attempts/pay.ts'
import { reconcileJob } from './payments/attempts/reconcile.ts'
import { makeAttemptMetrics } from './payments/attempts/tell-trouble.ts'
import { addPayments } from './payments/api/routes.ts'
import { projectOperations } from './projects/operations.ts'
import { addProjects } from './projects/routes.ts'
import { addReference } from './reference/routes.ts'
import { startWorker, type Worker } from './worker.ts'

// The table of contents: every room registered by hand, in one place.

export type App = {
  readonly server: Server
  readonly db: Database
  readonly listener: Listener
  readonly paying: Paying
  readonly payer: Payer
  readonly jobs: readonly Job[]
  readonly deliverer: Deliverer
  readonly mailbox: Mailbox
  startWorker(): Worker
  close(): Promise<void>
}

const keyUseFlushMs = 30_000

/** What a test may put in the place of the world: time, chance and the way out. */
export type AppOptions = Pick<NotificationsOptions, 'now' | 'random' | 'outbound'> & {
  /** What this process does, for `florin status` of others. */
  readonly role?: ProcessRole
  /** Networks besides those of every installation, and whom they pay. */
  readonly connectors?: readonly Connector[]
  readonly accounts?: Accounts
}

export function makeApp(config: Config, databaseUrl: string, log: Logger, options: AppOptions = {}): App {
  const infrastructure = makeInfrastructure(config, databaseUrl, log, options.role)
  const { server, db, listener } = infrastructure
  const services = makeServices(config, infrastructure, log, options)
  addRooms(config, infrastructure, services)

  const { authenticator, notifications } = services
  async function flushKeyUse(): Promise<void> {
    await authenticator
      .flush()
      .catch((error: unknown) => log.warn({ err: error }, 'Last use of keys was not written'))
  }
  const flushing = setInterval(() => void flushKeyUse(), keyUseFlushMs).unref()

  const jobs: Job[] = [expireJob(services.paying), reconcileJob(services.paying), ...notifications.jobs]
  return {
    server,
    db,
    listener,
    paying: services.paying,
    payer: services.payer,
    jobs,
    deliverer: notifications.deliverer,
    mailbox: notifications.mailbox,
    startWorker: () => together([startWorker(jobs, listener, log), notifications.deliverer.start()]),
    /** Running requests finish first, then the pool closes. */
    async close() {
      clearInterval(flushing)
      infrastructure.beginClosing()
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

type Infrastructure = ReturnType<typeof makeInfrastructure>

function makeInfrastructure(config: Config, databaseUrl: string, log: Logger, role?: ProcessRole) {
  let closing = false
  const db = new Database(databaseUrl, {
    poolSize: config.DATABASE_POOL_SIZE,
    waitMs: config.DATABASE_WAIT_MS,
    statementTimeoutMs: config.REQUEST_TIMEOUT_MS,
    // At the end PostgreSQL may be gone before it has read the last goodbye: nothing that anybody has to know.
    onConnectionError: (error) => closing || log.warn({ err: error }, 'A database connection broke'),
  })
  const metrics = makeMetrics()
  const server = makeServer({
    log,
    metrics,
    baseUrl: config.BASE_URL,
    requestTimeoutMs: config.REQUEST_TIMEOUT_MS,
    trustedProxies: config.TRUSTED_PROXIES,
  })
  const beginClosing = (): void => {
    closing = true
  }
  return { db, metrics, server, listener: listen(databaseUrl, role), beginClosing }
}

type Services = ReturnType<typeof makeServices>

/** What several rooms use together. */
function makeServices(
  config: Config,
  { db, listener, metrics }: Infrastructure,
  log: Logger,
  options: AppOptions,
) {
  const baseUrl = config.BASE_URL
  const now = options.now ?? ((): Date => new Date())
  const milliseconds = options.now ? (): number => now().getTime() : Date.now
  const findMerchant = makeFindMerchant(db, listener)
  const notifications = makeNotifications({
    db,
    listener,
    log,
    metrics,
    baseUrl,
    smtpUrl: config.SMTP_URL,
    mailFrom: config.MAIL_FROM,
    findMerchant,
    ...options,
  })
  const paying = makePaying({
    db,
    outbox: notifications.outbox,
    connectors: [makeTestNetwork(db, now), makeTestBank(db, baseUrl, now), ...(options.connectors ?? [])],
    accounts: options.accounts ?? noAccounts,
    merchantName: async (merchantId) => (await findMerchant(merchantId))?.name ?? '',
    metrics: makeAttemptMetrics(metrics),
    baseUrl,
    now,
    log,
  })
  const findPayment = makeFindPayment(db)
  const missLimit = makeRateLimit(
    { perSecond: config.MISS_LIMIT_PER_SECOND, burst: config.MISS_LIMIT_PER_SECOND },
    milliseconds,
  )
  return {
    db,
    baseUrl,
    now,
    paying,
    authenticator: makeAuthenticator(db, listener),
    keyLimit: makeRateLimit(
      { perSecond: config.RATE_LIMIT_PER_SECOND, burst: config.RATE_LIMIT_BURST },
      milliseconds,
    ),
    missLimit,
    createPayment: makeCreatePayment(db, baseUrl),
    findPayment,
    paymentFromPath: makePaymentFromPath(findPayment, missLimit),
    sampleTransaction,
    payer: makePayer(paying),
    readCheckout: makeReadCheckout(db, findMerchant),
    notifications,
    outbox: notifications.outbox,
  }
}

function addRooms(config: Config, { server, db, metrics }: Infrastructure, services: Services): void {
  addHealth(server, { db, metrics, metricsOn: config.METRICS === 'on' })
  addPayments(server, services)
  addNotifications(server, services)
  addForm(server, services)
  addCheckout(server, services)
  addTestBank(server, services)
  addProjects(server, {
    db,
    seoUrl: config.SEO_URL,
    seoHostOnly: config.PROJECTS_ON_SEO_HOST_ONLY === 'on',
    authenticator: services.authenticator,
    keyLimit: services.keyLimit,
  })
  const operations = [...paymentOperations, ...notificationOperations, ...projectOperations(config.SEO_URL)]
  addReference(server, { operations, webhooks: paymentWebhooks, baseUrl: config.BASE_URL })
  addDashboard(server)
}
