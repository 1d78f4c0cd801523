import type { DeclineReason, Money, Outcome, SavedMethod } from '../../networks/connector.ts'
import type { StandingAttempt } from './attempt-store.ts'
import { afterReturnMs, openPageChecksMs } from './check-schedule.ts'
import type { AttemptMove } from './move-attempt.ts'
import { endedUnpaid, type AttemptEvent, type AttemptState, type PaymentState } from '../state-machine.ts'

// A network's answer about an attempt, from any network and channel, and what it means for the attempt.

export type NetworkOutcome =
  | Exclude<Outcome, { kind: 'charged' }>
  | {
      readonly kind: 'charged'
      readonly connectorReference: string
      readonly chargeReference?: string | undefined
      /** By the network's own word; the test network's cards go without. */
      readonly money?: Money | undefined
      readonly savedMethod?: SavedMethod | undefined
    }
  /** The network's own page is there. */
  | { readonly kind: 'opened'; readonly connectorReference: string; readonly url: string }
  /** The network refused to open a page; nothing can charge. */
  | { readonly kind: 'not_made'; readonly reason: DeclineReason }
  /** The customer agreed; the network waits to be told to take the money. */
  | { readonly kind: 'approved' }
  /** The customer has finished; the network hasn't decided. `chargeReference`: it was told to take the money. */
  | { readonly kind: 'pending'; readonly chargeReference?: string | undefined }
  /** We gave up a page that the network can't close. */
  | { readonly kind: 'left_open' }

type Owed = { readonly state: PaymentState; readonly amount_minor: bigint; readonly currency: string }

/** The event may be one that must not happen in this state: then nothing moves. */
export function eventOfOutcome(
  word: NetworkOutcome,
  { state, charge_reference }: StandingAttempt,
  payment: Owed,
): AttemptEvent {
  if (word.kind === 'charged') return eventOfCharge(word.money, state, payment)
  if (word.kind === 'declined') return eventOfDecline(word.reason, state)
  // Nobody may take the money for a payment that was paid elsewhere or has ended: the approval is left to lapse.
  if (word.kind === 'approved' && payment.state !== 'pending')
    return eventOfDecline('challenge_abandoned', state)
  const isTold = word.kind === 'pending' && word.chargeReference !== undefined
  if (isTold && state === 'submitted' && charge_reference === null) return 'money_on_its_way'
  return events[word.kind]
}

function eventOfDecline(reason: DeclineReason, state: AttemptState): AttemptEvent {
  if (reason === 'network_silent') return 'never_sent'
  if (reason !== 'challenge_abandoned') return 'refused'
  if (state === 'unknown') return 'closed'
  return state === 'action_required' || state === 'started' ? 'given_up' : 'refused'
}

const events = {
  action_required: 'needs_action',
  no_answer: 'no_answer',
  opened: 'needs_action',
  not_made: 'given_up',
  approved: 'approved',
  pending: 'sent_on',
  left_open: 'page_left',
} as const

const paid: readonly PaymentState[] = ['success', 'refunded', 'reversed']

/**
 * Money for a payment that another attempt has paid is returned, and so is a different amount once we had given the
 * attempt up: a second attempt may be in progress by then. While the attempt is in flight, a different amount is held,
 * which keeps a second one from starting. A page that can't be closed may be paid days after the merchant was told that
 * the payment has ended: that money is returned, too.
 */
function eventOfCharge(money: Money | undefined, state: AttemptState, payment: Owed): AttemptEvent {
  const isAsOwed =
    money === undefined || (money.amountMinor === payment.amount_minor && money.currency === payment.currency)
  const isGivenUp = endedUnpaid.includes(state)
  if (state !== 'succeeded' && (paid.includes(payment.state) || (isGivenUp && !isAsOwed)))
    return 'charged_again'
  if (state === 'left_open' && payment.state !== 'pending') return 'charged_after_end'
  if (!isAsOwed) return 'charged_otherwise'
  return isGivenUp ? 'charged_late' : 'charged'
}

export function factsOfOutcome(word: NetworkOutcome, at: Date): Partial<AttemptMove> {
  if (word.kind === 'no_answer' || word.kind === 'approved') return {}
  if (word.kind === 'left_open') return { declineReason: 'challenge_abandoned' }
  if (word.kind === 'pending') {
    const { chargeReference } = word
    const checkAt = new Date(at.getTime() + afterReturnMs)
    return chargeReference === undefined ? { checkAt } : { checkAt, chargeReference }
  }
  if (word.kind === 'declined' || word.kind === 'not_made') return { declineReason: word.reason }
  const { connectorReference } = word
  if (word.kind === 'action_required') return { connectorReference }
  if (word.kind === 'charged')
    return {
      connectorReference,
      chargeReference: word.chargeReference,
      charged: word.money,
      ...(word.savedMethod && { savedMethod: word.savedMethod }),
    }
  return { connectorReference, pageUrl: word.url, checkAt: new Date(at.getTime() + openPageChecksMs[0]) }
}
