import {
  makeId,
  type ClosedDisputeStatus,
  type Dispute,
  type Intent,
  type OpenDisputeStatus,
  type Session,
  type StripeBooks,
} from './stripe-books.ts'

import { endCharge, saveCard } from './stripe-saved.ts'

// What happens at Stripe without a call of ours: customers act, banks decide, days go by.

export type StripeAction = 'pay' | 'dispute' | 'decline' | 'pay_later' | 'cancel'

export type Happenings = {
  /** What a customer does on the page, without a browser. */
  readonly act: (sessionId: string, action: StripeAction) => void
  /** Ends a payment that takes days. */
  endLater(sessionId: string, end: 'succeeded' | 'failed'): void
  /** Ends a charge of a saved card that takes days. */
  endCharge(intentId: string, end: 'succeeded' | 'failed'): void
  endRefund(id: string, end: 'succeeded' | 'failed' | 'canceled'): void
  /** By a session that was paid. An inquiry is a bank's question before that, and takes no money. */
  dispute(sessionId: string, kind?: 'inquiry'): Dispute
  /** While it is open: the bank waits for an answer, or reads it. */
  moveDispute(id: string, status: OpenDisputeStatus): void
  endDispute(id: string, status: ClosedDisputeStatus): void
}

type SendEvent = (type: string, object: object) => void

export function makeHappenings(books: StripeBooks, tell: SendEvent): Happenings {
  return {
    act(id, action) {
      const session = books.find(id)
      const intent = books.intents.get(id)
      if (!session || !intent || session.status !== 'open' || action === 'cancel') return
      if (action === 'decline') {
        intent.last_payment_error = { code: 'card_declined', decline_code: 'insufficient_funds' }
        return
      }
      Object.assign(session, { status: 'complete', url: null, payment_intent: intent.id })
      if (action === 'pay_later') intent.status = 'processing'
      else pay(books, session, intent)
      tell('checkout.session.completed', session)
      if (action === 'dispute') this.dispute(id)
    },
    endLater(id, end) {
      const { session, intent } = known(books, id)
      if (end === 'succeeded') pay(books, session, intent)
      else {
        intent.status = 'requires_payment_method'
        intent.last_payment_error = { code: 'payment_method_declined' }
      }
      tell(`checkout.session.async_payment_${end}`, session)
    },
    endCharge: (id, end) => endCharge({ books, tell }, id, end),
    endRefund(id, end) {
      const refund = books.refunds.get(id)
      if (!refund) throw new Error(`there is no refund ${id}`)
      refund.status = end
      if (end === 'failed') refund.failure_reason = 'expired_or_canceled_card'
      if (end !== 'succeeded') books.book('refund_failure', refund.amount, refund.currency, refund)
      tell(end === 'failed' ? 'refund.failed' : 'refund.updated', refund)
    },
    dispute(id, kind) {
      const made = makeDispute(books, known(books, id).intent, kind === 'inquiry')
      tell('charge.dispute.created', made)
      if (kind !== 'inquiry') tell('charge.dispute.funds_withdrawn', made)
      return made
    },
    moveDispute(id, status) {
      const found = knownDispute(books, id)
      found.status = status
      tell('charge.dispute.updated', found)
    },
    endDispute(id, status) {
      const found = knownDispute(books, id)
      found.status = status
      if (status === 'won' && found.balance_transactions.length > 0) {
        books.book('adjustment', found.amount, found.currency, found)
        found.balance_transactions.push({ amount: found.amount })
        tell('charge.dispute.funds_reinstated', found)
      }
      tell('charge.dispute.closed', found)
    },
  }
}

function pay(books: StripeBooks, session: Session, intent: Intent): void {
  session.payment_status = 'paid'
  saveCard(books, session, intent)
  books.charge(intent)
}

function known(books: StripeBooks, id: string): { session: Session; intent: Intent } {
  const session = books.sessions.get(id)
  const intent = books.intents.get(id)
  if (!session || !intent) throw new Error(`there is no session ${id}`)
  return { session, intent }
}

function knownDispute(books: StripeBooks, id: string): Dispute {
  const found = books.disputes.get(id)
  if (!found) throw new Error(`there is no dispute ${id}`)
  return found
}

function makeDispute(books: StripeBooks, intent: Intent, isInquiry: boolean): Dispute {
  const made: Dispute = {
    id: makeId('du'),
    created: books.seconds(),
    object: 'dispute',
    amount: intent.amount_received,
    currency: intent.currency,
    payment_intent: intent.id,
    charge: intent.id.replace('pi_', 'ch_'),
    reason: 'fraudulent',
    metadata: {},
    evidence: {},
    evidence_details: { due_by: books.seconds() + 7 * 86_400, submission_count: 0 },
    status: isInquiry ? 'warning_needs_response' : 'needs_response',
    balance_transactions: isInquiry ? [] : [{ amount: -intent.amount_received }],
  }
  books.disputes.set(made.id, made)
  if (!isInquiry) books.book('adjustment', -made.amount, made.currency, made)
  return made
}
