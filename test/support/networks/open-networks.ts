import { makeGoCardless } from '../../../src/networks/gocardless/gocardless.ts'
import type { Account, RefundOrder } from '../../../src/core/networks/hosted.ts'
import { makePayPal } from '../../../src/networks/paypal/paypal.ts'
import { makePaystack } from '../../../src/networks/paystack/paystack.ts'
import { makeStripe } from '../../../src/networks/stripe/stripe.ts'
import { makeOutbound, type OutboundOptions } from '../../../src/platform/outbound/outbound.ts'
import { makeOrder, makePage, newRefundKey, withReference } from '../hosted-orders.ts'
import { startGoCardless } from './gocardless.ts'
import { authority } from './paypal-certificate.ts'
import { startPayPal } from './paypal.ts'
import { startPaystack } from './paystack/paystack.ts'
import { startStripe } from './stripe.ts'

// A connector with its stand-in and an account there, on a clock that only the test moves.

export type NetworkTls = { readonly key: string; readonly cert: string }

export type OpenOptions = { readonly tls?: NetworkTls; readonly outbound?: OutboundOptions }

function makeClock() {
  let nowMs = Date.now()
  return {
    now: (): Date => new Date(nowMs),
    goOn(ms: number): void {
      nowMs += ms
    },
  }
}

export async function openStripe(options: OpenOptions = {}) {
  const clock = makeClock()
  const network = await startStripe({ ...clock, ...options })
  const outbound = makeOutbound(options.outbound)
  const connector = makeStripe({ outbound, api: network.url, scope: 'local', now: clock.now })
  const credentials = { secret_key: network.secretKey, webhook_secret: 'whsec_test' }
  const account: Account = { id: 'acc_1', credentials, sandbox: true }
  return { ...clock, network, connector, account, close: closing(outbound, network) }
}

export async function openGoCardless(options: OpenOptions = {}) {
  const clock = makeClock()
  const network = await startGoCardless({ ...clock, ...options })
  const outbound = makeOutbound(options.outbound)
  // An account of the sandbox must never reach the live one.
  const apis = { live: 'https://live.invalid', sandbox: network.url }
  const connector = makeGoCardless({ outbound, apis, scope: 'local', now: clock.now })
  const credentials = { access_token: network.accessToken, webhook_secret: 'secret' }
  const account: Account = { id: 'acc_2', credentials, sandbox: true }
  return { ...clock, network, connector, account, close: closing(outbound, network) }
}

export async function openPayPal(options: OpenOptions = {}) {
  const clock = makeClock()
  const network = await startPayPal({ ...clock, ...options })
  const outbound = makeOutbound(options.outbound)
  // Nobody is known at the live one.
  const hosts = { live: `${network.url}/live`, sandbox: network.url }
  const way = { apis: hosts, certificates: hosts, roots: [authority] }
  const connector = makePayPal({ outbound, ...way, scope: 'local', now: clock.now })
  const { clientId: client_id, clientSecret: client_secret } = network
  const credentials = { client_id, client_secret, webhook_id: 'WEBHOOK1' }
  const account: Account = { id: 'acc_3', credentials, sandbox: true }
  return { ...clock, network, connector, account, close: closing(outbound, network) }
}

export async function openPaystack(options: OpenOptions = {}) {
  const clock = makeClock()
  const network = await startPaystack({ ...clock, ...options })
  const outbound = makeOutbound(options.outbound)
  const connector = makePaystack({ outbound, api: network.url, scope: 'local', now: clock.now })
  const account: Account = { id: 'acc_4', credentials: { secret_key: network.secretKey }, sandbox: true }
  return { ...clock, network, connector, account, currency: 'ZAR', close: closing(outbound, network) }
}

const never = new AbortController().signal

type World = Awaited<
  ReturnType<typeof openStripe | typeof openGoCardless | typeof openPayPal | typeof openPaystack>
>

function currencyOf(world: World): string {
  return 'currency' in world ? world.currency : 'GBP'
}

/** Opens a page of £19.99; `reference` is the network's name of the order, and `url` its page. */
export async function openPage(world: World) {
  const currency = currencyOf(world)
  const [method = 'card'] = world.connector.methods(currency)
  const made = makeOrder({ connector: world.connector, currency, method }, 1_999n)
  const page = { ...makePage(), expiresAt: new Date(world.now().getTime() + 3_600_000) }
  const order = { ...made, startedAt: world.now() }
  const opened = await world.connector.open(world.account, order, page, never)
  if (opened.kind !== 'open') throw new Error(`The page was refused: ${opened.why}`)
  return { order: withReference(order, opened), reference: opened.connectorReference, url: opened.url }
}

/** As `openPage`, and paid; with a refund of £5.00 that nobody has asked for yet. */
export async function openPaid(world: World) {
  const { order, reference, url } = await openPage(world)
  world.network.act('flows' in world.network.books ? url.slice(url.lastIndexOf('/') + 1) : reference, 'pay')
  await world.connector.capture?.(world.account, order, never)
  const status = await world.connector.fetch(world.account, order, never)
  if (status.kind !== 'charged') throw new Error(`The order is ${status.kind}`)
  const { connectorReference, chargeReference } = status
  const refund: RefundOrder = {
    ...newRefundKey(),
    merchantId: order.merchantId,
    requestedAt: world.now(),
    connectorReference,
    chargeReference,
    amountMinor: 500n,
    currency: currencyOf(world),
    refundedBeforeMinor: 0n,
    chargedMinor: 1_999n,
  }
  return { order, reference, refund }
}

function closing(...opened: readonly { close(): Promise<void> }[]): () => Promise<void> {
  return async () => {
    for (const each of opened) await each.close()
  }
}
