import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  factsIn,
  formsIn,
  linksIn,
  now,
  pageAsk,
  tableIn,
  wordsOf,
  type AskChanges,
} from '../../../../test/support/dashboard/page-ask.ts'
import { savedMethod } from '../../../../test/support/dashboard/saved-method.ts'
import { disputesSection } from '../../disputes/dashboard/part.ts'
import { refundsSection } from '../../refunds/dashboard/part.ts'
import { methodsSection } from '../../saved-methods/dashboard/part.ts'
import { customerPage, eraseCustomerPage } from './customer-page.ts'
import { customersPage, describePaid } from './list-page.ts'

const home = '/dashboard/12345678/test'
const email = 'ada+1@example.com'
const at = now.toISOString()
const one = 'email=ada%2B1%40example.com'

const sum = {
  email,
  currency: 'GBP',
  payments: 3,
  paid: 2,
  paid_minor: 4_000n,
  refunded_minor: 0n,
  disputed: 0,
  first_at: '2026-11-01T23:30:00.000Z',
}
const yen = {
  ...sum,
  currency: 'JPY',
  payments: 1_234,
  paid_minor: 500n,
  refunded_minor: 1n,
  first_at: '2026-10-31T23:30:00.000Z',
}
const payment = {
  number: '123456789012345678901234',
  tx_ref: 'order-1',
  title: 'Two chairs',
  amount_minor: 4_000n,
  refunded_minor: 0n,
  currency: 'GBP',
  state: 'success',
  late: false,
  dispute: null,
  created_at: at,
}
const dispute = {
  id: 'dsp_1',
  amount_minor: 300n,
  currency: 'GBP',
  state: 'evidence_due',
  tx_ref: 'order-1',
  reason: 'fraudulent',
  opened_at: at,
}
const refund = {
  id: 'rfd_1',
  amount_minor: 200n,
  currency: 'GBP',
  state: 'succeeded',
  tx_ref: 'order-1',
  created_at: at,
}

function page(changes: object = {}, more: object = {}, ask: AskChanges = {}) {
  const customer = {
    email,
    names: ['Ada Lovelace'],
    sums: [sum],
    payments: [payment],
    hasMore: false,
    ...changes,
  }
  const asked = pageAsk(ask)
  const { methods, disputes, refunds } = { refunds: [], disputes: [], methods: [], ...more }
  const sections = [
    methodsSection(asked, methods),
    disputesSection(asked, disputes),
    refundsSection(asked, refunds),
  ]
  return customerPage(asked, { customer, sections } as never).body
}

for (const [names, title, others] of [
  [[], email, undefined],
  [[''], email, undefined],
  [['Ada Lovelace'], 'Ada Lovelace', undefined],
  [['Ada Lovelace', 'A. King', 'Lady L.'], 'Ada Lovelace', 'A. King, Lady L.'],
] as const)
  test(`a customer with ${names.length} names (${names.join(', ')}) is titled ${title}`, () => {
    assert.match(page({ names }).text, new RegExp(`<h1>${title.replace('+', '(\\+|&#43;)')}</h1>`))
    assert.equal(factsIn(page({ names }))['Also as'], others)
  })

test('what a customer paid is shown per currency, and each currency is named once there are two', () => {
  assert.deepEqual(factsIn(page()), {
    Paid: '£40.00 in 2 of 3 payments',
    'First payment': '1 November 2026, 23:30 UTC',
  })
  const budapest = { merchant: { brand: { ...pageAsk().place.merchant.brand, timeZone: 'Europe/Budapest' } } }
  assert.deepEqual(factsIn(page({ sums: [sum, yen] }, {}, budapest)), {
    'Paid (GBP)': '£40.00 in 2 of 3 payments',
    'Paid (JPY)': 'JP¥500 in 2 of 1,234 payments',
    'Refunded (JPY)': 'JP¥1',
    'First payment': '1 November 2026, 00:30 CET',
  })
  assert.ok(!('First payment' in factsIn(page({ sums: [] }))))
})

test('payments, refunds and disputes of a customer are listed where there are any, and lead to their pages', () => {
  assert.doesNotMatch(wordsOf(page()), /Disputes|Refunds/)
  const both = page({}, { refunds: [refund], disputes: [dispute] })
  assert.deepEqual(tableIn(both).rows, [
    ['£40.00', 'success', 'order-1', 'Two chairs', 'just now'],
    ['£3.00', 'needs an answer', 'order-1', 'Fraudulent', 'just now'],
    ['£2.00', 'success', 'order-1', 'just now'],
  ])
  assert.deepEqual(tableIn(both).figures, ['Amount', 'Amount', 'Amount'])
  const links = linksIn(both)
  assert.equal(links['£40.00'], `${home}/payments/${payment.number}`)
  assert.equal(links['£3.00'], `${home}/disputes/dsp_1`)
  assert.equal(links['£2.00'], `${home}/refunds/rfd_1`)
  assert.equal(tableIn(page({ payments: [{ ...payment, title: null }] })).rows[0]?.[3], '')
})

test('saved methods of a customer are listed where there are any, and lead to their pages', () => {
  assert.doesNotMatch(wordsOf(page()), /Saved methods/)
  const drawn = page({ payments: [] }, { methods: [savedMethod({ limit_minor: 5_000n })] })
  assert.deepEqual(tableIn(drawn).rows, [
    ['Visa •••• 4242', 'usable', '08/2029', '£50.00', 'member-7', 'just now'],
  ])
  assert.equal(linksIn(drawn)['Visa •••• 4242'], `${home}/saved-methods/${savedMethod().id}`)
})

test('all payments of a customer are one link away once the page has not all of them', () => {
  assert.ok(!('Show all' in linksIn(page())))
  assert.equal(linksIn(page({ hasMore: true }))['Show all'], `${home}/payments?search=ada%2B1%40example.com`)
})

for (const [role, mayExport, mayErase] of [
  ['owner', true, true],
  ['viewer', false, false],
] as const)
  test(`a person with the role ${role} can${mayErase ? '' : '’t'} download and erase a customer’s data`, () => {
    const drawn = page({}, {}, { role })
    assert.equal(
      formsIn(drawn)['Download all data'],
      mayExport ? `${home}/customers/one/do/export` : undefined,
    )
    assert.equal(
      linksIn(drawn)['Erase customer'],
      mayErase ? `${home}/customers/one/erase?${one}` : undefined,
    )
    assert.equal(wordsOf(drawn).includes('Their data'), mayExport || mayErase)
  })

test('erasing asks first, and leads back to the customer', () => {
  const drawn = eraseCustomerPage(pageAsk(), { email } as never, { form: 'Try again' }).body
  assert.equal(linksIn(drawn)['Keep'], `${home}/customers/one?${one}`)
  assert.equal(formsIn(drawn)['Erase customer'], `${home}/customers/one/erase`)
  assert.match(wordsOf(drawn), /Try again/)
})

const listed = { first_name: 'Ada', last_name: '', email, created_at: at, number: '1', sums: [sum, yen] }
const list = (changes: object = {}, isFirst = true) =>
  customersPage(pageAsk(), { customers: [listed], nextCursor: null, ...changes } as never, isFirst).body

test('a customer is listed with what they paid in each currency, and all their payments', () => {
  assert.deepEqual(tableIn(list()).rows, [[`Ada ${email}`, '£40.00 JP¥500', '1,237', '', 'just now']])
  assert.deepEqual(tableIn(list()).figures, ['Paid', 'Payments'])
  assert.match(list().text, /£40\.00<\/span><br \/>|&#163;40\.00<\/span><br \/>/)
  const disputed = list({ customers: [{ ...listed, sums: [sum, { ...yen, disputed: 1 }] }] })
  assert.equal(tableIn(disputed).rows[0]?.[3], 'disputed')
  assert.equal(Object.values(linksIn(list()))[0], `${home}/customers/one?${one}`)
})

test('a currency in which nothing was paid is left out', () => {
  assert.equal(describePaid([{ ...sum, paid: 0 }] as never), '–')
  assert.equal(wordsOf(describePaid([{ ...sum, paid: 0 }, yen] as never)), 'JP¥500')
  assert.doesNotMatch(String(describePaid([yen] as never)), /<br/)
})

for (const [isFirst, nextCursor, links, words] of [
  [true, null, {}, /No customers yet/],
  [true, 'c', { Older: `${home}/customers?cursor=c` }, /No customers yet/],
  [false, null, { Newest: `${home}/customers` }, /No more customers/],
] as const)
  test(`page ${isFirst ? 'one' : 'two'} of customers with ${nextCursor ?? 'nothing'} after it pages to ${Object.keys(links).join() || 'nothing'}`, () => {
    const drawn = list({ customers: [], nextCursor }, isFirst)
    assert.deepEqual(linksIn(drawn), links)
    assert.match(wordsOf(drawn), words)
  })
