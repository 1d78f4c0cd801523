import type { RefundFailedMail } from './mail/refund-email.ts'
import type { RefundStatus } from '../../core/networks/connector.ts'
import { inMerchantTransaction, type Transaction } from '../../platform/database/database.ts'
import { announceAll } from '../../core/notifications/announce.ts'
import { warnMerchant } from '../../core/notifications/warn-merchant.ts'
import { unknownChecksMs } from '../../core/payments/attempts/check-schedule.ts'
import { warnOfLoss } from '../../core/payments/disputed/warn-of-loss.ts'
import {
  countCameBack,
  countRefunded,
  lockForRefund,
  type LockedPayment,
} from '../../core/payments/refunding.ts'
import { callbackAddress } from '../../core/payments/shop-address.ts'
import { customerOf } from '../../core/payments/transition.ts'
import { feeReturned } from './fee-returned.ts'
import { refundJson } from './present.ts'
import type { Refunding } from './refunding.ts'
import { announcedOn, nextRefundState, type RefundEvent } from './state-machine.ts'
import {
  findReserved,
  findWentBackAt,
  lockRefund,
  moveState,
  reserve,
  sumWithFee,
  type RefundKey,
  type RefundRow,
} from './store.ts'

// The single code path for refunds. A network's direct answer and our look-ups, by the schedule or after a callback,
// all end here, in any order and number. The only writer of a refund's state: refund, history, reserved amount, payment
// and notifications change in one commit.

export type KeyWithPayment = RefundKey & { readonly number: string }

export function refundKey(refund: Pick<RefundRow, 'merchant_id' | 'number' | 'id'>): KeyWithPayment {
  return { merchantId: refund.merchant_id, number: refund.number, id: refund.id }
}

/** A network's answer, and which network it was. */
export type StatusFrom = RefundStatus & { readonly connector: string }

/** Returns the refund as it is afterwards. */
export async function applyStatus(
  refunding: Refunding,
  key: KeyWithPayment,
  status: StatusFrom,
): Promise<RefundRow> {
  const { db, log, now, metrics } = refunding
  return inMerchantTransaction(db, async (tx) => {
    const payment = await lockForRefund(tx, key)
    const before = await lockRefund(tx, key)
    if (!payment || !before) throw new Error('A network reported a refund that does not exist')
    const event = eventOf(status, before)
    const to = event && nextRefundState(before.state, event)
    if (!event || !to) return before
    if (event === 'paid_back_late' && !(await stillFits(tx, payment, before))) {
      log.error(key, 'A failed refund went through after another refund replaced it; check it by hand')
      return before
    }
    const refund = await moveState(tx, key, {
      from: before.state,
      to,
      event,
      refundReference: 'refundReference' in status ? (status.refundReference ?? null) : null,
      failure: failureOf(status),
      feeReturnedMinor: to === 'succeeded' ? await feeOf(tx, payment, before) : 0n,
      nextCheckAt: to === 'submitted' ? new Date(now().getTime() + unknownChecksMs[0]) : null,
    })
    tx.whenEnded((committed) => {
      const of = { mode: refund.mode, connector: status.connector, outcome: refund.state }
      if (committed) metrics.refundMoved(of)
    })
    // The refund is announced before the payment that it ends.
    await announce(refunding, tx, payment, refund)
    if (refund.state === 'failed') await warnOfFailure(refunding, tx, refund, event)
    await movePayment(refunding, tx, payment, refund, event, before.fee_returned_minor)
    return refund
  })
}

function eventOf(status: RefundStatus, { state }: RefundRow): RefundEvent | undefined {
  if (status.kind === 'submitted') return 'accepted'
  if (status.kind === 'succeeded') return state === 'failed' ? 'paid_back_late' : 'paid_back'
  // Asked so late that nothing of ours can be on its way any more: the network never got it.
  if (status.kind === 'not_found') return state === 'requested' ? 'refused' : undefined
  return state === 'succeeded' ? 'came_back' : 'refused'
}

function failureOf(status: RefundStatus): string | null {
  if (status.kind === 'failed') return status.reason
  return status.kind === 'not_found' ? 'never_arrived' : null
}

async function feeOf(tx: Transaction, payment: LockedPayment, refund: RefundRow): Promise<bigint> {
  if (!refund.returns_fee) return 0n
  const { merchant_id: merchantId, number } = payment
  return feeReturned(payment, refund, await sumWithFee(tx, { merchantId, number }))
}

async function stillFits(tx: Transaction, payment: LockedPayment, refund: RefundRow): Promise<boolean> {
  const { merchant_id: merchantId, number, amount_minor, refunded_minor } = payment
  const reserved = await findReserved(tx, { merchantId, number })
  return (
    reserved + refund.amount_minor <= amount_minor && refunded_minor + refund.amount_minor <= amount_minor
  )
}

/** What a refund's new state means for its payment, and for what can still be refunded. */
export async function movePayment(
  { paying }: Refunding,
  tx: Transaction,
  payment: LockedPayment,
  refund: RefundRow,
  event: RefundEvent,
  feeBefore = 0n,
): Promise<void> {
  const { amount_minor: amountMinor } = refund
  const of = { merchantId: payment.merchant_id, number: payment.number, paidMinor: payment.amount_minor }
  if (event === 'paid_back_late') await reserve(tx, of, amountMinor)
  if (event === 'refused' || event === 'came_back') await reserve(tx, of, -amountMinor)
  if (refund.state === 'succeeded') {
    const fee = refund.fee_returned_minor
    warnOfLoss(paying, await countRefunded(paying, tx, payment, amountMinor, fee))
  }
  if (event === 'came_back') {
    const wentBackAt = await findWentBackAt(tx, refundKey(refund))
    await countCameBack(paying, tx, payment, amountMinor, feeBefore, wentBackAt)
  }
}

async function announce(
  { paying }: Refunding,
  tx: Transaction,
  payment: LockedPayment,
  refund: RefundRow,
): Promise<void> {
  const event = announcedOn[refund.state]
  if (!event) return
  await announceAll(paying.outbox, tx, [
    {
      merchantId: refund.merchant_id,
      number: refund.number,
      mode: refund.mode,
      event,
      callbackUrl: callbackAddress(payment, event),
      dialect: payment.dialect,
      dataJson: refundJson(refund),
      customer: {
        ...customerOf(payment, paying.baseUrl),
        refundedMinor: refund.amount_minor,
        refundRef: refund.refund_ref,
        reason: refund.reason ?? undefined,
      },
    },
  ])
}

/** Nobody may have to read events to learn that a customer did not get their money. */
async function warnOfFailure(
  { paying }: Refunding,
  tx: Transaction,
  refund: RefundRow,
  event: RefundEvent,
): Promise<void> {
  const { merchant_id: merchantId, mode } = refund
  await warnMerchant(paying.outbox, tx, { merchantId, mode }, 'refund.failed', {
    template: 'refund_failed',
    cameBack: event === 'came_back',
    failure: refund.failure ?? '',
    amountMinor: String(refund.amount_minor),
    currency: refund.currency,
    refundRef: refund.refund_ref,
    reference: refund.reference,
    txRef: refund.tx_ref,
  } satisfies RefundFailedMail)
}
