import { makeShown, type Shown } from '../core/checkout/shown.ts'
import { isOwnMachine, type Config } from '../platform/settings/config.ts'
import { networkLabel } from '../core/networks/network-label.ts'
import type { Connector } from '../core/networks/hosted.ts'
import { makeTestBank } from '../core/test-network/bank/bank.ts'
import { makeTestNetwork } from '../core/test-network/network.ts'
import type { LiveFinding } from '../dashboard/ask.ts'
import type { Database } from '../platform/database/database.ts'
import type { ProcessRole } from '../platform/database/watch/processes.ts'
import { Refusal } from '../platform/errors/refusals.ts'
import { makeSendCsv } from '../platform/http/csv/send-csv.ts'
import type { Logger } from '../platform/http/log.ts'
import type { Metrics } from '../platform/http/metrics.ts'
import type { RateLimit } from '../platform/http/rate-limit.ts'
import type { Accounts } from '../core/merchants/accounts/accounts.ts'
import { makeStoredAccounts } from '../core/merchants/accounts/stored-accounts.ts'
import { makeAuthenticator, makeFindMerchant, type FindMerchant } from '../core/merchants/authenticate.ts'
import { makeWrongKeys, wrongKeyReasons, type WrongKeys } from '../core/merchants/wrong-keys.ts'
import type { Core } from '../platform/jobs/core.ts'
import type { Secrets } from '../platform/secrets/secrets.ts'
import type { Outbox } from '../core/notifications/outbox.ts'
import type { Attach } from '../core/notifications/mail/send-mail.ts'
import {
  makeNotifications,
  type Notifications,
  type NotificationsOptions,
} from '../core/notifications/notifications.ts'
import type { People, PeopleOptions } from '../dashboard/people/people.ts'
import { openPeople } from './open-people.ts'
import type { Base, Services } from '../core/core-services.ts'
import { cardTestingLimits, makeLimits, type Limits } from './limits.ts'
import type { Module } from '../modules/module.ts'
import { dailyTotals } from '../core/payments/daily-totals/count-totals.ts'
import { indexAgain } from '../core/payments/search/index-payments.ts'
import { allModules, mailWritersOf, stylesOf } from './modules.ts'
import { makeNetworks } from './networks.ts'
import { makeOutbound } from '../platform/outbound/outbound.ts'
import { makeAttemptMetrics, type AttemptMetrics } from '../core/payments/attempts/report-charge-problem.ts'
import { makeCardTesting, type CardTesting } from '../core/payments/card-testing/card-testing.ts'
import { makeReadCheckout, type ReadCheckout } from '../core/payments/checkout-view.ts'
import { makeCreatePayment } from '../core/payments/create-payment.ts'
import { makeFindPayment } from '../core/payments/find-payment.ts'
import { makePaymentFromPath } from '../core/payments/api/payment-from-path.ts'
import { networkTakes, type FindNetworkTakes } from '../core/payments/attempts/hosted/network-takes.ts'
import { makePaying, type PayingDeps } from '../core/payments/attempts/paying.ts'
import { makePayer } from '../core/payments/attempts/pay.ts'
import { countUnknownAttempts } from '../core/payments/attempts/unknown-attempts.ts'
import { canSave, type CanSave } from '../core/payments/saving/can-save.ts'
import type { Infrastructure } from './infrastructure.ts'
import type { Traces } from './traces.ts'

// What several modules share, created once and passed on.

/** What a test may replace: time, randomness and the network. */
export type AppOptions = Pick<NotificationsOptions, 'now' | 'random' | 'outbound' | 'mailTimeoutMs'> & {
  /** Checks people's passwords. */
  readonly derive?: PeopleOptions['derive']
  /** What this process does, for other processes' `florin status`. */
  readonly role?: ProcessRole
  /** Networks besides those of every installation, and whom they pay. */
  readonly connectors?: readonly Connector[]
  readonly accounts?: Accounts
  /** What must be ready before a merchant takes real money: the commands know, and pass it on to the server. */
  readonly checkLive?: (
    keeping: { readonly db: Database; readonly secrets: Secrets },
    merchantId: number,
    how: 'ask' | 'remember',
  ) => Promise<readonly LiveFinding[]>
  /** Where the operator wants them. */
  readonly traces?: Traces | undefined
  /** All of them, unless a test leaves some out. */
  readonly modules?: readonly Module[]
}

/** Per merchant and server. */
const exportsAtOnceMax = 4

/** The core's services, and what only pages and routes of this process ask for. */
export type Wiring = Services &
  Limits &
  Shown & {
    readonly core: Core
    readonly isOwnMachine: boolean
    readonly outbox: Outbox
    readonly cardTesting: CardTesting
    readonly readCheckout: ReadCheckout
    readonly networkTakes: FindNetworkTakes
    readonly canSave: CanSave
    readonly people: People
    readonly live: Live
    readonly sendsMail: boolean
  }

export function makeServices(
  config: Config,
  infrastructure: Infrastructure,
  secrets: Secrets,
  log: Logger,
  options: AppOptions,
): Wiring {
  const { db, listener, metrics } = infrastructure
  const baseUrl = config.BASE_URL
  const now = options.now ?? ((): Date => new Date())
  const core: Core = { db, log, now }
  const base: Base = { ...core, secrets, metrics }
  const milliseconds = options.now ? (): number => now().getTime() : Date.now
  const findMerchant = makeFindMerchant(db, listener)
  const { modules = allModules } = options
  const live = makeLive(config, infrastructure, secrets, options, now)
  const { outbound = live.outbound } = options
  const place = { baseUrl, isOwnMachine: isOwnMachine(config), now }
  const shown = makeShown({ ...live, ...place, db, listener, outbound, styles: stylesOf(modules) })
  const notifications = openNotifications(config, options, modules, {
    ...base,
    ...place,
    ...shown,
    listener,
    findMerchant,
    live,
  })
  const cardTesting = makeCardTesting({ ...base, limits: cardTestingLimits(config) })
  const connectors = [makeTestNetwork(db, now), makeTestBank(db, baseUrl, now), ...live.networks]
  const paying = makePaying({
    ...core,
    outbox: notifications.outbox,
    connectors,
    accounts: options.accounts ?? live.accounts,
    ...knownOfMerchants(findMerchant),
    metrics: meterAttempts(infrastructure, now, connectors),
    baseUrl,
    cardTesting,
    ...savedMethodsOf(modules, base),
    totals: dailyTotals,
    reworded: indexAgain,
  })
  const findPayment = makeFindPayment(db)
  const limits = makeLimits(config, milliseconds, () => infrastructure.servers.count)
  return {
    ...base,
    ...place,
    ...limits,
    ...shown,
    core,
    paying,
    payer: makePayer(paying),
    authenticator: makeAuthenticator(db, listener, undefined, countWrongKeys(limits.wrongKeyLimit, metrics)),
    findPayment,
    paymentFromPath: makePaymentFromPath(findPayment, limits.missLimit),
    createPayment: makeCreatePayment(db, baseUrl),
    networkTakes: networkTakes.bind(undefined, paying),
    canSave: paying.savedMethods ? canSave.bind(undefined, paying) : async () => false,
    sendCsv: makeSendCsv(exportsAtOnceMax),
    readCheckout: makeReadCheckout(db, findMerchant, { cardTesting, now }),
    cardTesting,
    notifications,
    outbox: notifications.outbox,
    people: openPeople(config, live.outbound, options, { ...core, ...notifications, secrets }),
    findMerchant,
    live,
    sendsMail: config.SMTP_URL !== '',
  }
}

type NotificationParts = Base &
  Pick<Shown, 'receiptFiles' | 'pictures'> &
  Pick<NotificationsOptions, 'baseUrl' | 'isOwnMachine' | 'listener' | 'findMerchant'> & {
    readonly live: Pick<Live, 'networks'>
  }

function openNotifications(
  config: Config,
  options: AppOptions,
  modules: readonly Module[],
  { receiptFiles, pictures, live, ...parts }: NotificationParts,
): Notifications {
  return makeNotifications({
    ...parts,
    smtpUrl: config.SMTP_URL,
    mailFrom: config.MAIL_FROM,
    networkLabel: (connector) => networkLabel(live.networks, connector),
    attach: attachAll(modules.flatMap(({ attach }) => attach?.(receiptFiles, pictures) ?? [])),
    mailWriters: mailWritersOf(modules),
    ...withTraces(options),
  })
}

function attachAll(all: readonly Attach[]): Attach {
  return (mail) => {
    for (const attach of all) {
      const enclosed = attach(mail)
      if (enclosed) return enclosed
    }
    return undefined
  }
}

function savedMethodsOf(modules: readonly Module[], base: Base): Pick<PayingDeps, 'savedMethods'> {
  const made = modules.find(({ savedMethods }) => savedMethods)?.savedMethods?.(base)
  return made ? { savedMethods: made } : {}
}

/** What paying needs to know about a merchant. */
function knownOfMerchants(findMerchant: FindMerchant) {
  return {
    merchantName: async (merchantId: number) => (await findMerchant(merchantId))?.name ?? '',
    statementDescriptor: async (merchantId: number) =>
      (await findMerchant(merchantId))?.brand.statementDescriptor,
    isSuspended: async (merchantId: number) => (await findMerchant(merchantId))?.isSuspended ?? false,
  }
}

function makeCheckLive(
  options: AppOptions,
  keeping: { readonly db: Database; readonly secrets: Secrets },
): (merchantId: number, how?: 'ask' | 'remember') => Promise<readonly LiveFinding[]> {
  return async (merchantId, how = 'ask') => {
    if (!options.checkLive)
      throw new Refusal('unavailable', "This process can't check the requirements for live payments")
    return options.checkLive(keeping, merchantId, how)
  }
}

function withTraces(options: AppOptions): AppOptions {
  const { traces, outbound = makeOutbound() } = options
  return traces ? { ...options, outbound: traces.wrap(outbound) } : options
}

function meterAttempts(
  { db, metrics }: Infrastructure,
  now: () => Date,
  connectors: readonly Connector[],
): AttemptMetrics {
  countUnknownAttempts(metrics, db, now)
  return makeAttemptMetrics(metrics, namesOf(connectors))
}

function namesOf(connectors: readonly Connector[]): string[] {
  return connectors.map(({ name }) => name)
}

type Live = ReturnType<typeof makeLive>

/** For live payments: the networks, and whom they pay. */
function makeLive(
  config: Config,
  { db, listener }: Infrastructure,
  secrets: Secrets,
  options: AppOptions,
  now: () => Date,
) {
  const outbound = makeOutbound()
  const hosted = (options.connectors ?? []).filter((connector) => connector.kind === 'hosted')
  return {
    outbound,
    networks: [...makeNetworks(config, outbound, now, options.modules), ...hosted],
    accounts: makeStoredAccounts(db, listener, secrets),
    check: makeCheckLive(options, { db, secrets }),
    close: () => outbound.close(),
  }
}

function countWrongKeys(limit: RateLimit, metrics: Metrics): WrongKeys {
  const failed = metrics.counter(
    'florin_failed_authentications_total',
    'Requests with a missing or wrong key, and requests delayed after many wrong keys.',
    { reason: wrongKeyReasons },
  )
  return makeWrongKeys(limit, (reason) => failed.inc({ reason }))
}
