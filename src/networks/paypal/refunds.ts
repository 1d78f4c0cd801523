import type { Account, RefundOrder, RefundStatus } from '../../core/networks/hosted.ts'
import { toPayPal } from './amounts.ts'
import { NoAnswer } from '../../core/networks/no-answer.ts'
import { ask, bodyOf, mustHave, name, type PayPalWay } from './client.ts'
import { readCustomId, refundCustomIdOf } from './custom-id.ts'
import { readOrder } from './orders.ts'
import type { Refund } from './resources.ts'

/** PayPal keeps request ids of refunds for 45 days. One that it forgot would refund again. */
const keyLifeMs = 44 * 24 * 3_600_000

export async function refund(
  way: PayPalWay,
  account: Account,
  order: RefundOrder,
  signal: AbortSignal,
): Promise<RefundStatus> {
  const ageMs = way.now().getTime() - order.requestedAt.getTime()
  if (order.refundReference !== undefined || ageMs > keyLifeMs)
    return fetchRefund(way, account, order, signal)
  const value = toPayPal(order.amountMinor, order.currency)
  if (value === undefined) return { kind: 'failed', reason: 'amount_not_possible' }
  const path = `/v2/payments/captures/${encodeURIComponent(order.chargeReference)}/refund`
  const send = { amount: { currency_code: order.currency, value }, custom_id: refundCustomIdOf(order) }
  const made = await ask(way, account, { path, requestId: order.idempotencyKey, send }, signal)
  if (made.kind === 'ok') return statusOf(mustHave<Refund>(made.body, 'id', 'status'))
  // Credentials that were revoked say nothing about the refund.
  if (made.status === 401 || made.status === 403) bodyOf(made)
  // An earlier call, whose answer was lost, may have made it: that counts, whatever PayPal has against this one.
  const before = await findRefund(way, account, order, signal)
  if (before.kind !== 'not_found') return before
  // An older Florin sent it in other words, and PayPal still knows that.
  if (made.issue === 'DUPLICATE_REQUEST_ID')
    throw new NoAnswer(name, 'it has this refund, and lists it nowhere')
  return { kind: 'failed', reason: made.issue.toLowerCase() }
}

export async function fetchRefund(
  way: PayPalWay,
  account: Account,
  order: RefundOrder,
  signal: AbortSignal,
): Promise<RefundStatus> {
  if (order.refundReference === undefined) return findRefund(way, account, order, signal)
  const path = `/v2/payments/refunds/${encodeURIComponent(order.refundReference)}`
  const body = bodyOf(await ask(way, account, { path }, signal))
  return body ? statusOf(mustHave<Refund>(body, 'id', 'status')) : { kind: 'not_found' }
}

/** PayPal has no list of refunds; an order names all of its own. */
async function findRefund(
  way: PayPalWay,
  account: Account,
  order: RefundOrder,
  signal: AbortSignal,
): Promise<RefundStatus> {
  const found = await readOrder(way, account, order.connectorReference, signal)
  const refunds = found?.purchase_units?.flatMap(({ payments }) => payments?.refunds ?? []) ?? []
  const ours = refunds.find(
    ({ custom_id }) => readCustomId(custom_id).idempotencyKey === order.idempotencyKey,
  )
  return ours ? statusOf(ours) : { kind: 'not_found' }
}

function statusOf({ id, status }: Refund): RefundStatus {
  if (status === 'COMPLETED') return { kind: 'succeeded', refundReference: id }
  if (status === 'FAILED' || status === 'CANCELLED')
    return { kind: 'failed', reason: status.toLowerCase(), refundReference: id }
  return { kind: 'submitted', refundReference: id }
}
