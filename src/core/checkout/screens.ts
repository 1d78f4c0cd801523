import type { Offered } from '../payments/attempts/hosted/offers.ts'
import type { AttemptState, CheckoutView, PaymentState } from '../payments/checkout-view.ts'

// Which screen a customer sees: a table of both states, complete by type. A state without a screen does not compile.

export type Screen =
  /** The customer's e-mail address is missing. */
  | 'email'
  | 'pay'
  | 'challenge'
  | 'waiting'
  | 'paid'
  | 'cancelled'
  | 'expired'
  | 'failed'
  | 'refunded'
  | 'reversed'
  | 'unavailable'

type ByAttempt = Readonly<Record<AttemptState | 'none', Screen>>

const pending: ByAttempt = {
  none: 'pay',
  started: 'waiting',
  action_required: 'challenge',
  submitted: 'waiting',
  unknown: 'waiting',
  // Charged, and the payment's own change is being committed.
  succeeded: 'waiting',
  declined: 'pay',
  abandoned: 'pay',
  held: 'waiting',
  surplus: 'pay',
  returned: 'pay',
  left_open: 'pay',
  not_sent: 'pay',
}

export const screens: Readonly<Record<PaymentState, ByAttempt>> = {
  pending,
  success: whatever('paid'),
  refunded: whatever('refunded'),
  reversed: whatever('reversed'),
  cancelled: ended('cancelled'),
  expired: ended('expired'),
  failed: ended('failed'),
}

export type Seen = {
  readonly view: CheckoutView
  /** The customer came back from the network's page. */
  readonly returned?: boolean
  /** The methods besides a card on our own page. */
  readonly offered?: Offered
}

export function screenOf({ view, returned, offered }: Seen): Screen {
  const screen = basicScreen(view, returned ?? false)
  // Card data never touches our origin in live mode: without a network that takes it elsewhere nothing can be paid.
  const isUnavailable = view.payment.mode === 'live' && (offered?.offers.length ?? 0) === 0
  if (screen !== 'pay') return screen
  if (isUnavailable || view.isSuspended === true) return 'unavailable'
  return view.payment.email === '' ? 'email' : 'pay'
}

/** Changes with everything that can happen to a payment, so that a page can ask whether something has. */
export function stageOf(seen: Seen): string {
  const { lastAttempt } = seen.view
  return [screenOf(seen), lastAttempt?.attempt ?? 0, lastAttempt?.state ?? 'none'].join(' ')
}

/** While a network's own page is open, the customer who is here may still choose; one who came back from it waits. */
export function basicScreen(view: CheckoutView, returned: boolean): Screen {
  const screen = screens[view.payment.state][view.lastAttempt?.state ?? 'none']
  if (screen !== 'challenge' || !view.lastAttempt?.hosted) return screen
  return returned ? 'waiting' : 'pay'
}

function whatever(screen: Screen): ByAttempt {
  return {
    none: screen,
    started: screen,
    action_required: screen,
    submitted: screen,
    unknown: screen,
    succeeded: screen,
    declined: screen,
    abandoned: screen,
    held: screen,
    surplus: screen,
    returned: screen,
    left_open: screen,
    not_sent: screen,
  }
}

/** These pages say that no money was taken, or that it goes back, so they wait until nothing is in flight any more. */
function ended(screen: Screen): ByAttempt {
  return {
    ...whatever(screen),
    started: 'waiting',
    action_required: 'waiting',
    submitted: 'waiting',
    unknown: 'waiting',
    succeeded: 'waiting',
    held: 'waiting',
  }
}
