import { addForm } from './checkout/form-routes.ts'
import { addCheckout } from './checkout/routes.ts'
import { isOwnMachine, type Config } from './config.ts'
import { makeTestNetwork } from './connectors/test-network/network.ts'
import { Database } from './database/database.ts'
import type { ProcessRole } from './database/inspect.ts'
import type { Job } from './database/job.ts'
import { listen, type Listener } from './database/listen.ts'
import { addHealth, addMetrics, countProcess, makeCheckReady } from './health.ts'
import type { Logger } from './http/log.ts'
import { makeMetrics } from './http/metrics.ts'
import { makeRateLimit } from './http/rate-limit.ts'
import { makeServer, type Server } from './http/server.ts'
import { addDashboard } from './dashboard/routes.ts'
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
import { addPayments } from './payments/api/routes.ts'
import { projectOperations } from './projects/operations.ts'
import { addProjects } from './projects/routes.ts'
import { addReference } from './reference/routes.ts'
import { cleanUpJob } from './people/clean-up.ts'
import { makePeople, type People, type PeopleOptions } from './people/people.ts'
import { startWorker, type Worker } from './worker.ts'

// The table of contents: every room registered by hand, in one place.

export type App = {
  readonly server: Server
  /** For operators, on a port that the public does not reach. */
  readonly operatorServer: Server | undefined
  readonly db: Database
  readonly secrets: Secrets
  readonly listener: Listener
  readonly paying: Paying
  readonly payer: Payer
  readonly jobs: readonly Job[]
  readonly deliverer: Deliverer
  readonly mailbox: Mailbox
  readonly people: People
  startWorker(): Worker
  close(): Promise<void>
}

const keyUseFlushMs = 30_000

/** What a test may put in the place of the world: time, chance and the way out. */
export type AppOptions = Pick<NotificationsOptions, 'now' | 'random' | 'outbound'> & {
  /** What this process does, for `florin status` of others. */
  readonly role?: ProcessRole
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
  const { server, operatorServer, db, listener } = infrastructure
  const { secrets } = keyRing
  followKey(db, listener, secrets, log, () => keyRing.reread())
  const services = makeServices(config, infrastructure, secrets, log, options)
  addOperators(config, infrastructure)
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
    cleanUpJob(services.people),
  ]
  return {
    server,
    operatorServer,
    db,
    secrets,
    listener,
    paying: services.paying,
    payer: services.payer,
    jobs,
    deliverer: notifications.deliverer,
    mailbox: notifications.mailbox,
    people: services.people,
    startWorker: () => together([startWorker(jobs, listener, log), notifications.deliverer.start()]),
    /** Running requests finish first, then the pool closes. */
    async close() {
      clearInterval(flushing)
      infrastructure.beginClosing()
      await server.close()
      await operatorServer?.close()
      await flushKeyUse()
      await services.people.settled()
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
  const server = makeServer({ ...serverOptions(config), log, metrics })
  // With metrics of its own, which nobody reads: what operators ask for is no traffic.
  const operatorServer =
    config.METRICS_PORT === 0
      ? undefined
      : makeServer({ ...serverOptions(config), log, metrics: makeMetrics() })
  const beginClosing = (): void => {
    closing = true
  }
  return { db, metrics, server, operatorServer, listener: listen(databaseUrl, role), beginClosing }
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

type Services = ReturnType<typeof makeServices>

/** What several rooms use together. */
function makeServices(
  config: Config,
  { db, listener, metrics }: Infrastructure,
  secrets: Secrets,
  log: Logger,
  options: AppOptions,
) {
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
    isOwnMachine: isOwnMachine(config),
    smtpUrl: config.SMTP_URL,
    mailFrom: config.MAIL_FROM,
    findMerchant,
    ...options,
  })
  const people = openPeople(config, { db, secrets, log, now, sendLetter: notifications.sendLetter })
  const connectors = [makeTestNetwork(db, now)]
  const paying = makePaying({ db, outbox: notifications.outbox, connectors, baseUrl, now, log })
  const findPayment = makeFindPayment(db)
  const missLimit = makeRateLimit(
    { perSecond: config.MISS_LIMIT_PER_SECOND, burst: config.MISS_LIMIT_PER_SECOND },
    milliseconds,
  )
  const keyBudget = { perSecond: config.RATE_LIMIT_PER_SECOND, burst: config.RATE_LIMIT_BURST }
  const failedAuthentications = metrics.counter(
    'florin_failed_authentications_total',
    'Requests with no key, with a wrong one, and those that had to wait after many wrong ones.',
    ['reason'],
  )
  const wrongKeys = makeWrongKeys(
    makeRateLimit(
      { perSecond: config.MISS_LIMIT_PER_SECOND, burst: config.MISS_LIMIT_PER_SECOND },
      milliseconds,
    ),
    (reason) => failedAuthentications.inc({ reason }),
  )
  return {
    db,
    secrets,
    baseUrl,
    now,
    paying,
    authenticator: makeAuthenticator(db, listener, undefined, wrongKeys),
    keyLimit: makeRateLimit(keyBudget, milliseconds),
    // Apart from those of keys: whoever has many addresses must not push the keys of others out of memory.
    formLimit: makeRateLimit(keyBudget, milliseconds),
    missLimit,
    createPayment: makeCreatePayment(db, baseUrl),
    findPayment,
    paymentFromPath: makePaymentFromPath(findPayment, missLimit),
    sampleTransaction,
    payer: makePayer(paying),
    readCheckout: makeReadCheckout(db, findMerchant),
    notifications,
    people,
    findMerchant,
    outbox: notifications.outbox,
  }
}

/** What operators ask for: on a port of its own, or beside the rest on a machine that nobody else reaches. */
function addOperators(config: Config, { server, operatorServer, db, metrics }: Infrastructure): void {
  const checkReady = makeCheckReady(server, db)
  const isBeside = operatorServer === undefined && isOwnMachine(config)
  addHealth(server, checkReady, { tellsWhy: isBeside })
  if (operatorServer) addHealth(operatorServer, checkReady, { tellsWhy: true })
  if (config.METRICS !== 'on') return
  countProcess(metrics, db)
  const shown = operatorServer ?? (isBeside ? server : undefined)
  if (shown) addMetrics(shown, metrics)
}

function openPeople(config: Config, given: Omit<PeopleOptions, 'baseUrl' | 'isSignUpOpen'>): People {
  return makePeople({
    ...given,
    baseUrl: config.BASE_URL.replace(/\/+$/, ''),
    isSignUpOpen: config.SIGN_UP === 'on',
  })
}

function addRooms(config: Config, { server, db }: Infrastructure, services: Services): void {
  addPayments(server, services)
  addNotifications(server, services)
  addForm(server, services)
  addCheckout(server, services)
  addProjects(server, {
    db,
    seoUrl: config.SEO_URL,
    seoHostOnly: config.PROJECTS_ON_SEO_HOST_ONLY === 'on',
    authenticator: services.authenticator,
    keyLimit: services.keyLimit,
  })
  const operations = [...paymentOperations, ...notificationOperations, ...projectOperations(config.SEO_URL)]
  addReference(server, { operations, webhooks: paymentWebhooks, baseUrl: config.BASE_URL })
  addDashboard(server, {
    people: services.people,
    findMerchant: services.findMerchant,
    baseUrl: config.BASE_URL,
    hasMailServer: config.SMTP_URL !== '',
  })
}
