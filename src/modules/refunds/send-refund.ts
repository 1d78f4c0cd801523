import type { RefundOrder } from '../../core/networks/connector.ts'
import { DatabaseUnavailable } from '../../platform/errors/database-unavailable.ts'
import { askNetwork, type NoAnswer } from '../../core/payments/attempts/ask-network.ts'
import { keyMemoryMs, unknownChecksMs } from '../../core/payments/attempts/check-schedule.ts'
import { chargeOf } from '../../core/payments/refunding.ts'
import { applyStatus, refundKey, type StatusFrom } from './apply-status.ts'
import { beginSending, scheduleCheck } from './due-store.ts'
import { leaseMs, type Refunding } from './refunding.ts'
import type { RefundRow } from './store.ts'

// How a network is called about a refund. Outside any transaction; what it says ends in apply-status.ts.

/** The first call, by the request itself. Returns the refund's state afterwards, which may be undecided. */
export async function sendRefund(refunding: Refunding, refund: RefundRow): Promise<RefundRow> {
  const { db, log, now } = refunding
  try {
    const sent = await beginSending(db, refundKey(refund), { now: now(), leaseMs })
    if (!sent) {
      // Another refund of this payment is on its way. A worker sends this one as soon as that is known.
      await scheduleCheck(db, refundKey(refund), { checks: 0, at: now() })
      return refund
    }
    const status = await callNetwork(refunding, sent)
    if (status.kind !== 'no_answer') return await applyStatus(refunding, refundKey(sent), status)
    const at = new Date(now().getTime() + unknownChecksMs[0])
    await scheduleCheck(db, refundKey(sent), { checks: 0, at })
    return sent
  } catch (error) {
    // The refund is committed, and a worker continues with it: we must not say that nothing was done.
    if (!(error instanceof DatabaseUnavailable)) throw error
    log.warn({ err: error, ...refundKey(refund) }, 'Could not finish a refund; a worker will continue')
    return refund
  }
}

/** Asks again with the same key while the network remembers it; later it is only asked about. */
export async function callNetwork(refunding: Refunding, refund: RefundRow): Promise<StatusFrom | NoAnswer> {
  const { log, now, paying } = refunding
  return askNetwork(log, async (signal) => {
    const payment = { merchantId: refund.merchant_id, number: refund.number }
    const charge = await chargeOf(paying, payment)
    const order = orderOf(refund, charge)
    const isOld = now().getTime() - order.requestedAt.getTime() >= keyMemoryMs
    const isKnown = refund.state !== 'requested' || refund.refund_reference !== null
    const { connector } = charge
    const status =
      isKnown || isOld ? await charge.fetchRefund(order, signal) : await charge.refund(order, signal)
    return { ...status, connector }
  })
}

function orderOf(
  refund: RefundRow,
  charge: Pick<RefundOrder, 'connectorReference' | 'chargeReference' | 'chargedMinor'>,
): RefundOrder {
  const { connectorReference, chargeReference, chargedMinor } = charge
  return {
    merchantId: refund.merchant_id,
    refundId: refund.id,
    idempotencyKey: refund.id,
    requestedAt: new Date(refund.sent_at ?? refund.created_at),
    connectorReference,
    chargeReference,
    chargedMinor,
    amountMinor: refund.amount_minor,
    currency: refund.currency,
    refundedBeforeMinor: refund.refunded_before_minor ?? 0n,
    refundReference: refund.refund_reference ?? undefined,
  }
}
