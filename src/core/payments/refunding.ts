import type { RefundOrder, RefundStatus } from '../networks/connector.ts'
import type { Database, Transaction } from '../../platform/database/database.ts'
import { listAttempts, type AttemptRow } from './attempts/attempt-store.ts'
import { accountOf } from './attempts/hosted/account-of.ts'
import { findPaymentRow } from './attempts/hosted/hosted-store.ts'
import type { Paying } from './attempts/paying.ts'
import { formConnectorOf } from './attempts/record-outcome.ts'
import { addRefunded, countRequest } from './refunded-store.ts'
import { lockPayment, type LockedPayment, type PaymentKey, type PaymentRow } from './store.ts'
import { transition, type TransitionDeps } from './transition.ts'

// The door of payments for refunds: what they need to know of a payment, and what they may change of it.

export type { LockedPayment, PaymentKey, PaymentRow }

/** Whoever gives money back, or decides that it did not go, holds this lock. */
export async function lockForRefund(tx: Transaction, key: PaymentKey): Promise<LockedPayment | undefined> {
  return lockPayment(tx, key)
}

/** Returns which refund of the payment this is, from 1. */
export async function countRefundRequest(tx: Transaction, payment: LockedPayment): Promise<number> {
  return countRequest(tx, payment)
}

/** The money went back. When that was all of it, the payment is refunded. */
export async function countRefunded(
  deps: TransitionDeps,
  tx: Transaction,
  payment: LockedPayment,
  amountMinor: bigint,
  feeReturnedMinor: bigint,
): Promise<LockedPayment> {
  const refund = { refunds: 1n, refundedMinor: amountMinor, returnedMinor: feeReturnedMinor } as const
  const counted = await addRefunded(tx, payment, amountMinor, deps.totals?.ofRefund(payment, refund))
  if (counted.refunded_minor !== counted.amount_minor) return counted
  return (await transition(deps, tx, counted, 'refunded_in_full')).payment
}

/** The money had gone back, at that time, and came home again. */
export async function countCameBack(
  deps: TransitionDeps,
  tx: Transaction,
  payment: LockedPayment,
  amountMinor: bigint,
  feeReturnedMinor: bigint,
  wentBackAt: string,
): Promise<LockedPayment> {
  // The state first: a payment is refunded only while all of it went back.
  const { payment: moved } = await transition(deps, tx, payment, 'refund_came_back')
  const refund = {
    refunds: -1n,
    refundedMinor: -amountMinor,
    returnedMinor: -feeReturnedMinor,
    at: wentBackAt,
  } as const
  return addRefunded(tx, moved, -amountMinor, deps.totals?.ofRefund(payment, refund))
}

/** What the network took for a payment, and how to refund it. */
export type Charge = {
  /** Its name. */
  readonly connector: string
  readonly connectorReference: string
  readonly chargeReference: string
  readonly chargedMinor: bigint
  refund(order: RefundOrder, signal: AbortSignal): Promise<RefundStatus>
  fetchRefund(order: RefundOrder, signal: AbortSignal): Promise<RefundStatus>
}

/** Throws if the network or the account is missing: the outcome is unknown then, and it is retried later. */
export async function chargeOf(paying: Paying, key: PaymentKey): Promise<Charge> {
  const [payment, attempt] = await Promise.all([
    findPaymentRow(paying.db, key),
    findSucceeded(paying.db, key),
  ])
  if (!payment || !attempt?.connector_reference) throw new Error('A payment to refund has no charge')
  const { connector_reference: connectorReference, charge_reference } = attempt
  const facts = {
    connector: attempt.connector,
    connectorReference,
    chargeReference: charge_reference ?? connectorReference,
    chargedMinor: attempt.charged_minor ?? payment.amount_minor,
  }
  if (attempt.account_id === null) {
    const connector = formConnectorOf(paying, attempt)
    return {
      ...facts,
      refund: async (order, signal) => connector.refund(order, signal),
      fetchRefund: async (order, signal) => connector.fetchRefund(order, signal),
    }
  }
  const { connector, account } = await accountOf(paying, attempt)
  return {
    ...facts,
    refund: async (order, signal) => connector.refund(account, order, signal),
    fetchRefund: async (order, signal) => connector.fetchRefund(account, order, signal),
  }
}

async function findSucceeded(db: Database, key: PaymentKey): Promise<AttemptRow | undefined> {
  return (await listAttempts(db, key)).find(({ state }) => state === 'succeeded')
}
