import { orderCallbacks } from '../core/callbacks/ask-about.ts'
import { lastCallbacks } from '../core/callbacks/last-callbacks.ts'
import { addCallbacks } from '../core/callbacks/routes.ts'
import { callbacksJob } from '../core/callbacks/work-on-events.ts'
import { addForm } from '../core/checkout/form-routes.ts'
import { addCheckout } from '../core/checkout/routes.ts'
import type { Config } from '../platform/settings/config.ts'
import { addTestBank } from '../core/test-network/bank/routes.ts'
import { Database } from '../platform/database/database.ts'
import type { Core } from '../platform/jobs/core.ts'
import type { Job } from '../platform/jobs/job.ts'
import { type Listener } from '../platform/database/listen.ts'
import { pruneJobs } from '../platform/jobs/pruning.ts'
import type { ServerCount } from '../platform/database/watch/count-servers.ts'
import type { NotificationCheck } from '../platform/database/watch/hearing.ts'
import type { Logger } from '../platform/http/log.ts'
import { addSecurityTxt } from '../platform/http/security-txt.ts'
import type { Server } from '../platform/http/server.ts'
import { addDashboard } from '../dashboard/routes.ts'
import { dashboardRoutes, partsOf } from './dashboard-table.ts'
import { followKey } from '../platform/secrets/check-key.ts'
import type { KeyRing } from '../platform/secrets/key-ring.ts'
import type { Secrets } from '../platform/secrets/secrets.ts'
import type { Deliverer } from '../core/notifications/deliver/deliver.ts'
import { addNotifications } from '../core/notifications/routes.ts'
import { addTestReceiver } from '../core/notifications/test-receiver/routes.ts'
import type { Mailbox } from '../core/notifications/mail/read-mailbox.ts'
import { foldTotalsJob } from '../core/payments/daily-totals/fold-totals.ts'
import { indexPaymentsJob } from '../core/payments/search/index-payments.ts'
import { expireJob } from '../core/payments/attempts/expire-payments.ts'
import { addAccount } from '../core/payments/api/account-routes.ts'
import { paymentWebhooks } from '../core/payments/api/webhooks.ts'
import type { FindMerchant } from '../core/merchants/authenticate.ts'
import { type Paying } from '../core/payments/attempts/paying.ts'
import { type Payer } from '../core/payments/attempts/pay.ts'
import type { PaymentMembers } from '../core/payments/slots/payment-members.ts'
import { reconcileJob } from '../core/payments/attempts/reconcile.ts'
import { addPayments } from '../core/payments/api/routes.ts'
import { addProjects } from '../core/projects/routes.ts'
import { addReference } from '../guide/routes.ts'
import { cleanUpJob } from '../dashboard/people/clean-up.ts'
import type { People } from '../dashboard/people/people.ts'
import { programVersion } from '../platform/settings/version.ts'
import type { Module, Opened } from '../modules/module.ts'
import { guideOf } from './guide.ts'
import { allModules, eventsOf } from './modules.ts'
import { retentionOf } from './retention.ts'
import { personalRooms } from './rooms.ts'
import { startWorker, type Worker } from '../platform/jobs/worker.ts'
import { addOperators, makeInfrastructure, type Infrastructure } from './infrastructure.ts'
import type { ReadWarnings } from './warnings.ts'
import { allOperations } from './operations.ts'
import { makeServices, type AppOptions, type Wiring } from './wiring.ts'

// The table of contents: every room registered by hand, in one place.

export type { AppOptions } from './wiring.ts'

export type App = {
  readonly server: Server
  /** For operators, on a port that the public does not reach. */
  readonly operatorServer: Server | undefined
  readonly core: Core
  readonly db: Database
  readonly secrets: Secrets
  readonly listener: Listener
  readonly hearing: NotificationCheck
  readonly servers: ServerCount
  readonly findMerchant: FindMerchant
  readonly paying: Paying
  readonly payer: Payer
  readonly jobs: readonly Job[]
  readonly deliverer: Deliverer
  readonly mailbox: Mailbox
  readonly people: People
  /** Problems that need attention, in sentences. */
  readonly readWarnings: ReadWarnings
  /** Where its health and metrics are: others list it with the process. */
  tellPort(port: number): Promise<void>
  startWorker(): Worker
  /** Writes what is still in memory, such as lines of the request log. */
  flush(): Promise<void>
  close(): Promise<void>
}

const keyUseFlushMs = 30_000

/** `keyRing`: the keys that the secrets of this database are sealed under, checked with it. */
export function makeApp(
  config: Config,
  databaseUrl: string,
  keyRing: KeyRing,
  log: Logger,
  options: AppOptions = {},
): App {
  const { modules = allModules } = options
  const infrastructure = makeInfrastructure(config, databaseUrl, log, modules, options.role, options.traces)
  const { server, operatorServer, db, listener } = infrastructure
  const { secrets } = keyRing
  followKey(db, listener, secrets, log, () => keyRing.reread())
  const services = makeServices(config, infrastructure, secrets, log, options)
  addOperators(config, infrastructure)
  const given = { ...services, networks: services.live.networks }
  const opened = modules.flatMap(({ open }) => open?.(given) ?? [])
  addRooms(config, infrastructure, services, modules, opened)

  const { authenticator, notifications } = services
  async function flushKeyUse(): Promise<void> {
    await authenticator
      .flush()
      .catch((error: unknown) => log.warn({ err: error }, 'Could not record when keys were last used'))
  }
  const flushing = setInterval(() => void flushKeyUse(), keyUseFlushMs).unref()

  const jobs = jobsOf(config, services, opened)
  return {
    server,
    operatorServer,
    core: services.core,
    db,
    secrets,
    listener,
    hearing: infrastructure.hearing,
    servers: infrastructure.servers,
    findMerchant: services.findMerchant,
    paying: services.paying,
    payer: services.payer,
    jobs,
    deliverer: notifications.deliverer,
    mailbox: notifications.mailbox,
    people: services.people,
    readWarnings: infrastructure.readWarnings,
    tellPort: infrastructure.tellPort,
    startWorker: () =>
      together([startWorker(jobs, services.core, listener), notifications.deliverer.start()]),
    async flush() {
      await flushKeyUse()
      await infrastructure.watch.flush()
    },
    /** Running requests finish first, then the pool closes. */
    async close() {
      clearInterval(flushing)
      infrastructure.beginClosing()
      await server.close()
      await operatorServer?.close()
      await flushKeyUse()
      await infrastructure.watch.close()
      await services.people.settled()
      await notifications.close()
      await services.live.close()
      await services.receiptFiles.close()
      infrastructure.stopWatching()
      await listener.close()
      await db.close()
      await options.traces?.close()
    },
  }
}

/** The workers' recurring jobs. */
function jobsOf(config: Config, services: Wiring, opened: readonly Opened[]): Job[] {
  const { core, paying, notifications } = services
  const handlers = Object.assign(orderCallbacks(paying), ...opened.map(({ callbacks }) => callbacks))
  return [
    expireJob(paying),
    reconcileJob(paying),
    foldTotalsJob(paying),
    indexPaymentsJob(paying),
    ...notifications.jobs,
    ...opened.flatMap(({ jobs = [] }) => jobs),
    cleanUpJob(services.people),
    callbacksJob({ ...core, handlers }),
    ...pruneJobs(retentionOf(config), core),
  ]
}

function together(workers: readonly Worker[]): Worker {
  return {
    async stop() {
      await Promise.all(workers.map((worker) => worker.stop()))
    },
  }
}

function addRooms(
  config: Config,
  { server, db, metrics }: Infrastructure,
  services: Wiring,
  modules: readonly Module[],
  opened: readonly Opened[],
): void {
  const members: PaymentMembers = Object.assign({}, ...opened.map((one) => one.members))
  const feesOfFound = modules.find(({ fees }) => fees)?.fees
  const events = eventsOf(modules)
  addSecurityTxt(server, { ...services, contact: config.SECURITY_CONTACT })
  addPayments(server, { ...services, members, feesOfFound })
  addAccount(server, services)
  addNotifications(server, { ...services, events })
  addTestReceiver(server, services)
  addForm(server, services)
  addCheckout(server, { ...services, modules: opened.flatMap(({ checkout }) => checkout ?? []) })
  for (const { addRoutes } of opened) addRoutes?.(server)
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
  addReference(server, {
    operations: allOperations(config.SEO_URL, modules),
    webhooks: [...paymentWebhooks, ...modules.flatMap(({ webhooks = [] }) => webhooks)],
    baseUrl: config.BASE_URL,
    guide: guideOf(modules),
  })
  addDashboard(server, {
    ...services,
    routes: dashboardRoutes({ parts: partsOf(modules), members, opened }),
    events,
    baseUrl: config.BASE_URL,
    hasMailServer: config.SMTP_URL !== '',
    metrics,
    version: programVersion(),
    checkLive: services.live.check,
    personalRooms,
    lastCallbacks: async (merchantId, accountIds) => lastCallbacks(db, merchantId, accountIds),
    requestLogDays: config.REQUEST_LOG_DAYS,
  })
}
