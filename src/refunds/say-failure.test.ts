import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sayFailure } from './say-failure.ts'

/** What the networks document, and what they refuse refunds with. */
const reasons = [
  ['lost_or_stolen_card', 'card or account that paid is closed'],
  ['expired_or_canceled_card', 'card or account that paid is closed'],
  ['bounced', 'card or account that paid is closed'],
  ['funds_returned', 'card or account that paid is closed'],
  ['insufficient_funds', 'balance at the network did not cover it'],
  ['charge_for_pending_refund_disputed', 'dispute while the refund was under way'],
  ['declined', 'refused to take the money back'],
  ['merchant_request', 'stopped in the dashboard of the network'],
  ['canceled', 'stopped in the dashboard of the network'],
  ['cancelled', 'stopped in the dashboard of the network'],
  ['charge_already_refunded', 'more would go back than was paid'],
  ['amount_too_large', 'more would go back than was paid'],
  ['refund_amount_too_large', 'more would go back than was paid'],
  ['total_amount_confirmation_invalid', 'more would go back than was paid'],
  ['resource_missing', 'does not know this payment'],
  ['resource_not_found', 'does not know this payment'],
  ['never_arrived', 'never got it'],
  ['amount_not_possible', 'can not send this amount'],
] as const

test('every reason that networks document is said in plain words, with what to do', () => {
  for (const [reason, words] of reasons) {
    const { what, remedy } = sayFailure(reason)
    assert.ok(what.includes(words), `${reason}: ${what}`)
    assert.doesNotMatch(what, /It said/, reason)
    assert.notEqual(remedy, '')
  }
})

test('any other reason is shown as the network said it', () => {
  assert.match(sayFailure('some_new_reason').what, /It said: some new reason\./)
  assert.doesNotMatch(sayFailure(null).what, /It said/)
  assert.match(sayFailure('constructor').what, /It said: constructor\./)
})
