import { isDisputed } from '../../core/payments/disputed/dispute-view.ts'
import { inMerchantTransaction, sqlState, type Transaction } from '../../platform/database/database.ts'
import { randomBase62 } from '../../platform/database/random-id.ts'
import { Refusal } from '../../platform/errors/refusals.ts'
import { recordAct, type Actor } from '../../core/audit/audit.ts'
import { formatAmount } from '../../platform/money/money.ts'
import {
  countRefundRequest,
  lockForRefund,
  type LockedPayment,
  type PaymentRow,
} from '../../core/payments/refunding.ts'
import { leaseMs, type Refunding } from './refunding.ts'
import { sendRefund } from './send-refund.ts'
import { findByRef, findReserved, insertRefund, reserve, type RefundRow } from './store.ts'

// A refund is committed, with what it may take of the payment reserved, before the network is called. Nobody reserves
// more than is left: the payment is locked meanwhile, and the database refuses it besides.

export type RefundRequest = {
  readonly refundRef: string
  /** Undefined: all that is left. */
  readonly amountMinor: bigint | undefined
  readonly reason: string | undefined
}

export type Requested = { readonly refund: RefundRow; readonly isRepeat: boolean }

export async function requestRefund(
  refunding: Refunding,
  payment: Pick<PaymentRow, 'merchant_id' | 'number' | 'mode' | 'amount_minor'>,
  request: RefundRequest,
  by: Actor,
): Promise<Requested> {
  const { db } = refunding
  const of = { merchantId: payment.merchant_id, mode: payment.mode, refundRef: request.refundRef }
  const before = await findByRef(db, of)
  if (before) return { refund: sameAs(before, payment, request), isRepeat: true }
  const merchant = await refunding.findMerchant(payment.merchant_id)
  let refund: RefundRow | undefined
  try {
    refund = await inMerchantTransaction(db, async (tx) =>
      insertLocked(refunding, tx, payment, request, { by, returnsFee: merchant?.refundFees ?? false }),
    )
  } catch (error) {
    if (sqlState(error) !== uniqueViolation) throw error
  }
  // Somebody with the same refund_ref was quicker.
  if (!refund) {
    const known = await findByRef(db, of)
    if (!known) throw new Error('A refund that was refused as known is not known')
    return { refund: sameAs(known, payment, request), isRepeat: true }
  }
  return { refund: await sendRefund(refunding, refund), isRepeat: false }
}

const uniqueViolation = '23505'

async function insertLocked(
  { now }: Refunding,
  tx: Transaction,
  { merchant_id: merchantId, number, mode }: Pick<PaymentRow, 'merchant_id' | 'number' | 'mode'>,
  request: RefundRequest,
  how: { by: Actor; returnsFee: boolean },
): Promise<RefundRow | undefined> {
  const payment = await lockForRefund(tx, { merchantId, number })
  if (!payment) throw new Refusal('not_found', 'Transaction not found')
  // Again, as the previous holder of the lock may have been the same program.
  if (await findByRef(tx, { merchantId, mode, refundRef: request.refundRef })) return undefined
  if (payment.state !== 'success') throw new Refusal('not_refundable', reasons[payment.state])
  // What a bank may take back must not be refunded as well.
  if (isDisputed(payment)) {
    throw new Refusal('not_refundable', 'This payment is disputed: the bank decides who gets the money')
  }
  const amountMinor = amountOf(payment, await findReserved(tx, { merchantId, number }), request.amountMinor)
  const place = await countRefundRequest(tx, payment)
  await reserve(tx, { merchantId, number, paidMinor: payment.amount_minor }, amountMinor)
  const refund = await insertRefund(tx, {
    merchant_id: merchantId,
    id: `rfd_${randomBase62(16)}`,
    number,
    place,
    mode,
    refund_ref: request.refundRef,
    tx_ref: payment.tx_ref,
    reference: payment.reference,
    currency: payment.currency,
    amount_minor: amountMinor,
    asked_all: request.amountMinor === undefined,
    reason: request.reason ?? null,
    returns_fee: how.returnsFee,
    next_check_at: new Date(now().getTime() + leaseMs),
  })
  await recordAct(tx, merchantId, how.by, {
    action: 'refund.requested',
    subject: refund.refund_ref,
    after: {
      mode,
      tx_ref: payment.tx_ref,
      amount_minor: String(amountMinor),
      currency: payment.currency,
    },
  })
  return refund
}

function amountOf(payment: LockedPayment, reservedMinor: bigint, asked: bigint | undefined): bigint {
  const { amount_minor, currency } = payment
  const leftMinor = amount_minor - reservedMinor
  if (leftMinor <= 0n) {
    throw new Refusal('not_refundable', 'All of this payment is refunded, or is being refunded')
  }
  if (asked === undefined) return leftMinor
  if (asked > leftMinor) {
    const left = `${formatAmount(leftMinor, currency)} ${currency}`
    throw new Refusal('more_than_left', `Only ${left} of this payment is left to refund`)
  }
  return asked
}

/** Refuses another refund under the same refund_ref. */
function sameAs(
  known: RefundRow,
  payment: Pick<PaymentRow, 'number' | 'amount_minor'>,
  { amountMinor }: RefundRequest,
): RefundRow {
  const isAll = known.asked_all || known.amount_minor === payment.amount_minor
  const isSameAmount = amountMinor === undefined ? isAll : amountMinor === known.amount_minor
  if (known.number === payment.number && isSameAmount) return known
  const what =
    known.number === payment.number
      ? `another amount: ${formatAmount(known.amount_minor, known.currency)}`
      : 'another transaction'
  throw new Refusal('refund_ref_taken', `refund_ref was used before for ${what}`)
}

const reasons: Readonly<Record<Exclude<PaymentRow['state'], 'success'>, string>> = {
  pending: 'This payment is not paid, so there is nothing to refund',
  failed: 'This payment failed, so there is nothing to refund',
  cancelled: 'This payment was cancelled, so there is nothing to refund',
  expired: 'This payment expired, so there is nothing to refund',
  refunded: 'All of this payment is refunded',
  reversed: 'The bank took the money back, so there is nothing left to refund',
}
