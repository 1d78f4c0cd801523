import type { DeclineReason } from '../networks/connector.ts'
import type { PaymentMethod } from '../networks/hosted.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { announceAll, type Announcement, type Customer } from '../notifications/announce.ts'
import type { Outbox } from '../notifications/outbox.ts'
import { itemsOf, taxLines, totalOf } from './items.ts'
import { checkoutUrl, methodUrl, transactionJson } from './present.ts'
import { methodIdOf } from './saving/saving.ts'
import { callbackAddress } from './shop-address.ts'
import type { Totals } from './slots/totals.ts'
import type { Mode } from '../merchants/mode.ts'
import {
  announcedOn,
  isLate,
  isUntold,
  nextPaymentState,
  type PaymentEvent,
  type PaymentState,
} from './state-machine.ts'
import {
  moveStates,
  type LockedPayment,
  type PaymentRow,
  type ShownMethod,
  type StateChange,
} from './store.ts'

// The only writer of a payment's state. State, history and notifications share the caller's commit. Many payments move
// in as many statements as one: that is what lets outcomes which arrive together share a commit.

export type Moved =
  | { readonly moved: true; readonly payment: LockedPayment }
  /** The event must not happen in the state that the payment is in; nothing was written. */
  | { readonly moved: false; readonly payment: LockedPayment }

/** The payment method. */
export type PaidWith = {
  /** The connector's name. */
  readonly network: string
  /** On the network's own page; null when a card was typed on ours. */
  readonly method: PaymentMethod | null
  readonly card: { readonly brand: string; readonly last4: string } | null
}

export type Change = {
  readonly payment: LockedPayment
  readonly event: PaymentEvent
  readonly paidWith?: PaidWith
  /** Why the last attempt was declined, of one that failed. */
  readonly failureReason?: DeclineReason
}

/** What a move needs besides the transaction: the outbox, and the base URL for notifications. */
export type TransitionDeps = {
  readonly outbox: Outbox
  readonly baseUrl: string
  readonly metrics: PaymentMetrics
  /** Undefined: nothing is counted. */
  readonly totals: Totals | undefined
}

/** Told once the commit is known. */
export type PaymentMetrics = { paymentMoved(mode: Mode, state: PaymentState): void }

export async function transition(
  deps: TransitionDeps,
  tx: Transaction,
  payment: LockedPayment,
  event: PaymentEvent,
): Promise<Moved> {
  const [moved] = await transitionAll(deps, tx, payment.merchant_id, [{ payment, event }])
  return moved ?? { moved: false, payment } // No test: for the types only
}

/** Payments of one merchant, each at most once; the answers in the order of the changes. */
export async function transitionAll(
  { outbox, baseUrl, metrics, totals }: TransitionDeps,
  tx: Transaction,
  merchantId: number,
  changes: readonly Change[],
): Promise<Moved[]> {
  const allowed = changes.flatMap(allowedChange)
  // No test: saves a statement that would do nothing
  if (allowed.length === 0) return changes.map(({ payment }) => ({ moved: false, payment }))
  const moves = changes.filter(({ payment, event }) => nextPaymentState(payment.state, event))
  const states = await moveStates(tx, merchantId, allowed, totals?.ofMoves(merchantId, moves))
  const results = changes.map(({ payment }): Moved => {
    const state = states.get(payment.number)
    return state ? { moved: true, payment: { ...payment, ...state } } : { moved: false, payment }
  })
  tx.whenEnded((committed) => {
    if (!committed) return
    for (const { moved, payment } of results) if (moved) metrics.paymentMoved(payment.mode, payment.state)
  })
  await announceAll(
    outbox,
    tx,
    results.flatMap(({ moved, payment }, index) => {
      const { event, paidWith } = changes[index] ?? {}
      const isTold = moved && payment.state !== 'pending' && event !== undefined && !isUntold(event)
      if (!isTold) return []
      const announcement = announcementOf(payment, announcedOn[payment.state], baseUrl, paidWith)
      // The customer was not there, and the merchant may try again: whether they are told is the merchant's affair.
      return [event === 'charge_refused' ? { ...announcement, quiet: true as const } : announcement]
    }),
  )
  return results
}

function allowedChange({ payment, event, paidWith, failureReason }: Change): StateChange[] {
  const to = nextPaymentState(payment.state, event)
  if (!to) return []
  const { merchant_id, number, state } = payment
  const late = isLate(state, event)
  const paid_with = paidWith ? shownMethod(paidWith) : null
  const ended = { late, paid_with, failure_reason: failureReason ?? null }
  return [{ merchant_id, number, from_state: state, to_state: to, event, ...ended }]
}

function shownMethod({ network, method, card }: PaidWith): ShownMethod {
  return { kind: method ?? 'card', network, brand: card?.brand ?? null, last4: card?.last4 ?? null }
}

/** What a merchant is sent about a payment, for every event. */
export function announcementOf(
  payment: LockedPayment,
  event: string,
  baseUrl: string,
  paidWith?: PaidWith,
): Announcement {
  return {
    merchantId: payment.merchant_id,
    number: payment.number,
    mode: payment.mode,
    event,
    callbackUrl: callbackAddress(payment, event),
    dialect: payment.dialect,
    dataJson: transactionJson(payment, baseUrl),
    customer: customerOf(payment, baseUrl, paidWith),
  }
}

/** The recipient and the details of mail about a payment. */
export function customerOf(payment: PaymentRow, baseUrl: string, paidWith?: PaidWith): Customer {
  const items = itemsOf(payment)
  return {
    email: payment.email,
    firstName: payment.first_name,
    language: payment.language,
    amountMinor: payment.amount_minor,
    refundedMinor: payment.refunded_minor,
    currency: payment.currency,
    reference: payment.reference,
    txRef: payment.tx_ref,
    receiptUrl: checkoutUrl(payment, baseUrl),
    ...(methodIdOf(payment) !== undefined && { methodUrl: methodUrl(payment, baseUrl) }),
    ...(payment.title !== null && { title: payment.title }),
    ...(payment.invoice_number !== null && { invoiceNumber: payment.invoice_number }),
    ...(items.length > 0 && {
      items: items.map((item) => ({
        name: item.name,
        quantity: item.quantity,
        totalMinor: String(totalOf(item)),
      })),
      taxes: taxLines(items).map(({ rate, name, taxMinor }) => ({
        rate,
        ...(name !== undefined && { name }),
        taxMinor: String(taxMinor),
      })),
    }),
    ...(paidWith && { paidWith }),
  }
}
