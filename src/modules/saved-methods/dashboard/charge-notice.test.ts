import assert from 'node:assert/strict'
import { test } from 'node:test'
import { factsIn, linksIn, now, pageAsk, wordsOf } from '../../../../test/support/dashboard/page-ask.ts'
import { payment } from '../../../../test/support/dashboard/payment-model.ts'
import { facts } from '../../../dashboard/parts/things.ts'
import { chargeFailureNotice, savedFacts } from './charge-notice.ts'

const id = 'svm_1234567890123456'
const path = `/dashboard/12345678/test/saved-methods/${id}`
const method = {
  id,
  kind: 'card',
  brand: 'Visa',
  last4: '4242',
  expires: '2029-08',
  network: 'stripe',
  usable: true,
}
const later = new Date(now.getTime() + 3_600_000).toISOString()

function notice(failure: object, changes: object = {}, role: 'owner' | 'viewer' = 'owner') {
  const saving = JSON.stringify({ charges: id, method, failure })
  return chargeFailureNotice(pageAsk({ role }), { ...payment, state: 'failed', saving, ...changes })
}

for (const [failure, words, leads] of [
  [
    { code: 'declined', reason: 'insufficient_funds', mayRetry: true, retryAfter: later },
    /declined Not enough money on the card\. You can charge the method again after 18 November 2026, 13:00 UTC\./,
    true,
  ],
  [
    { code: 'declined', reason: 'declined', mayRetry: true, retryAfter: now.toISOString() },
    /You can charge the method again now\./,
    true,
  ],
  [
    { code: 'needs_customer', reason: 'needs_customer', mayRetry: false },
    /The bank wants the customer to approve this charge No money has been taken\. Send them the payment link/,
    false,
  ],
  [
    { code: 'method_ended', reason: 'expired_card', mayRetry: false },
    /can’t be charged any more The card has expired\. Ask the customer/,
    false,
  ],
  [
    { code: 'network_silent', reason: 'network_silent', mayRetry: true },
    /The network never received this charge No money was taken\./,
    true,
  ],
] as const)
  test(`a charge that failed as ${failure.code} (${failure.reason}) says what to do next`, () => {
    const drawn = notice(failure)
    assert.ok(drawn)
    assert.match(wordsOf(drawn), words)
    assert.deepEqual(linksIn(drawn), leads ? { 'Go to the saved method': path } : {})
    assert.deepEqual(linksIn(notice(failure, {}, 'viewer') ?? drawn), {})
    assert.equal(notice(failure, { state: 'success' }), undefined)
    assert.equal(notice(failure, { state: 'cancelled' }), undefined)
  })

test('a payment names the method that it saves, saved or charged', () => {
  const factsOf = (saving: object | null) =>
    factsIn(facts(savedFacts(pageAsk(), { ...payment, saving: saving && JSON.stringify(saving) })))
  const asked = { agreement: 'recurring', customerRef: 'member-7' }
  assert.deepEqual(factsOf(null), {})
  assert.deepEqual(factsOf({ asked }), {
    'Customer agrees to': 'Charges on a schedule',
    'Your reference for them': 'member-7',
  })
  assert.equal(factsOf({ asked, method })['Saved as'], 'Visa •••• 4242')
  assert.deepEqual(factsOf({ charges: id, method }), { 'Charged from': 'Visa •••• 4242' })
})
