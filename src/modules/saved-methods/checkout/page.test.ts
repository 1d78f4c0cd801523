import assert from 'node:assert/strict'
import { test } from 'node:test'
import { linesOf, makePageModel, type ModelChanges } from '../../../../test/support/page-model.ts'
import type { PaymentRow } from '../../../core/payments/checkout-view.ts'
import type { MethodView } from '../customer/view-method.ts'
import { languages } from '../../../core/checkout/language.ts'
import { payPage } from '../../../core/checkout/pages/pay.ts'
import { methodLink, methodPage } from './page.ts'
import { savedPart } from './part.ts'
import { nameMethod } from './name-method.ts'

const method = {
  agreement: 'recurring',
  limit_minor: null,
  limit_currency: 'GBP',
  kind: 'card',
  brand: 'Visa',
  last4: '4242',
  expires: '2029-08',
  saved_at: '2026-11-15T14:05:00Z',
  ended_at: null,
  ended_by: null,
} as MethodView['method']

function pageOf(
  changes: Partial<MethodView['method']>,
  charges: readonly Partial<PaymentRow>[] = [],
  of: ModelChanges = {},
) {
  const model = makePageModel({ saving: JSON.stringify({ charges: 'svm_1' }), ...of })
  const rows = charges.map((charge) => ({
    merchant_id: 12_345_678,
    number: '9'.repeat(24),
    created_at: '2026-11-16T10:00:00Z',
    amount_minor: 990n,
    currency: 'GBP',
    title: null,
    description: null,
    saving: null,
    ...charge,
  }))
  return methodPage(model, { method: { ...method, ...changes }, charges: rows as PaymentRow[] }).body.text
}

test('each agreement is said in its own words, with its limit', () => {
  assert.match(pageOf({}), /Corner shop charges it on a schedule/)
  assert.doesNotMatch(pageOf({}), /At most/)
  const unscheduled = linesOf(pageOf({ agreement: 'unscheduled', limit_minor: 5000n })).join(' ')
  assert.match(unscheduled, /when you owe something.* At most £50\.00 a day\./)
})

for (const [charge, said] of [
  [{ state: 'success' }, 'Paid'],
  [{ state: 'refunded' }, 'Refunded'],
  [{ state: 'reversed' }, 'Taken back by your bank'],
  [{ state: 'failed' }, 'Not paid'],
  [{ state: 'cancelled' }, 'Not paid'],
  [{ state: 'expired' }, 'Not paid'],
  [{ state: 'pending' }, 'In progress'],
  [
    { state: 'pending', saving: JSON.stringify({ failure: { code: 'needs_customer' } }) },
    'Waiting for you: pay now',
  ],
] as const)
  test(`a ${charge.state} charge reads "${said}"`, () => {
    assert.ok(linesOf(pageOf({}, [charge])).includes(said))
  })

test('a charge that waits for the customer leads to its own payment', () => {
  const waits = { state: 'pending', saving: JSON.stringify({ failure: { code: 'needs_customer' } }) } as const
  assert.match(
    pageOf({}, [waits], { page: { prefix: '/florin' } }),
    /href="\/florin\/payment\/123456789{24}"/,
  )
})

test('without charges the page says so, and once ended it offers nothing to end', () => {
  assert.ok(linesOf(pageOf({})).includes('Nothing has been charged since then.'))
  const ended = pageOf({ ended_at: '2026-11-17T10:00:00Z', ended_by: 'customer' })
  assert.doesNotMatch(ended, /<form/)
  assert.ok(linesOf(ended).includes('This agreement has ended'))
})

test('every language has the page, and names the card from left to right', () => {
  for (const language of languages) {
    const page = pageOf({ limit_minor: 5000n }, [{ state: 'success' }], { code: language.code })
    assert.doesNotMatch(page, /\{\w+\}/, language.code)
    assert.match(nameMethod(method, language), /^\u2066?Visa\u00a0\u2022{4}\u00a04242\u2069?$/)
  }
})

test('a method without brand and digits is named by its kind', () => {
  const [english] = languages
  assert.ok(english)
  const unknown = { brand: null, last4: null }
  assert.equal(nameMethod({ ...unknown, kind: 'card' }, english), 'your saved card')
  assert.equal(nameMethod({ ...unknown, kind: 'debit' }, english), 'your saved bank account')
  assert.equal(nameMethod({ kind: 'debit', brand: 'Monzo', last4: null }, english), 'Monzo')
})

test('only payments with a saved method link to its page, in a new tab where a shop frames them', () => {
  const saving = JSON.stringify({ method: { id: 'svm_1' } })
  assert.equal(methodLink(makePageModel()), false)
  assert.equal(methodLink(makePageModel({ saving: JSON.stringify({ customerRef: 'ada' }) })), false)
  const link = methodLink(makePageModel({ saving }))
  assert.ok(link)
  assert.doesNotMatch(link.text, /target/)
  const embed = { origins: ['https://shop.example'], screen: 'paid' }
  const framed = methodLink(makePageModel({ saving, page: { embed } }))
  assert.ok(framed)
  assert.match(framed.text, /target="_blank" rel="noopener"/)
})

test('with saved methods one button leads the page, and the other ways are plain', () => {
  const saved = [
    { id: 'svm_1', kind: 'card', brand: 'Visa', last4: '4242' },
    { id: 'svm_2', kind: 'card', brand: 'Mastercard', last4: '4444' },
  ] as const
  const offer = {
    accountId: 'acc_1',
    connector: 'stripe',
    label: 'Stripe',
    method: 'card',
    sandbox: false,
  } as const
  for (const mode of ['test', 'live'] as const) {
    const page = {
      parts: [savedPart(saved)],
      ...(mode === 'live' && { offered: { offers: [offer], amountOutOfRange: false } }),
    }
    const drawn = payPage(makePageModel({ mode, state: 'pending', page })).body.text
    assert.equal(drawn.match(/class="go/g)?.length, 1, mode)
    assert.ok(drawn.indexOf('class="go') < drawn.indexOf('id="by-card"'), mode)
    assert.match(drawn, /svm_2/)
  }
})

test('a charge that waits for its customer is no mistake of theirs', () => {
  const waits = { state: 'declined', declineReason: 'needs_customer' } as const
  const page = payPage(
    makePageModel({
      state: 'pending',
      attempt: waits,
      saving: JSON.stringify({ charges: 'svm_1' }),
      page: { parts: [savedPart([])] },
    }),
  )
  assert.equal(page.title, 'Pay Corner shop')
  assert.match(page.body.text, /class="calm-notice" id="declined"/)
  assert.match(page.body.text, /\/saved-method/)
})
