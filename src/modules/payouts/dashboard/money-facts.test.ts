import assert from 'node:assert/strict'
import { test } from 'node:test'
import { factsIn, pageAsk, wordsOf } from '../../../../test/support/dashboard/page-ask.ts'
import { payment } from '../../../../test/support/dashboard/payment-model.ts'
import type { PaidOut, Payout, PayoutLine } from '../find-payouts.ts'
import type { RefundRow } from '../../refunds/find-refunds.ts'
import { facts } from '../../../dashboard/parts/things.ts'
import { describeKept, paymentMoney, refundMoney } from './money-facts.ts'

const live = { networks: [{ name: 'stripe', label: 'Stripe' }] }
const ask = pageAsk({ dashboard: { live } })
const line = { kind: 'payment', currency: 'GBP', fee_minor: 34n, tax_minor: 6n } as PayoutLine
const payout = { id: 'po_1', state: 'arrived', bank_reference: 'SHOP-1' } as Payout
const booked = { lines: [line], payouts: [payout] }
const none: PaidOut = { lines: [], payouts: [] }

function shown(changes: object = {}, paidOut: PaidOut = booked) {
  return factsIn(facts(paymentMoney(ask, { ...payment, ...changes }, paidOut)))
}

test('a payment’s net is what was paid less refunds, disputes and network fees', () => {
  assert.deepEqual(shown({ charge_minor: 0n }), {
    'Network fees': '−£0.40 with £0.06 tax',
    Net: '£9.60',
    Payout: 'SHOP-1 (arrived)',
  })
  const taken = JSON.stringify({ money_taken: true, currency: 'GBP', amount_minor: 700, taken_minor: 700 })
  const back = shown({ refunded_minor: 250n, state: 'reversed', dispute: taken })
  assert.deepEqual([back['Refunds'], back['Disputes'], back['Net']], ['−£2.50', '−£7.00', '£0.10'])
  assert.deepEqual(shown({ state: 'pending' }), {})
})

test('a platform fee is named and never part of net', () => {
  assert.equal(shown()['Platform fee'], '£0.34 not in net')
  assert.equal(shown()['Net'], '£9.60')
})

test('fees that the network hasn’t reported are named, not zero', () => {
  const paid = { charge_minor: 0n, paid_with: JSON.stringify({ network: 'stripe' }) }
  const words = { 'Network fees': 'Not reported by Stripe yet', Net: '£10.00 before network fees' }
  assert.deepEqual(shown(paid, none), words)
  assert.equal(shown({ paid_with: null }, none)['Network fees'], 'Not reported by the network yet')
})

test('fees in another currency stand beside the net', () => {
  const euros = { ...line, currency: 'EUR' }
  const abroad = shown({ charge_minor: 0n }, { ...booked, lines: [euros] })
  assert.deepEqual([abroad['Network fees'], abroad['Net']], ['−€0.40', '£10.00 less €0.40 of fees'])
  assert.equal(shown({}, { ...booked, lines: [line, euros] })['Network fees'], '−£0.40 −€0.40 with £0.06 tax')
})

test('what is kept after a refund is less than what is left, by the network’s fees', () => {
  const kept = (leftMinor: bigint, paidOut: PaidOut) => wordsOf(describeKept(payment, leftMinor, paidOut))
  assert.equal(kept(750n, booked), '£7.10 Your network usually keeps its fees.')
  assert.equal(kept(350n, booked), '£3.10 Your network usually keeps its fees.')
  assert.match(kept(750n, none), /^£7\.50 Less your network’s fees, which it hasn’t reported yet/)
})

test('a refund shows its own fees and payout, and what it cost altogether', () => {
  const refund = { state: 'succeeded', amount_minor: 250n, currency: 'GBP' } as RefundRow
  const of = (changes: object, paidOut: PaidOut) =>
    factsIn(facts(refundMoney(ask, { ...refund, ...changes }, paidOut)))
  assert.deepEqual(of({}, booked), {
    'Network fees': '−£0.40 with £0.06 tax',
    Net: '−£2.90',
    Payout: 'SHOP-1 (arrived)',
  })
  assert.deepEqual(of({}, none), { 'Network fees': 'Not reported yet', Net: '−£2.50' })
  assert.deepEqual(of({ state: 'requested' }, none), {})
  assert.equal(of({ state: 'failed' }, booked)['Net'], '−£0.40')
})

test('payouts are named by their bank reference where they have one', () => {
  assert.equal(shown({}, { ...booked, payouts: [] })['Payout'], 'Not paid out yet')
  assert.equal(
    shown({}, { ...booked, payouts: [{ ...payout, bank_reference: null }] })['Payout'],
    'po_1 (arrived)',
  )
})
