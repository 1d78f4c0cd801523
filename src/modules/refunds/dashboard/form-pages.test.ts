import assert from 'node:assert/strict'
import { test } from 'node:test'
import { factsIn, formsIn, linksIn, pageAsk, wordsOf } from '../../../../test/support/dashboard/page-ask.ts'
import { payment, withPayment } from '../../../../test/support/dashboard/payment-model.ts'
import { confirmRefundPage, refundFormPage } from './form-pages.ts'
import { refundLink } from './part.ts'

for (const [what, changes, leftMinor, role, isOffered] of [
  ['paid', {}, 1_000n, 'owner', true],
  ['paid, for a developer', {}, 1_000n, 'developer', false],
  ['paid and refunded', {}, 0n, 'owner', false],
  ['pending', { state: 'pending' }, 1_000n, 'owner', false],
] as const)
  test(`a payment that is ${what} offers ${isOffered ? 'a' : 'no'} refund`, () => {
    const link = refundLink(pageAsk({ role }), { ...payment, ...changes }, leftMinor)
    assert.equal(link !== undefined && 'Refund' in linksIn(link), isOffered)
  })

const refunding = { payment, leftMinor: 1_000n, refundRef: 'ref-1' }

test('a refund is offered while something is left of a paid payment', () => {
  const shown = (changes: object) => refundFormPage(pageAsk(), { ...refunding, ...changes }).body
  assert.deepEqual(Object.keys(formsIn(shown({}))), ['Continue'])
  assert.match(shown({}).text, /value="10\.00"/)
  assert.match(shown({ typed: { amount: '5' } }).text, /value="5"/)
  for (const changes of [{ leftMinor: 0n }, withPayment({ state: 'reversed' })]) {
    assert.deepEqual(formsIn(shown(changes)), {})
    assert.match(wordsOf(shown(changes)), /nothing left to refund/)
  }
})

test('a refund is confirmed with what goes back and what is kept', () => {
  const request = { amountMinor: 250n, refundRef: 'ref-1', reason: undefined }
  const shown = confirmRefundPage(pageAsk(), { ...refunding, request, paidBy: undefined, kept: '£7.50' }).body
  const facts = factsIn(shown)
  assert.deepEqual(
    [facts['Refund'], facts['You keep'], facts['By'], facts['Reason']],
    ['£2.50', '£7.50', undefined, undefined],
  )
  assert.match(shown.text, /name="amount" value="2\.50"/)
})
