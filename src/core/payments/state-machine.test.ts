import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  attemptEvents,
  attemptStates,
  inFlight,
  isLate,
  isUntold,
  nextAttemptState,
  nextPaymentState,
  paymentEvents,
  paymentStates,
  type AttemptEvent,
  type AttemptState,
  type PaymentEvent,
  type PaymentState,
} from './state-machine.ts'

const anyPaymentEvents = fc.array(fc.constantFrom(...(Object.keys(paymentEvents) as PaymentEvent[])))
const anyAttemptEvents = fc.array(fc.constantFrom(...(Object.keys(attemptEvents) as AttemptEvent[])))

// The contract's picture, written a second time and by hand: what may follow what.
const paymentFollowers: Readonly<Record<PaymentState, readonly PaymentState[]>> = {
  pending: ['success', 'failed', 'cancelled', 'expired'],
  success: ['refunded', 'reversed'],
  failed: ['success'],
  cancelled: ['success'],
  expired: ['success'],
  refunded: ['success', 'reversed'],
  reversed: ['success', 'refunded'],
}
const attemptFollowers: Readonly<Record<AttemptState, readonly AttemptState[]>> = {
  started: [
    'action_required',
    'submitted',
    'succeeded',
    'declined',
    'abandoned',
    'unknown',
    'held',
    'surplus',
    'left_open',
    'not_sent',
  ],
  action_required: [
    'submitted',
    'succeeded',
    'declined',
    'abandoned',
    'unknown',
    'held',
    'surplus',
    'left_open',
    'not_sent',
  ],
  // It stays submitted when the network says that a capture takes days.
  submitted: ['submitted', 'succeeded', 'declined', 'unknown', 'held', 'surplus', 'left_open', 'not_sent'],
  unknown: ['succeeded', 'declined', 'abandoned', 'held', 'surplus', 'left_open', 'not_sent'],
  succeeded: [],
  declined: ['succeeded', 'surplus'],
  abandoned: ['succeeded', 'surplus'],
  held: ['succeeded', 'surplus'],
  surplus: ['returned'],
  returned: [],
  left_open: ['succeeded', 'surplus'],
  not_sent: ['succeeded', 'surplus'],
}

function walk<State, Event>(
  from: State,
  events: Event[],
  next: (state: State, event: Event) => State | undefined,
): State[] {
  const states = [from]
  let state = from
  for (const event of events) {
    const to = next(state, event)
    if (to === undefined) continue
    state = to
    states.push(state)
  }
  return states
}

function onlyFollowers<State extends string>(
  states: State[],
  followers: Readonly<Record<State, readonly State[]>>,
): void {
  states.reduce((before, after) => {
    assert.ok(followers[before].includes(after), `${before} was followed by ${after}`)
    return after
  })
}

test('in any order of events a payment only follows the state diagram', () => {
  fc.assert(
    fc.property(anyPaymentEvents, (events) => {
      onlyFollowers(walk('pending', events, nextPaymentState), paymentFollowers)
    }),
  )
})

test('in any order of events an attempt only follows the state diagram', () => {
  fc.assert(
    fc.property(anyAttemptEvents, (events) => {
      onlyFollowers(walk('started', events, nextAttemptState), attemptFollowers)
    }),
  )
})

test('no state is entered twice, except when a bank returns the money', () => {
  fc.assert(
    fc.property(anyPaymentEvents, anyAttemptEvents, (ofPayment, ofAttempt) => {
      const decided = ofPayment.filter((event) => !isUntold(event))
      const payment = walk<PaymentState, PaymentEvent>('pending', decided, nextPaymentState)
      const moved = walk<AttemptState, AttemptEvent>('started', ofAttempt, nextAttemptState)
      const attempt = moved.filter((state, index) => state !== moved[index - 1])
      assert.equal(new Set(payment).size, payment.length)
      assert.equal(new Set(attempt).size, attempt.length)
    }),
  )
})

test('success is final: only refunded and reversed follow it', () => {
  fc.assert(
    fc.property(anyPaymentEvents, (events) => {
      const end = walk<PaymentState, PaymentEvent>('success', events, nextPaymentState).at(-1)
      assert.ok(end === 'success' || end === 'refunded' || end === 'reversed')
    }),
  )
})

test('every state is reachable, and every edge of the diagram has its event', () => {
  for (const from of paymentStates) {
    const reached = (Object.keys(paymentEvents) as PaymentEvent[]).map((event) =>
      nextPaymentState(from, event),
    )
    assert.deepEqual(new Set(reached.filter(Boolean)), new Set(paymentFollowers[from]))
  }
  for (const from of attemptStates) {
    const reached = (Object.keys(attemptEvents) as AttemptEvent[]).map((event) =>
      nextAttemptState(from, event),
    )
    assert.deepEqual(new Set(reached.filter(Boolean)), new Set(attemptFollowers[from]))
  }
})

test('an attempt is in flight until it ends, and held money has not ended', () => {
  const ended: readonly AttemptState[] = [
    'succeeded',
    'declined',
    'abandoned',
    'surplus',
    'returned',
    'left_open',
    'not_sent',
  ]
  for (const state of attemptStates) assert.equal(inFlight.includes(state), !ended.includes(state))
})

test('money is late exactly when it arrives after we ended the payment', () => {
  const late = paymentStates.filter((state) => isLate(state, 'paid'))
  assert.deepEqual(late, ['failed', 'cancelled', 'expired'])
})

test('money returned by a bank announces no second success, which could trigger a second delivery', () => {
  const quiet = (Object.keys(paymentEvents) as PaymentEvent[]).filter(isUntold)
  assert.deepEqual(quiet, ['refund_came_back', 'given_back_by_bank', 'given_back_refunded'])
})
