import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DeclineReason } from '../../networks/connector.ts'
import {
  attemptStates,
  nextAttemptState,
  paymentStates,
  type AttemptEvent,
  type AttemptState,
} from '../state-machine.ts'
import type { PaymentState } from '../state-machine.ts'
import { eventOfOutcome, factsOfOutcome, type NetworkOutcome } from './network-word.ts'

const owedMinor = 1_000n

/** What a word means for an attempt in this state, of a payment over £10. */
function eventOf(
  word: NetworkOutcome,
  state: AttemptState,
  paymentState: PaymentState = 'pending',
  charge_reference: string | null = null,
): AttemptEvent {
  const attempt = {
    merchant_id: 1,
    number: '1',
    attempt: 1,
    connector: 'bank',
    state,
    decline_reason: null,
    charge_reference,
  }
  return eventOfOutcome(word, attempt, { state: paymentState, amount_minor: owedMinor, currency: 'GBP' })
}

const asOwed = { amountMinor: owedMinor, currency: 'GBP' }
const charged = (money?: { amountMinor: bigint; currency: string }): NetworkOutcome => ({
  kind: 'charged',
  connectorReference: 'ref',
  money,
})

test('money is counted once, held if the amount differs, and returned if nobody owes it', () => {
  const isGivenUp = (state: AttemptState): boolean =>
    ['declined', 'abandoned', 'left_open', 'not_sent'].includes(state)
  const isPaid = (state: PaymentState): boolean => ['success', 'refunded', 'reversed'].includes(state)
  for (const state of attemptStates)
    for (const paymentState of paymentStates) {
      const about = `${state} of a payment that is ${paymentState}`
      const isSurplus = isPaid(paymentState) && state !== 'succeeded'
      for (const money of [undefined, asOwed]) {
        const isAfterEnd = state === 'left_open' && paymentState !== 'pending'
        const counted = isGivenUp(state) ? 'charged_late' : 'charged'
        const expected = isSurplus ? 'charged_again' : isAfterEnd ? 'charged_after_end' : counted
        assert.equal(eventOf(charged(money), state, paymentState), expected, about)
      }
      for (const money of [
        { ...asOwed, amountMinor: owedMinor - 1n },
        { ...asOwed, amountMinor: owedMinor + 1n },
        { ...asOwed, currency: 'EUR' },
      ]) {
        const expected = isSurplus || isGivenUp(state) ? 'charged_again' : 'charged_otherwise'
        assert.equal(eventOf(charged(money), state, paymentState), expected, about)
      }
    }
})

const leftIn = (state: AttemptState): AttemptEvent => {
  if (state === 'unknown') return 'closed'
  return state === 'started' || state === 'action_required' ? 'given_up' : 'refused'
}

test('an abandoned attempt and an order that never arrived are not declines', () => {
  const declined = (reason: DeclineReason): NetworkOutcome => ({ kind: 'declined', reason })
  for (const state of attemptStates) {
    assert.equal(eventOf(declined('challenge_abandoned'), state), leftIn(state), state)
    assert.equal(eventOf(declined('network_silent'), state), 'never_sent', state)
    assert.equal(eventOf(declined('challenge_refused'), state), 'refused', state)
  }
})

const at = new Date('2026-11-15T12:00:00Z')
const after = (seconds: number): Date => new Date(at.getTime() + seconds * 1_000)

test('every other answer means one thing, and brings its own facts', () => {
  const connectorReference = 'ref'
  const rows: [NetworkOutcome, AttemptEvent, object][] = [
    [{ kind: 'no_answer' }, 'no_answer', {}],
    [{ kind: 'pending' }, 'sent_on', { checkAt: after(5) }],
    [{ kind: 'left_open' }, 'page_left', { declineReason: 'challenge_abandoned' }],
    [{ kind: 'not_made', reason: 'processing_error' }, 'given_up', { declineReason: 'processing_error' }],
    [
      { kind: 'opened', connectorReference, url: 'https://bank.example/1' },
      'needs_action',
      { connectorReference, pageUrl: 'https://bank.example/1', checkAt: after(30) },
    ],
    [{ kind: 'action_required', connectorReference }, 'needs_action', { connectorReference }],
    [{ kind: 'declined', reason: 'insufficient_funds' }, 'refused', { declineReason: 'insufficient_funds' }],
    [
      { kind: 'charged', connectorReference, chargeReference: 'ch', money: asOwed },
      'charged',
      { connectorReference, chargeReference: 'ch', charged: asOwed },
    ],
  ]
  for (const [word, event, facts] of rows) {
    assert.equal(eventOf(word, 'started'), event, word.kind)
    assert.deepEqual(factsOfOutcome(word, at), facts, word.kind)
  }
})

test('an approval counts only while the payment can be paid', () => {
  const approved: NetworkOutcome = { kind: 'approved' }
  for (const state of attemptStates)
    for (const paymentState of paymentStates) {
      const expected = paymentState === 'pending' ? 'approved' : leftIn(state)
      assert.equal(eventOf(approved, state, paymentState), expected)
    }
  assert.deepEqual(
    attemptStates.filter((state) => nextAttemptState(state, 'approved')),
    ['action_required'],
  )
})

test('a capture that takes days is news once', () => {
  const taken: NetworkOutcome = { kind: 'pending', chargeReference: 'ch_1' }
  assert.equal(eventOf(taken, 'submitted'), 'money_on_its_way')
  assert.equal(eventOf(taken, 'submitted', 'pending', 'ch_1'), 'sent_on')
  assert.equal(eventOf({ kind: 'pending' }, 'submitted'), 'sent_on')
  assert.equal(eventOf(taken, 'action_required'), 'sent_on')
  assert.equal(nextAttemptState('submitted', 'sent_on'), undefined)
  assert.equal(factsOfOutcome(taken, new Date()).chargeReference, 'ch_1')
})
