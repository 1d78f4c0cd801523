import type { Account, RefundOrder, RefundStatus } from '../../core/networks/hosted.ts'
import { refundMetadataOf } from '../../core/networks/order-metadata.ts'
import { ask, bodyOf, list, memberOf, type GoCardlessWay } from './client.ts'
import type { Resources } from './resources.ts'

/** How long keys are kept is not written down; a day is as long as anybody asks again. */
const keyLifeMs = 23 * 3_600_000

export async function refund(
  way: GoCardlessWay,
  account: Account,
  order: RefundOrder,
  signal: AbortSignal,
): Promise<RefundStatus> {
  const ageMs = way.now().getTime() - order.requestedAt.getTime()
  if (order.refundReference !== undefined || ageMs > keyLifeMs) {
    return fetchRefund(way, account, order, signal)
  }
  const send = {
    refunds: {
      amount: Number(order.amountMinor),
      // The sum after this refund; GoCardless refuses another, so that two at once can't refund too much.
      total_amount_confirmation: Number(order.refundedBeforeMinor + order.amountMinor),
      metadata: refundMetadataOf(order),
      links: { payment: order.chargeReference },
    },
  }
  const { idempotencyKey } = order
  const made = await ask(way, account, { path: '/refunds', idempotencyKey, send }, signal)
  if (made.kind === 'ok') return statusOf(memberOf(made.body, 'refunds'))
  if (made.kind === 'made_before') {
    return fetchRefund(way, account, { ...order, refundReference: made.id }, signal)
  }
  // A token that was revoked says nothing about the refund.
  if (made.status === 401 || made.status === 403) bodyOf(made)
  // An earlier call, whose answer was lost, may have made it: that counts, whatever GoCardless has against this one.
  const before = await findRefund(way, account, order, signal)
  return before.kind === 'not_found' ? { kind: 'failed', reason: made.reason } : before
}

export async function fetchRefund(
  way: GoCardlessWay,
  account: Account,
  order: RefundOrder,
  signal: AbortSignal,
): Promise<RefundStatus> {
  if (order.refundReference !== undefined) {
    const path = `/refunds/${encodeURIComponent(order.refundReference)}`
    const body = bodyOf(await ask(way, account, { path }, signal))
    return body ? statusOf(memberOf(body, 'refunds')) : { kind: 'not_found' }
  }
  return findRefund(way, account, order, signal)
}

/** All of the payment's refunds are looked at: one that is overlooked would count as never made, and be paid twice. */
async function findRefund(
  way: GoCardlessWay,
  account: Account,
  order: RefundOrder,
  signal: AbortSignal,
): Promise<RefundStatus> {
  const ofPayment = { payment: order.chargeReference }
  for await (const found of list(way, account, 'refunds', ofPayment, signal)) {
    if (found.metadata?.['florin_key'] === order.idempotencyKey) return statusOf(found)
  }
  return { kind: 'not_found' }
}

const over = new Set(['cancelled', 'bounced', 'funds_returned', 'failed'])

function statusOf({ id, status }: Resources['refunds']): RefundStatus {
  if (status === 'paid') return { kind: 'succeeded', refundReference: id }
  if (over.has(status)) return { kind: 'failed', reason: status, refundReference: id }
  return { kind: 'submitted', refundReference: id }
}
