import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeFailure } from './describe-failure.ts'

/** What the networks document, and what they refuse refunds with. */
const reasons = [
  ['lost_or_stolen_card', 'card or account is closed'],
  ['expired_or_canceled_card', 'card or account is closed'],
  ['bounced', 'card or account is closed'],
  ['funds_returned', 'card or account is closed'],
  ['insufficient_funds', 'balance at the network did not cover it'],
  ['charge_for_pending_refund_disputed', 'dispute during the refund'],
  ['declined', 'refused the refund'],
  ['merchant_request', 'cancelled in the network’s dashboard'],
  ['canceled', 'cancelled in the network’s dashboard'],
  ['cancelled', 'cancelled in the network’s dashboard'],
  ['charge_already_refunded', 'refund exceeds the payment'],
  ['amount_too_large', 'refund exceeds the payment'],
  ['refund_amount_too_large', 'refund exceeds the payment'],
  ['total_amount_confirmation_invalid', 'refund exceeds the payment'],
  ['resource_missing', 'doesn’t know this payment'],
  ['resource_not_found', 'doesn’t know this payment'],
  ['never_arrived', 'never received it'],
  ['amount_not_possible', 'can’t send this amount'],
] as const

test('every documented reason is explained in plain words, with advice', () => {
  for (const [reason, words] of reasons) {
    const { what, remedy } = describeFailure(reason)
    assert.ok(what.includes(words), `${reason}: ${what}`)
    assert.doesNotMatch(what, /It said/, reason)
    assert.notEqual(remedy, '')
  }
})

test('any other reason is shown as the network reported it', () => {
  assert.match(describeFailure('some_new_reason').what, /It said: some new reason\./)
  assert.doesNotMatch(describeFailure(null).what, /It said/)
  assert.match(describeFailure('constructor').what, /It said: constructor\./)
})
