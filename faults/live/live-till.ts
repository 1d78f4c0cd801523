import type { HostedConnector } from '../../src/core/networks/hosted.ts'
import { readMerchant } from '../../src/core/merchants/authenticate.ts'
import { makeOutbound, type Outbound } from '../../src/platform/outbound/outbound.ts'
import type { Paying } from '../../src/core/payments/attempts/paying.ts'
import type { Refunding } from '../../src/modules/refunds/refunding.ts'
import { makeSavedMethods } from '../../src/modules/saved-methods/settle.ts'
import { makeNetworks } from '../../src/app/networks.ts'
import { startNetworks, type Networks } from '../../test/support/networks/start-networks.ts'
import { testSecrets } from '../../test/support/secrets.ts'
import { openTill, type Till } from '../../test/support/till.ts'

// A till whose merchant takes live payments at the networks' stand-ins, and processes of ours that are gone at a chosen moment.

export type LiveTill = {
  readonly till: Till
  readonly networks: Networks
  /** A process that lives. */
  readonly healthy: Paying
  /** One that is gone before or after it called a network. */
  goneAround(verb: Verb, moment: 'before' | 'after'): Paying
  /** In the transaction that writes the result and its notification. */
  goneInCommit(): Paying
  refundingOf(paying: Paying): Refunding
  /** The time limit of every call in flight is over: a network that hangs costs no waiting. */
  timeOut(): void
  close(): Promise<void>
}

export type Verb = 'open' | 'fetch' | 'capture' | 'refund' | 'chargeSaved' | 'withdraw' | 'forget'

export const isGone = 'The server is gone'

async function die(): Promise<never> {
  throw new Error(isGone)
}

export async function openLiveTill(): Promise<LiveTill> {
  const till = await openTill()
  const { outbound, timeOut } = withTimeLimitByHand(makeOutbound())
  const networks = await startNetworks({ now: till.paying.now })
  networks.paystack.refundsAre = 'processed'
  const real = makeNetworks(urlsOf(networks), outbound, till.paying.now)
  const stored = networks.accounts.map(({ connector, credentials }) => {
    return { id: `acc_${connector}`, connector, credentials, sandbox: true }
  })
  const accounts = {
    of: async () => stored,
    byId: async (_: number, id: string) => stored.find((one) => one.id === id),
  }
  const savedMethods = makeSavedMethods({ db: till.db, secrets: testSecrets })
  const payingWith = (more: Partial<Paying>): Paying =>
    till.withBank({}, { connectors: real, accounts, savedMethods, ...more })
  /** Nothing is done after it, not even noting that no answer came: the log is the first thing that would be told. */
  const warn = (): never => {
    throw new Error(isGone)
  }
  const log = Object.assign(Object.create(till.paying.log) as Paying['log'], { warn })
  return {
    till,
    networks,
    healthy: payingWith({}),
    goneAround: (verb, moment) =>
      payingWith({
        log,
        connectors: real.map((network) => ({ ...network, ...dying(network, verb, moment) })),
      }),
    goneInCommit: () => payingWith({ log, outbox: { ...till.paying.outbox, write: die } }),
    refundingOf: (paying) => ({
      db: paying.db,
      log: paying.log,
      now: paying.now,
      paying,
      findMerchant: async (merchantId) => readMerchant(till.db, merchantId),
      metrics: { refundMoved: () => {} },
    }),
    timeOut,
    async close() {
      await networks.close()
      await outbound.close()
      await till.close()
    },
  }
}

function withTimeLimitByHand(outbound: Outbound): { outbound: Outbound; timeOut: () => void } {
  const inFlight = new Set<AbortController>()
  const send: Outbound['send'] = async (call) => {
    const limit = new AbortController()
    inFlight.add(limit)
    const signal = AbortSignal.any([call.signal, limit.signal])
    return outbound.send({ ...call, signal }).finally(() => inFlight.delete(limit))
  }
  return { outbound: { ...outbound, send }, timeOut: () => inFlight.forEach((limit) => limit.abort()) }
}

function urlsOf({ stripe, gocardless, paystack, paypal }: Networks) {
  return {
    STRIPE_URL: stripe.url,
    GOCARDLESS_URL: gocardless.url,
    PAYSTACK_URL: paystack.url,
    PAYPAL_URL: paypal.url,
  }
}

function dying(network: HostedConnector, verb: Verb, moment: 'before' | 'after'): Partial<HostedConnector> {
  const call = network[verb] as ((...asked: unknown[]) => Promise<unknown>) | undefined
  if (!call) return {}
  const dies = async (...asked: unknown[]): Promise<never> => {
    if (moment === 'after') await call(...asked)
    return die()
  }
  return { [verb]: dies }
}
