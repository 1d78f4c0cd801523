import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AttemptView } from '../../../core/payments/checkout-view.ts'
import { isWorthATry } from './offers.ts'

const hosted = { accountId: 'acc_1', connector: 'stripe', method: 'card', pageUrl: undefined } as const

for (const [claim, last, expected] of [
  ['before any attempt', undefined, true],
  ['after another card was declined', { state: 'declined', declineReason: 'declined' }, true],
  ['after another saved method was declined', { state: 'declined', savedMethodId: 'svm_2' }, true],
  ['after it was declined', { state: 'declined', declineReason: 'declined', savedMethodId: 'svm_1' }, false],
  [
    'after its customer refused at the bank',
    { state: 'declined', declineReason: 'challenge_refused', savedMethodId: 'svm_1' },
    true,
  ],
  ['after its customer left 3-D Secure', { state: 'abandoned', savedMethodId: 'svm_1' }, true],
  [
    'when its bank wants the customer, who can be asked here',
    { state: 'declined', declineReason: 'needs_customer', savedMethodId: 'svm_1' },
    true,
  ],
  [
    'when its bank wants the customer on the page of the network',
    { state: 'declined', declineReason: 'needs_customer', savedMethodId: 'svm_1', hosted },
    false,
  ],
] as const)
  test(`a saved method is ${expected ? '' : 'not '}offered ${claim}`, () => {
    assert.equal(isWorthATry('svm_1', last as AttemptView | undefined), expected)
  })
