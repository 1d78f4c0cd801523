import { askAboutOrders } from './callbacks/ask-about-orders.ts'
import { addCallbacks } from './callbacks/routes.ts'
import { callbackJobs } from './callbacks/work-on-events.ts'
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
import { makeMetrics, type Metrics } from './http/metrics.ts'
import { makeRateLimit, type RateLimit } from './http/rate-limit.ts'
import { makeServer, type Server } from './http/server.ts'
import { addDashboard } from './dashboard/routes.ts'
import type { Accounts } from './merchants/accounts/accounts.ts'
import { makeStoredAccounts } from './merchants/accounts/stored-accounts.ts'
import { makeAuthenticator, makeFindMerchant } from './merchants/authenticate.ts'
import { makeWrongKeys } from './merchants/wrong-keys.ts'
import { followKey } from './merchants/sealed/check-key.ts'
import type { KeyRing } from './merchants/sealed/key-ring.ts'
import type { Secrets } from './merchants/sealed/secrets.ts'
import type { Deliverer } from './notifications/deliver/deliver.ts'
import { notificationOperations } from './notifications/operations.ts'
import { addNotifications } from './notifications/routes.ts'
import { makeNotifications, type NotificationsOptions } from './notifications/notifications.ts'
import type { Mailbox } from './notifications/mail/read-mailbox.ts'
import { makeNetworks } from './networks.ts'
import { makeOutbound } from './outbound/outbound.ts'
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
  readonly secrets: Secrets
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

/** `keyRing`: the keys that the secrets of this database are sealed under, checked with it. */
export function makeApp(
  config: Config,
  databaseUrl: string,
  keyRing: KeyRing,
  log: Logger,
  options: AppOptions = {},
): App {
  const infrastructure = makeInfrastructure(config, databaseUrl, log, options.role)
  const { server, db, listener } = infrastructure
  const { secrets } = keyRing
  followKey(db, listener, secrets, log, () => keyRing.reread())
  const services = makeServices(config, infrastructure, secrets, log, options)
  addRooms(config, infrastructure, services)

  const { authenticator, notifications } = services
  async function flushKeyUse(): Promise<void> {
    await authenticator
      .flush()
      .catch((error: unknown) => log.warn({ err: error }, 'Last use of keys was not written'))
  }
  const flushing = setInterval(() => void flushKeyUse(), keyUseFlushMs).unref()

  const jobs: Job[] = [
    expireJob(services.paying),
    reconcileJob(services.paying),
    ...notifications.jobs,
    ...callbackJobs({ db, handlers: { order: askAboutOrders(services.paying) }, now: services.now, log }),
  ]
  return {
    server,
    db,
    secrets,
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
      await services.live.close()
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

/** For live payments: the networks, and whom they pay. */
function makeLive(
  config: Config,
  { db, listener }: Infrastructure,
  secrets: Secrets,
  { connectors = [] }: AppOptions,
  now: () => Date,
) {
  const outbound = makeOutbound()
  const hosted = connectors.filter((connector) => connector.kind === 'hosted')
  return {
    networks: [...makeNetworks(config, outbound, now), ...hosted],
    accounts: makeStoredAccounts(db, listener, secrets),
    close: () => outbound.close(),
  }
}

/** How much of what one caller may ask for. Misses are counted apart: one kind must not use up the other. */
function makeLimits(config: Config, metrics: Metrics, milliseconds: () => number) {
  const misses = (): RateLimit =>
    makeRateLimit(
      { perSecond: config.MISS_LIMIT_PER_SECOND, burst: config.MISS_LIMIT_PER_SECOND },
      milliseconds,
    )
  const failedAuthentications = metrics.counter(
    'florin_failed_authentications_total',
    'Requests with no key, with a wrong one, and those that had to wait after many wrong ones.',
    ['reason'],
  )
  return {
    keyLimit: makeRateLimit(
      { perSecond: config.RATE_LIMIT_PER_SECOND, burst: config.RATE_LIMIT_BURST },
      milliseconds,
    ),
    missLimit: misses(),
    forgedLimit: misses(),
    wrongKeys: makeWrongKeys(misses(), (reason) => failedAuthentications.inc({ reason })),
  }
}

type Services = ReturnType<typeof makeServices>

/** What several rooms use together. */
function makeServices(
  config: Config,
  infrastructure: Infrastructure,
  secrets: Secrets,
  log: Logger,
  options: AppOptions,
) {
  const { db, listener, metrics } = infrastructure
  const baseUrl = config.BASE_URL
  const now = options.now ?? ((): Date => new Date())
  const milliseconds = options.now ? (): number => now().getTime() : Date.now
  const findMerchant = makeFindMerchant(db, listener)
  const notifications = makeNotifications({
    db,
    secrets,
    listener,
    log,
    metrics,
    baseUrl,
    smtpUrl: config.SMTP_URL,
    mailFrom: config.MAIL_FROM,
    findMerchant,
    ...options,
  })
  const live = makeLive(config, infrastructure, secrets, options, now)
  const paying = makePaying({
    db,
    outbox: notifications.outbox,
    connectors: [makeTestNetwork(db, now), makeTestBank(db, baseUrl, now), ...live.networks],
    accounts: options.accounts ?? live.accounts,
    merchantName: async (merchantId) => (await findMerchant(merchantId))?.name ?? '',
    metrics: makeAttemptMetrics(metrics),
    baseUrl,
    now,
    log,
  })
  const findPayment = makeFindPayment(db)
  const { keyLimit, missLimit, forgedLimit, wrongKeys } = makeLimits(config, metrics, milliseconds)
  return {
    db,
    secrets,
    baseUrl,
    now,
    paying,
    authenticator: makeAuthenticator(db, listener, undefined, wrongKeys),
    keyLimit,
    missLimit,
    forgedLimit,
    createPayment: makeCreatePayment(db, baseUrl),
    findPayment,
    paymentFromPath: makePaymentFromPath(findPayment, missLimit),
    sampleTransaction,
    payer: makePayer(paying),
    readCheckout: makeReadCheckout(db, findMerchant),
    notifications,
    outbox: notifications.outbox,
    live,
  }
}

function addRooms(config: Config, { server, db, metrics }: Infrastructure, services: Services): void {
  addHealth(server, { db, metrics, metricsOn: config.METRICS === 'on' })
  addPayments(server, services)
  addNotifications(server, services)
  addForm(server, services)
  addCheckout(server, services)
  const { networks, accounts } = services.live
  addCallbacks(server, { ...services, accounts, connectors: networks, metrics })
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
