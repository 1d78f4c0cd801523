import type {
  Account,
  HostedOrder,
  HostedOrderKey,
  HostedPage,
  HostedStatus,
  Opened,
} from '../../core/networks/hosted.ts'
import { NoAnswer } from '../../core/networks/no-answer.ts'
import { metadataOf } from '../../core/networks/order-metadata.ts'
import { ask, bodyOf, list, memberOf, name, type GoCardlessWay } from './client.ts'
import { moneyOf } from './money.ts'
import type { Resources } from './resources.ts'
import { mandateRequestOf, savedBy } from './saved.ts'

// An order is a billing request for one payment; its flow is the page. The request can be paid once, however many flows
// it had. A flow lives for days and its end can't be set: the order ends by being withdrawn.

type BillingRequest = Resources['billing_requests']

export async function open(
  way: GoCardlessWay,
  account: Account,
  order: HostedOrder,
  page: HostedPage,
  signal: AbortSignal,
): Promise<Opened> {
  const made = await ask(way, account, billingRequestOf(order, page), signal)
  // The key comes before everything else: had it made something earlier, that would have been said.
  if (made.kind === 'refused') return refuse(order, made)
  const id = made.kind === 'made_before' ? made.id : memberOf(made.body, 'billing_requests').id
  const shown = await ask(way, account, flowOf(id, order, page), signal)
  if (shown.kind === 'refused') {
    // A request without a flow can't be paid; one that was made before may have had another flow.
    if (made.kind === 'made_before') throw new NoAnswer(name, `it refused a flow: ${shown.why}`)
    await withdraw(way, account, { ...order, connectorReference: id }, signal)
    return refuse(order, shown)
  }
  const flow = shown.kind === 'made_before' ? await readFlow(way, account, shown.id, signal) : shown.body
  const url = memberOf(flow, 'billing_request_flows').authorisation_url
  if (url === undefined) throw new NoAnswer(name, 'its flow has no URL')
  return { kind: 'open', connectorReference: id, url }
}

function refuse(order: HostedOrder, { reason, why }: { reason: string; why: string }): Opened {
  // A page was shown before, so that something can still be paid: a token that was revoked says nothing about it.
  if (order.connectorReference !== undefined) throw new NoAnswer(name, `it refused: ${why}`)
  return { kind: 'refused', why: `${reason}: ${why}` }
}

function billingRequestOf(order: HostedOrder, page: HostedPage) {
  const metadata = metadataOf(order)
  const description = [page.description, page.merchantName, page.txRef].find((text) => text.trim() !== '')
  return {
    path: '/billing_requests',
    idempotencyKey: order.idempotencyKey,
    send: {
      billing_requests: {
        metadata,
        payment_request: {
          amount: Number(order.amountMinor),
          currency: order.currency,
          description: (description ?? '-').slice(0, 100),
          metadata,
        },
        ...(page.save && { mandate_request: mandateRequestOf(order.currency, metadata) }),
      },
    },
  }
}

function flowOf(billingRequest: string, order: HostedOrder, page: HostedPage) {
  return {
    path: '/billing_request_flows',
    idempotencyKey: `${order.idempotencyKey}-flow`,
    send: {
      billing_request_flows: {
        redirect_uri: page.returnUrl,
        exit_uri: page.cancelUrl,
        language: page.language.slice(0, 2),
        // The amount is asked in one currency; another would be another payment.
        lock_currency: true,
        prefilled_customer: prefilled(page),
        links: { billing_request: billingRequest },
      },
    },
  }
}

function prefilled({ email, firstName, lastName }: HostedPage): Record<string, string> {
  return {
    ...(email !== '' && { email }),
    ...(firstName !== '' && { given_name: firstName }),
    ...(lastName !== '' && { family_name: lastName }),
  }
}

/** Flows have no GET; initialising one again changes nothing and returns it. */
async function readFlow(way: GoCardlessWay, account: Account, id: string, signal: AbortSignal) {
  const path = `/billing_request_flows/${encodeURIComponent(id)}/actions/initialise`
  return bodyOf(await ask(way, account, { path, send: { data: {} } }, signal))
}

export async function fetch(
  way: GoCardlessWay,
  account: Account,
  order: HostedOrderKey,
  signal: AbortSignal,
): Promise<HostedStatus> {
  const found = await readBillingRequest(way, account, order, signal)
  return found ? statusOf(way, account, found, signal) : { kind: 'not_found' }
}

export async function withdraw(
  way: GoCardlessWay,
  account: Account,
  order: HostedOrderKey,
  signal: AbortSignal,
): Promise<HostedStatus> {
  const id = order.connectorReference ?? (await findBillingRequest(way, account, order, signal))?.id
  // A page whose address never reached us was never shown to anybody, so it can't be paid.
  if (id === undefined) return { kind: 'not_found' }
  const path = `/billing_requests/${encodeURIComponent(id)}/actions/cancel`
  const cancelled = await ask(way, account, { path, send: { data: {} } }, signal)
  if (cancelled.kind === 'ok') {
    return statusOf(way, account, memberOf(cancelled.body, 'billing_requests'), signal)
  }
  // Fulfilled, fulfilling or cancelled before: what became of it?
  const status = await fetch(way, account, { ...order, connectorReference: id }, signal)
  if (status.kind === 'open') throw new NoAnswer(name, `it did not cancel ${id}`)
  return status
}

async function readBillingRequest(
  way: GoCardlessWay,
  account: Account,
  order: HostedOrderKey,
  signal: AbortSignal,
): Promise<BillingRequest | undefined> {
  if (order.connectorReference === undefined) return findBillingRequest(way, account, order, signal)
  const path = `/billing_requests/${encodeURIComponent(order.connectorReference)}`
  const body = bodyOf(await ask(way, account, { path }, signal))
  return body && memberOf(body, 'billing_requests')
}

const clocksDifferMs = 10 * 60_000

/** For an answer that was lost: nothing can look for our names, so we read from the newest back to that time. */
async function findBillingRequest(
  way: GoCardlessWay,
  account: Account,
  order: HostedOrderKey,
  signal: AbortSignal,
): Promise<BillingRequest | undefined> {
  const since = order.startedAt.getTime() - clocksDifferMs
  for await (const found of list(way, account, 'billing_requests', {}, signal)) {
    if (found.metadata?.['florin_key'] === order.idempotencyKey) return found
    if (Date.parse(found.created_at) < since) return undefined
  }
  return undefined
}

async function statusOf(
  way: GoCardlessWay,
  account: Account,
  request: BillingRequest,
  signal: AbortSignal,
): Promise<HostedStatus> {
  const { id, status, links } = request
  const paymentId = links?.payment_request_payment
  if (paymentId !== undefined) {
    const path = `/payments/${encodeURIComponent(paymentId)}`
    const body = bodyOf(await ask(way, account, { path }, signal))
    const savedMethod = savedBy(request)
    return { ...statusOfPayment(id, memberOf(body, 'payments')), ...(savedMethod && { savedMethod }) }
  }
  if (status === 'cancelled') return { kind: 'declined', reason: 'challenge_abandoned' }
  return { kind: status === 'pending' ? 'open' : 'pending', connectorReference: id }
}

// `charged_back` was charged too; instant payments have no way to it.
const paid = new Set(['confirmed', 'paid_out', 'charged_back'])
const failed = new Set(['failed', 'cancelled', 'customer_approval_denied'])

function statusOfPayment(connectorReference: string, payment: Resources['payments']): HostedStatus {
  if (failed.has(payment.status)) return { kind: 'declined', reason: 'declined' }
  if (!paid.has(payment.status)) return { kind: 'pending', connectorReference }
  return { kind: 'charged', connectorReference, chargeReference: payment.id, money: moneyOf(payment) }
}
