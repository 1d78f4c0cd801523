import { orderCallbacks } from '../core/callbacks/ask-about.ts'
import { lastCallbacks } from '../core/callbacks/last-callbacks.ts'
import { addCallbacks } from '../core/callbacks/routes.ts'
import { callbacksJob } from '../core/callbacks/work-on-events.ts'
import { addForm } from '../core/checkout/form-routes.ts'
import { addLinks } from '../modules/links/checkout/routes.ts'
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
import { disputesJob } from '../modules/disputes/check-disputes.ts'
import { lostDisputesJob } from '../modules/disputes/look-for-lost.ts'
import { addDisputes } from '../modules/disputes/routes.ts'
import { addDashboard } from '../dashboard/routes.ts'
import { dashboardRoutes } from './dashboard-table.ts'
import { linksJob } from '../modules/links/settle.ts'
import { followKey } from '../platform/secrets/check-key.ts'
import type { RequestLog } from '../modules/request-log/request-log.ts'
import type { KeyRing } from '../platform/secrets/key-ring.ts'
import type { Secrets } from '../platform/secrets/secrets.ts'
import type { Deliverer } from '../core/notifications/deliver/deliver.ts'
import { addNotifications } from '../core/notifications/routes.ts'
import { addTestReceiver } from '../core/notifications/test-receiver/routes.ts'
import type { Mailbox } from '../core/notifications/mail/read-mailbox.ts'
import { foldTotalsJob } from '../core/payments/daily-totals/fold-totals.ts'
import { feesOfFound } from '../modules/payouts/figures/money-totals.ts'
import { monthlySummariesJob } from '../modules/payouts/monthly-summary/send-summaries.ts'
import { indexPaymentsJob } from '../core/payments/search/index-payments.ts'
import { expireJob } from '../core/payments/attempts/expire-payments.ts'
import { addAccount } from '../core/payments/api/account-routes.ts'
import { paymentWebhooks } from '../core/payments/api/webhooks.ts'
import { type Paying } from '../core/payments/attempts/paying.ts'
import { type Payer } from '../core/payments/attempts/pay.ts'
import { reconcileJob } from '../core/payments/attempts/reconcile.ts'
import { addPayments } from '../core/payments/api/routes.ts'
import { addPayouts } from '../modules/payouts/api/routes.ts'
import { payoutWebhooks } from '../modules/payouts/api/webhooks.ts'
import { payoutAccountsJob } from '../modules/payouts/ask/follow-accounts.ts'
import { payoutsJob } from '../modules/payouts/ask/ask-due.ts'
import { addProjects } from '../core/projects/routes.ts'
import { addRefunds } from '../modules/refunds/api/routes.ts'
import { refundWebhooks } from '../modules/refunds/api/webhooks.ts'
import { refundJob } from '../modules/refunds/reconcile-refunds.ts'
import type { Refunding } from '../modules/refunds/refunding.ts'
import { addSavedMethods } from '../modules/saved-methods/api/routes.ts'
import { savedMethodWebhooks } from '../modules/saved-methods/api/webhooks.ts'
import { forgetMethodsJob } from '../modules/saved-methods/forget/forget-methods.ts'
import { addReference } from '../guide/routes.ts'
import { cleanUpJob } from '../dashboard/people/clean-up.ts'
import type { People } from '../dashboard/people/people.ts'
import { programVersion } from '../platform/settings/version.ts'
import { guide } from './guide.ts'
import { events } from './modules.ts'
import { retentionOf } from './retention.ts'
import { personalRooms } from './rooms.ts'
import { startWorker, type Worker } from '../platform/jobs/worker.ts'
import { addOperators, makeInfrastructure, type Infrastructure } from './infrastructure.ts'
import type { ReadWarnings } from './warnings.ts'
import { openModules, type Opened } from './open-modules.ts'
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
  readonly paying: Paying
  readonly payer: Payer
  readonly refunding: Refunding
  readonly jobs: readonly Job[]
  readonly deliverer: Deliverer
  readonly mailbox: Mailbox
  readonly people: People
  readonly requestLog: RequestLog
  /** Problems that need attention, in sentences. */
  readonly readWarnings: ReadWarnings
  /** Where its health and metrics are: others list it with the process. */
  tellPort(port: number): Promise<void>
  startWorker(): Worker
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
  const infrastructure = makeInfrastructure(config, databaseUrl, log, options.role, options.traces)
  const { server, operatorServer, db, listener, requestLog } = infrastructure
  const { secrets } = keyRing
  followKey(db, listener, secrets, log, () => keyRing.reread())
  const services = makeServices(config, infrastructure, secrets, log, options)
  addOperators(config, infrastructure)
  const opened = openModules(services)
  addRooms(config, infrastructure, services, opened)

  const { authenticator, notifications } = services
  async function flushKeyUse(): Promise<void> {
    await authenticator
      .flush()
      .catch((error: unknown) => log.warn({ err: error }, 'Could not record when keys were last used'))
  }
  const flushing = setInterval(() => void flushKeyUse(), keyUseFlushMs).unref()

  const { paying } = services
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
    paying,
    payer: services.payer,
    refunding: opened.refunding,
    jobs,
    deliverer: notifications.deliverer,
    mailbox: notifications.mailbox,
    people: services.people,
    requestLog,
    readWarnings: infrastructure.readWarnings,
    tellPort: infrastructure.tellPort,
    startWorker: () =>
      together([startWorker(jobs, services.core, listener), notifications.deliverer.start()]),
    /** Running requests finish first, then the pool closes. */
    async close() {
      clearInterval(flushing)
      infrastructure.beginClosing()
      await server.close()
      await operatorServer?.close()
      await flushKeyUse()
      await requestLog.close()
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
function jobsOf(config: Config, services: Wiring, opened: Opened): Job[] {
  const { core, paying, notifications } = services
  const { refunding, methodKeeping, linking, callbacks } = opened
  return [
    expireJob(paying),
    reconcileJob(paying),
    refundJob(refunding),
    forgetMethodsJob(methodKeeping),
    foldTotalsJob(paying),
    indexPaymentsJob(paying),
    ...notifications.jobs,
    disputesJob(paying),
    lostDisputesJob(paying),
    payoutsJob(paying),
    payoutAccountsJob(paying),
    linksJob(linking),
    cleanUpJob(services.people),
    monthlySummariesJob({ people: services.people, networks: services.live.networks, log: core.log }),
    callbacksJob({ ...core, handlers: { ...orderCallbacks(paying), ...callbacks } }),
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
  opened: Opened,
): void {
  addSecurityTxt(server, { ...services, contact: config.SECURITY_CONTACT })
  addPayments(server, { ...services, members: opened.members, feesOfFound })
  addAccount(server, services)
  addDisputes(server, services)
  addPayouts(server, services)
  addRefunds(server, { ...services, ...opened })
  addSavedMethods(server, { ...services, ...opened })
  addNotifications(server, { ...services, events })
  addTestReceiver(server, services)
  addForm(server, services)
  addCheckout(server, { ...services, modules: opened.checkoutModules })
  addLinks(server, { ...services, ...opened })
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
  const operations = allOperations(config.SEO_URL)
  const webhooks = [...paymentWebhooks, ...refundWebhooks, ...payoutWebhooks, ...savedMethodWebhooks]
  addReference(server, { operations, webhooks, baseUrl: config.BASE_URL, guide })
  addDashboard(server, {
    ...services,
    ...opened,
    routes: dashboardRoutes({ ...services, ...opened }),
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
