import type {
  Account,
  HostedOrder,
  HostedOrderKey,
  HostedPage,
  HostedStatus,
  Opened,
} from '../../core/networks/hosted.ts'
import { NoAnswer } from '../../core/networks/no-answer.ts'
import { fromPayPal, toPayPal } from './amounts.ts'
import { ask, bodyOf, mustHave, name, type PayPalAnswer, type PayPalWay } from './client.ts'
import { customIdOf } from './custom-id.ts'
import { itemsOf } from './items.ts'
import type { Capture, Order } from './resources.ts'

// An order is approved by the customer on PayPal's page; money moves when we capture it. PayPal has no list of orders and no way to
// close one: an order whose answer was lost was never shown to anybody, and one that is never captured lapses by itself.

export async function open(
  way: PayPalWay,
  account: Account,
  order: HostedOrder,
  page: HostedPage,
  signal: AbortSignal,
): Promise<Opened> {
  const value = toPayPal(order.amountMinor, order.currency)
  if (value === undefined)
    return { kind: 'refused', why: `PayPal can't write this amount of ${order.currency}` }
  const send = orderOf(order, page, value)
  const request = { path: '/v2/checkout/orders', requestId: order.idempotencyKey, send }
  const made = await ask(way, account, request, signal)
  if (made.kind === 'ok') return opened(mustHave<Order>(made.body, 'id', 'status'))
  // A page was shown before, so the order may still be approved: revoked credentials say nothing about it. And the same
  // request id with other text on the page, such as another language, has created an order that can't be found.
  if (order.connectorReference !== undefined || made.issue === 'DUPLICATE_REQUEST_ID') throw refusalOf(made)
  return { kind: 'refused', why: `${made.issue}: ${made.why}` }
}

function opened(order: Order): Opened {
  const url = pageOf(order)
  if (!isOpen(order) || url === undefined)
    throw new NoAnswer(name, `the order ${order.id} is ${order.status} already, or has no page`)
  return { kind: 'open', connectorReference: order.id, url }
}

/** Nothing in it may depend on when it is sent: PayPal refuses a request id that comes again with other words. */
function orderOf(order: HostedOrder, page: HostedPage, value: string) {
  const text = [page.description, page.merchantName].find((one) => one.trim() !== '') ?? '-'
  const { items, breakdown } = itemsOf(order, page)
  return {
    intent: 'CAPTURE',
    purchase_units: [
      {
        amount: { currency_code: order.currency, value, ...(breakdown && { breakdown }) },
        custom_id: customIdOf(order),
        // No invoice_id: PayPal declines a payment whose invoice_id another shop of the same account has used.
        description: `${text.slice(0, 80)} (${page.txRef.slice(0, 40)})`,
        ...(items && { items }),
        ...(page.statementDescriptor !== undefined && { soft_descriptor: page.statementDescriptor }),
      },
    ],
    payment_source: {
      paypal: {
        ...(page.email !== '' && { email_address: page.email }),
        experience_context: {
          brand_name: page.merchantName.slice(0, 127),
          locale: page.language.slice(0, 2).toLowerCase(),
          user_action: 'PAY_NOW',
          shipping_preference: 'NO_SHIPPING',
          payment_method_preference: 'IMMEDIATE_PAYMENT_REQUIRED',
          return_url: page.returnUrl,
          cancel_url: page.cancelUrl,
        },
      },
    },
  }
}

export async function fetch(
  way: PayPalWay,
  account: Account,
  order: HostedOrderKey,
  signal: AbortSignal,
): Promise<HostedStatus> {
  const found = await readOrder(way, account, order.connectorReference, signal)
  return found ? statusOf(found) : { kind: 'not_found' }
}

/** Nothing is sent: an order that is never captured takes no money, and PayPal lets it lapse. */
export async function withdraw(
  way: PayPalWay,
  account: Account,
  order: HostedOrderKey,
  signal: AbortSignal,
): Promise<HostedStatus> {
  const status = await fetch(way, account, order, signal)
  const isUntaken = status.kind === 'open' || status.kind === 'approved'
  return isUntaken ? { kind: 'declined', reason: 'challenge_abandoned' } : status
}

/** With one request id for good. PayPal captures an order once, even for those who come with another. */
export async function capture(
  way: PayPalWay,
  account: Account,
  order: HostedOrderKey,
  signal: AbortSignal,
): Promise<HostedStatus> {
  const { connectorReference, idempotencyKey } = order
  if (connectorReference === undefined) return { kind: 'not_found' }
  const path = `/v2/checkout/orders/${encodeURIComponent(connectorReference)}/capture`
  const taken = await ask(way, account, { path, requestId: `${idempotencyKey}-capture`, send: {} }, signal)
  if (taken.kind === 'ok') return statusOf(mustHave<Order>(taken.body, 'id', 'status'))
  // Whatever PayPal has against this call, an earlier one whose answer was lost may have taken the money.
  if (taken.status !== 422 && taken.status !== 404) throw refusalOf(taken)
  const status = await fetch(way, account, order, signal)
  if (status.kind !== 'open' && status.kind !== 'approved') return status
  return { kind: 'declined', reason: reasons[taken.issue] ?? 'declined' }
}

/** The approval lapsed, or was taken back by the customer: they may pay again. */
const reasons: Readonly<Record<string, 'challenge_abandoned'>> = {
  ORDER_NOT_APPROVED: 'challenge_abandoned',
  ORDER_EXPIRED: 'challenge_abandoned',
  ORDER_CANNOT_BE_CAPTURED: 'challenge_abandoned',
  PAYER_ACTION_REQUIRED: 'challenge_abandoned',
}

function refusalOf({ status, issue, why }: Extract<PayPalAnswer, { kind: 'refused' }>): NoAnswer {
  return new NoAnswer(name, `it refused the request (${status} ${issue}): ${why}`)
}

export async function readOrder(
  way: PayPalWay,
  account: Account,
  id: string | undefined,
  signal: AbortSignal,
): Promise<Order | undefined> {
  if (id === undefined) return undefined
  const path = `/v2/checkout/orders/${encodeURIComponent(id)}`
  const body = bodyOf(await ask(way, account, { path }, signal))
  return body && mustHave<Order>(body, 'id', 'status')
}

const taken = new Set(['COMPLETED', 'PARTIALLY_REFUNDED', 'REFUNDED'])
const refused = new Set(['DECLINED', 'FAILED'])
const openStates = new Set(['CREATED', 'SAVED', 'PAYER_ACTION_REQUIRED'])

function isOpen({ status }: Order): boolean {
  return openStates.has(status)
}

function statusOf(order: Order): HostedStatus {
  const { id: connectorReference, status } = order
  const captures = order.purchase_units?.[0]?.payments?.captures ?? []
  const counts =
    captures.find((one) => taken.has(one.status)) ?? captures.find((one) => !refused.has(one.status))
  if (counts) return statusOfCapture(connectorReference, counts)
  if (captures.length > 0) return { kind: 'declined', reason: 'declined' }
  if (status === 'APPROVED') return { kind: 'approved', connectorReference }
  if (isOpen(order)) return { kind: 'open', connectorReference, url: pageOf(order) }
  if (status === 'VOIDED') return { kind: 'declined', reason: 'challenge_abandoned' }
  if (status === 'COMPLETED') throw new NoAnswer(name, `${connectorReference} is complete without a capture`)
  return { kind: 'pending', connectorReference }
}

function statusOfCapture(connectorReference: string, { id, status, amount }: Capture): HostedStatus {
  if (!taken.has(status)) return { kind: 'pending', connectorReference, chargeReference: id }
  return { kind: 'charged', connectorReference, chargeReference: id, money: fromPayPal(amount) }
}

function pageOf({ links = [] }: Order): string | undefined {
  return links.find(({ rel }) => rel === 'payer-action' || rel === 'approve')?.href
}
