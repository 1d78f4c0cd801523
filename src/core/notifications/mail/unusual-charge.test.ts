import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isUnusualCharge, unusualChargeEmail, type UnusualCharge } from './unusual-charge.ts'

const facts: UnusualCharge = {
  template: 'charge_held',
  reference: 'FLR123',
  txRef: 'order-1',
  amountMinor: '1000',
  currency: 'GBP',
  chargedMinor: '1200',
  chargedCurrency: 'EUR',
}

test('the merchant is told what was charged and what was owed, in figures that can be looked up', () => {
  const email = unusualChargeEmail(facts, { merchantName: 'Corner shop', isTest: false })
  const { paragraphs, ...rest } = email
  assert.deepEqual(rest, {
    language: 'en',
    tone: 'bad',
    subject: 'A payment was charged a different amount: order-1',
    from: 'Corner shop',
    heading: 'A payment was charged a different amount',
    amount: undefined,
    greeting: 'Hello,',
    rows: [
      ['Payment', '£10.00'],
      ['Charged', '€12.00'],
      ['Reference', 'FLR123'],
      ['Order', 'order-1'],
    ],
    footer: 'You get this e-mail because you take payments as Corner shop.',
    test: undefined,
  })
  assert.match(paragraphs.join(' '), /took €12\.00 for a payment of £10\.00/)
})

test('an unknown currency is quoted from the network, and test mode is mentioned', () => {
  const stuck = { ...facts, template: 'charge_stuck', chargedCurrency: 'XXZ' } as const
  const { rows, test: named } = unusualChargeEmail(stuck, { merchantName: 'Corner shop', isTest: true })
  assert.deepEqual(rows[1], ['Charged', '1200 XXZ (in its smallest unit)'])
  assert.equal(named, 'This is about test mode. No money is involved.')
})

test('the e-mails about unusual charges read as expected', () => {
  for (const template of ['charge_held', 'charge_surplus', 'charge_after_end', 'charge_stuck'])
    assert.equal(isUnusualCharge({ template }), true)
  for (const template of ['receipt', 'receiver_paused', ''])
    assert.equal(isUnusualCharge({ template }), false)
})
