import type { AttemptState, CheckoutView, PaymentState } from '../payments/checkout-view.ts'

// Which screen a customer sees: a table of both states, complete by type. A state without a screen does not compile.

export type Screen =
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

export function screenOf(view: CheckoutView): Screen {
  const screen = screens[view.payment.state][view.lastAttempt?.state ?? 'none']
  // Card data never touches our origin in live mode, and no live network is connected to take it elsewhere.
  return screen === 'pay' && view.payment.mode === 'live' ? 'unavailable' : screen
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
  }
}

/** These pages say that no money was taken, so they wait until nothing is in flight any more. */
function ended(screen: Screen): ByAttempt {
  return {
    ...whatever(screen),
    started: 'waiting',
    action_required: 'waiting',
    submitted: 'waiting',
    unknown: 'waiting',
    succeeded: 'waiting',
  }
}
