import type Stripe from 'stripe'
import type { Account, RefundOrder, RefundStatus } from '../../core/networks/hosted.ts'
import { refundMetadataOf } from '../../core/networks/order-metadata.ts'
import { toStripe } from './amounts.ts'
import { ask, isMissing, list, valueOf, type StripeWay } from './client.ts'

/** Stripe keeps keys for at least 24 h. One that it forgot would refund again. */
const keyLifeMs = 23 * 3_600_000

export async function refund(
  way: StripeWay,
  account: Account,
  order: RefundOrder,
  signal: AbortSignal,
): Promise<RefundStatus> {
  const ageMs = way.now().getTime() - order.requestedAt.getTime()
  if (order.refundReference !== undefined || ageMs > keyLifeMs) {
    return fetchRefund(way, account, order, signal)
  }
  const amount = toStripe(order.amountMinor, order.currency)
  if (amount === undefined) return { kind: 'failed', reason: 'amount_not_possible' }
  const made = await ask(way, account, signal, (stripe) =>
    stripe.refunds.create(
      {
        payment_intent: order.chargeReference,
        amount: Number(amount),
        metadata: refundMetadataOf(order),
      },
      { idempotencyKey: order.idempotencyKey },
    ),
  )
  if (made.kind === 'ok') return statusOf(made.value)
  // A key that was revoked says nothing about the refund.
  if (made.status === 401 || made.status === 403) return valueOf(made)
  // An earlier call, whose answer was lost, may have made it: that counts, whatever Stripe has against this one.
  const before = await findRefund(way, account, order, signal)
  return before.kind === 'not_found' ? { kind: 'failed', reason: made.code } : before
}

export async function fetchRefund(
  way: StripeWay,
  account: Account,
  order: RefundOrder,
  signal: AbortSignal,
): Promise<RefundStatus> {
  const { refundReference } = order
  if (refundReference === undefined) return findRefund(way, account, order, signal)
  const found = await ask(way, account, signal, (stripe) => stripe.refunds.retrieve(refundReference))
  return isMissing(found) ? { kind: 'not_found' } : statusOf(valueOf(found))
}

/** All of the payment's refunds are looked at: one that is overlooked would count as never made, and be paid twice. */
async function findRefund(
  way: StripeWay,
  account: Account,
  order: RefundOrder,
  signal: AbortSignal,
): Promise<RefundStatus> {
  const refunds = list(way, account, signal, async (stripe, page) =>
    stripe.refunds.list({ payment_intent: order.chargeReference, ...page }),
  )
  for await (const found of refunds) {
    if (found.metadata?.['florin_key'] === order.idempotencyKey) return statusOf(found)
  }
  return { kind: 'not_found' }
}

function statusOf({ id, status, failure_reason }: Stripe.Refund): RefundStatus {
  if (status === 'succeeded') return { kind: 'succeeded', refundReference: id }
  if (status === 'failed' || status === 'canceled') {
    return { kind: 'failed', reason: failure_reason ?? status, refundReference: id }
  }
  return { kind: 'submitted', refundReference: id }
}
