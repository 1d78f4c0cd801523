import assert from 'node:assert/strict'
import { test } from 'node:test'
import { wordsOf } from '../../../../test/support/dashboard/page-ask.ts'
import { at } from '../../../../test/support/dashboard/payment-model.ts'
import { refundHappenings } from './part.ts'

const told = (of: object) =>
  refundHappenings(of as never).map(
    ({ title, tone, detail }) =>
      [wordsOf(title), tone, detail === undefined ? undefined : wordsOf(detail)] as const,
  )

test('refunds are told with their amount, reason and failure', () => {
  const refund = {
    amount_minor: 100n,
    currency: 'GBP',
    created_at: at(5),
    refund_ref: 'ref-1',
    reason: null,
    failure: 'card_closed',
  }
  const history = [
    { at: at(6), to_state: 'submitted' },
    { at: at(7), to_state: 'failed' },
  ]
  assert.deepEqual(told({ refund, history }), [
    ['Refund of £1.00 requested', undefined, 'ref-1'],
    ['Refund of £1.00 is with the network', undefined, undefined],
    ['Refund of £1.00 failed', 'bad', 'The customer’s card or account is closed, so the money came back.'],
  ])
  const [requested] = told({ refund: { ...refund, reason: 'Wrong size' }, history: [] })
  assert.equal(requested?.[2], 'ref-1: Wrong size')
})
