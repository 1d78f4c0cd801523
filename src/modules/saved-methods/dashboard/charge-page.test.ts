import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  factsIn,
  formsIn,
  linksIn,
  now,
  pageAsk,
  wordsOf,
} from '../../../../test/support/dashboard/page-ask.ts'
import { payment as first } from '../../../../test/support/dashboard/payment-model.ts'
import { savedMethod } from '../../../../test/support/dashboard/saved-method.ts'
import type { MethodRow } from '../find-methods.ts'
import { chargeSavedPage, confirmChargePage } from './charge-page.ts'

const path = '/dashboard/12345678/test/saved-methods/svm_1234567890123456'
const merchant = {
  currencies: new Map([
    ['GBP', 20n],
    ['EUR', 25n],
  ]),
}

function page(changes: Partial<MethodRow> = {}, typed: Record<string, string> = {}, mistakes = {}) {
  const model = { method: savedMethod(changes), first, txRef: 'dashboard-1' }
  return chargeSavedPage(pageAsk({ merchant }), model, new Map(Object.entries(typed)), mistakes).body
}

test('the charge form has a new reference, and the shop’s currencies unless the customer agreed to an amount', () => {
  const { text } = page()
  assert.deepEqual(formsIn(page()), { Continue: `${path}/charge` })
  assert.match(text, /name="tx_ref"[^>]*value="dashboard-1"/)
  assert.match(text, /<option value="GBP" selected[^]*<option value="EUR"/)
  const limited = page({ limit_minor: 5_000n })
  assert.match(wordsOf(limited), /The customer agreed to £50\.00 a day/)
  assert.doesNotMatch(limited.text, /<option value="EUR"/)
})

test('the charge form keeps what was typed, and says why it was refused', () => {
  const typed = {
    amount: 'x',
    currency: 'EUR',
    tx_ref: 'invoice-7',
    email_customer: 'yes',
    description: 'Dues',
  }
  const { text } = page({}, typed, { amount: 'Enter an amount' })
  assert.match(text, /name="amount"[^>]*value="x"/)
  assert.match(text, /value="EUR" selected/)
  assert.match(text, /name="tx_ref"[^>]*value="invoice-7"/)
  assert.match(text, /name="description"[^>]*value="Dues"/)
  assert.match(text, /name="email_customer" value="yes" checked/)
  assert.match(text, /id="amount-error">Enter an amount/)
  assert.doesNotMatch(page().text, / checked/)
})

test('a method that waits or has ended says so before anything is typed', () => {
  const later = new Date(now.getTime() + 60_000).toISOString()
  assert.match(wordsOf(page({ retry_at: later })), /was declined.*until 18 November 2026, 12:01 UTC/)
  assert.doesNotMatch(wordsOf(page({ retry_at: now.toISOString() })), /was declined/)
  const ended = page({ ended_at: now.toISOString(), ended_by: 'network' })
  assert.deepEqual(formsIn(ended), {})
  assert.equal(linksIn(ended)['Go back'], path)
})

test('the confirmation names amount, customer, method and reference, and carries them', () => {
  const request = {
    txRef: 'invoice-7',
    amountMinor: 1_250n,
    currency: 'GBP',
    description: 'Dues',
    callbackUrl: null,
    metaText: null,
    mailsCustomer: true,
  }
  const model = { method: savedMethod(), first }
  const { body } = confirmChargePage(pageAsk(), model, request)
  assert.deepEqual(factsIn(body), {
    Charge: '£12.50',
    From: 'Ada Lovelace ada@example.com',
    With: 'Visa •••• 4242, test network',
    For: 'Dues',
    'Your reference': 'invoice-7',
  })
  assert.deepEqual(formsIn(body), { 'Charge £12.50': `${path}/charge/do/confirm` })
  for (const field of [
    'name="amount" value="12.50"',
    'name="currency" value="GBP"',
    'name="description" value="Dues"',
    'name="tx_ref" value="invoice-7"',
    'name="email_customer" value="yes"',
  ])
    assert.ok(body.text.includes(field), field)
  const plain = confirmChargePage(pageAsk(), model, {
    ...request,
    description: null,
    mailsCustomer: false,
  }).body
  assert.ok(!('For' in factsIn(plain)))
  assert.doesNotMatch(plain.text, /email_customer/)
})
