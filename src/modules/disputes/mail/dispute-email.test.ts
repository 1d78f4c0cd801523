import assert from 'node:assert/strict'
import { test } from 'node:test'
import { composeMail } from '../../../core/notifications/mail/compose-mail.ts'
import { disputeMails, type DisputeMail } from './dispute-email.ts'

const opened: DisputeMail = {
  template: 'dispute_opened',
  network: 'stripe',
  reason: 'product_not_received',
  evidenceDueAt: '2026-12-01T23:59:59.000000Z',
  moneyTaken: true,
  amountMinor: '2000',
  currency: 'GBP',
  reference: 'FL23456789ABCD',
  txRef: 'order-1',
}
const context = {
  merchantName: 'Corner shop',
  isTest: false,
  at: '2026-11-18T09:12:33.000000Z',
  networkLabel: (name: string) => (name === 'stripe' ? 'Stripe' : name),
}
const written = (facts: DisputeMail): string =>
  composeMail(facts, context, [disputeMails]).text.replaceAll(/\s+/g, ' ')

test('the dispute e-mail says what the bank wants, where the money is, and what to do by when', () => {
  const { subject, html } = composeMail(opened, context, [disputeMails])
  assert.equal(subject, 'A customer disputes a payment: order-1')
  const text = written(opened)
  for (const fact of [
    'asks for £20.00 back',
    'marked as reversed',
    'Respond by 1 December 2026, 23:59 UTC',
    'in the Stripe dashboard',
    'Product not received',
    'FL23456789ABCD',
  ])
    assert.ok(text.includes(fact), fact)
  assert.match(html, /Answer by/)
})

test('the dispute e-mail leads to Florin where Florin passes the answer on', () => {
  const text = written({ ...opened, isAnsweredHere: true })
  assert.match(text, /in your Florin dashboard, under Disputes\. If you/)
  assert.doesNotMatch(text, /in the Stripe dashboard/)
})

test('an inquiry without a deadline says that no money was taken and nothing is due', () => {
  const text = written({ ...opened, moneyTaken: false, evidenceDueAt: null })
  assert.match(text, /No money has been taken so far/)
  assert.match(text, /don’t need to do anything now/)
  assert.doesNotMatch(text, /Answer by/)
})

test('the e-mail about a decided dispute says where the money is', () => {
  assert.match(written({ ...opened, template: 'dispute_won', moneyTaken: false }), /You keep the money/)
  assert.match(written({ ...opened, template: 'dispute_won' }), /until the money arrives/)
  assert.match(written({ ...opened, template: 'dispute_lost' }), /don’t refund it as well/)
  assert.match(written({ ...opened, template: 'dispute_lost', moneyTaken: false }), /No money was taken/)
})

test('an unknown currency is given in its smallest unit', () => {
  assert.match(written({ ...opened, currency: 'XXZ' }), /asks for 2000 XXZ \(in its smallest unit\) back/)
})

test('the loss comes last, with what to send while the dispute is open', () => {
  const loss = 'This payment made a loss of £20.00.'
  assert.match(written({ ...opened, loss }), /made a loss of £20\.00\. Send the bank proof of the refund\./)
  const lost = written({ ...opened, template: 'dispute_lost', loss })
  assert.match(lost, /made a loss of £20\.00\./)
  assert.doesNotMatch(lost, /proof of the refund/)
  assert.doesNotMatch(written({ ...opened, loss: null }), /went out/)
})
