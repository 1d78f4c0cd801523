import { refundsOnCheckout } from '../checkout/refunds/part.ts'
import { savedMethodsOnCheckout } from '../checkout/saved/part.ts'
import { makeShown } from '../checkout/shown.ts'
import { makeAttachReceipt } from '../checkout/refunds/refund-pdf.ts'
import { isOwnMachine, type Config } from '../settings/config.ts'
import type { Connector, HostedConnector } from '../connectors/hosted.ts'
import { makeTestBank } from '../connectors/test-bank/bank.ts'
import { makeTestNetwork } from '../connectors/test-network/network.ts'
import type { LiveFinding } from '../dashboard/ask.ts'
import type { Database } from '../database/database.ts'
import type { ProcessRole } from '../database/watch/processes.ts'
import { Refusal } from '../errors/refusals.ts'
import { makeSendCsv } from '../http/csv/send-csv.ts'
import type { Logger } from '../http/log.ts'
import type { Metrics } from '../http/metrics.ts'
import type { RateLimit } from '../http/rate-limit.ts'
import type { Accounts } from '../merchants/accounts/accounts.ts'
import { makeStoredAccounts } from '../merchants/accounts/stored-accounts.ts'
import { makeAuthenticator, makeFindMerchant, type FindMerchant } from '../merchants/authenticate.ts'
import { makeWrongKeys, wrongKeyReasons, type WrongKeys } from '../merchants/wrong-keys.ts'
import type { Core } from '../jobs/core.ts'
import type { Linking } from '../links/linking.ts'
import type { Secrets } from '../secrets/secrets.ts'
import { makeNotifications, type NotificationsOptions } from '../notifications/notifications.ts'
import { makeOpenIdProvider, type OpenIdProvider } from '../people/openid/provider.ts'
import { makePeople, type People, type PeopleOptions } from '../people/people.ts'
import { cardTestingLimits, makeLimits } from './limits.ts'
import { makeNetworks } from './networks.ts'
import { makeOutbound, type Outbound } from '../outbound/outbound.ts'
import { makeAttemptMetrics, type AttemptMetrics } from '../payments/attempts/report-charge-problem.ts'
import { makeCardTesting } from '../payments/card-testing/card-testing.ts'
import { makeReadCheckout } from '../payments/checkout-view.ts'
import { makeCreatePayment } from '../payments/create-payment.ts'
import { makeFindPayment } from '../payments/find-payment.ts'
import { makePaymentFromPath } from '../payments/api/payment-from-path.ts'
import { networkTakes } from '../payments/attempts/hosted/network-takes.ts'
import { makePaying, type Paying } from '../payments/attempts/paying.ts'
import { makePayer } from '../payments/attempts/pay.ts'
import { countUnknownAttempts } from '../payments/attempts/unknown-attempts.ts'
import { canSave } from '../payments/saving/can-save.ts'
import { refundsOf } from '../refunds/find-refunds.ts'
import { presentRefund } from '../refunds/present.ts'
import { makeRefundMetrics, type Refunding } from '../refunds/refunding.ts'
import { sampleEvent } from '../payouts/sample-event.ts'
import { withUsable } from '../saved-methods/find-methods.ts'
import type { MethodKeeping } from '../saved-methods/keeping.ts'
import { makeSavedMethods } from '../saved-methods/settle.ts'
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
}

/** Per merchant and server. */
const exportsAtOnceMax = 4

export type Services = ReturnType<typeof makeServices>

/** What several modules share. */
export function makeServices(
  config: Config,
  infrastructure: Infrastructure,
  secrets: Secrets,
  log: Logger,
  options: AppOptions,
) {
  const { db, listener, metrics } = infrastructure
  const baseUrl = config.BASE_URL
  const now = options.now ?? ((): Date => new Date())
  const core: Core = { db, log, now }
  const milliseconds = options.now ? (): number => now().getTime() : Date.now
  const findMerchant = makeFindMerchant(db, listener)
  const live = makeLive(config, infrastructure, secrets, options, now)
  const place = { baseUrl, isOwnMachine: isOwnMachine(config), now }
  const shown = makeShown({ ...live, db, listener, outbound: options.outbound ?? live.outbound, ...place })
  const notifications = makeNotifications({
    ...core,
    ...place,
    secrets,
    listener,
    metrics,
    smtpUrl: config.SMTP_URL,
    mailFrom: config.MAIL_FROM,
    findMerchant,
    networkLabel: labelIn(live.networks),
    attach: makeAttachReceipt(shown.receiptFiles, shown.pictures),
    ...withTraces(options),
  })
  const people = openPeople(config, live.outbound, options, { ...core, ...notifications, secrets })
  const cardTesting = makeCardTesting({ db, secrets, metrics, now, limits: cardTestingLimits(config) })
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
    savedMethods: makeSavedMethods({ db, secrets }),
  })
  const findPayment = makeFindPayment(db)
  const limits = makeLimits(config, milliseconds, () => infrastructure.servers.count)
  return {
    core,
    db,
    secrets,
    ...place,
    paying,
    ...limits,
    authenticator: makeAuthenticator(db, listener, undefined, countWrongKeys(limits.wrongKeyLimit, metrics)),
    findPayment,
    paymentFromPath: makePaymentFromPath(findPayment, limits.missLimit),
    ...shownInAnswers(db),
    ...makeFlows({ ...core, secrets }, paying, findMerchant, metrics),
    payer: makePayer(paying),
    sendCsv: makeSendCsv(exportsAtOnceMax),
    readCheckout: makeReadCheckout(db, findMerchant, { cardTesting, now }),
    cardTesting,
    notifications,
    outbox: notifications.outbox,
    people,
    findMerchant,
    live,
    ...shown,
    sendsMail: config.SMTP_URL !== '',
  }
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

/** What payments refer to. */
function makeFlows(
  { secrets, ...core }: Core & { readonly secrets: Secrets },
  paying: Paying,
  findMerchant: FindMerchant,
  metrics: Metrics,
) {
  const createPayment = makeCreatePayment(core.db, paying.baseUrl)
  const methodKeeping = { ...core, secrets, paying } satisfies MethodKeeping
  return {
    createPayment,
    refunding: {
      ...core,
      paying,
      findMerchant,
      metrics: makeRefundMetrics(metrics, namesOf(paying.connectors)),
    } satisfies Refunding,
    methodKeeping,
    linking: { ...core, paying, createPayment } satisfies Linking,
    networkTakes: networkTakes.bind(undefined, paying),
    canSave: canSave.bind(undefined, paying),
    checkoutModules: [refundsOnCheckout(core.db), savedMethodsOnCheckout(methodKeeping)],
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

function shownInAnswers(db: Database) {
  return {
    sampleTransaction: sampleEvent,
    withUsable: async (payments: Parameters<typeof withUsable>[1]) => withUsable(db, payments),
    shownRefunds: async (payment: Parameters<typeof refundsOf>[1]) =>
      (await refundsOf(db, payment)).map((refund) => presentRefund(refund)),
  }
}

type PeopleParts = Omit<PeopleOptions, 'baseUrl' | 'isSignUpOpen' | 'openId' | 'derive'>

function openPeople(
  config: Config,
  outbound: Outbound,
  { derive }: AppOptions,
  { db, secrets, log, now, sendEmail }: PeopleParts,
): People {
  return makePeople({
    db,
    secrets,
    log,
    now,
    sendEmail,
    derive,
    openId: openProvider(config, outbound, now),
    baseUrl: config.BASE_URL.replace(/\/+$/, ''),
    isSignUpOpen: config.SIGN_UP === 'on',
  })
}

function openProvider(config: Config, outbound: Outbound, now: () => Date): OpenIdProvider | undefined {
  if (config.OIDC_ISSUER === '') return undefined
  return makeOpenIdProvider({
    issuer: config.OIDC_ISSUER,
    clientId: config.OIDC_CLIENT_ID,
    clientSecret: config.OIDC_CLIENT_SECRET,
    name: config.OIDC_NAME,
    redirectUri: `${config.BASE_URL.replace(/\/+$/, '')}/dashboard/openid/callback`,
    outbound,
    now,
  })
}

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
    networks: [...makeNetworks(config, outbound, now), ...hosted],
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

/** A network as people know it. */
function labelIn(networks: readonly HostedConnector[]): (connector: string) => string {
  return (connector) => networks.find(({ name }) => name === connector)?.label ?? connector
}
