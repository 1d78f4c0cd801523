import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  linksIn,
  now,
  pageAsk,
  tableIn,
  wordsOf,
  type AskChanges,
} from '../../../test/support/dashboard/page-ask.ts'
import { readFilter } from './filter.ts'
import { describeState, listPage, standingOf } from './list-page.ts'

const home = '/dashboard/12345678/test'
const filter = readFilter((name) => (name === 'search' ? 'ada' : undefined))

function list(changes: object = {}, ask: AskChanges = {}) {
  const model = { filter, page: { payments: [], nextCursor: null }, isFirstPage: true }
  return listPage(pageAsk(ask), { ...model, ...changes } as never).body
}

for (const [count, isExact, words] of [
  [0, true, '0 payments'],
  [1, true, '1 payment'],
  [2, true, '2 payments'],
  [10_000, false, 'more than 10,000 payments'],
] as const)
  test(`a list of ${isExact ? '' : 'more than '}${count} says ${words}`, () => {
    assert.match(wordsOf(list({ count: { count, isExact } })), new RegExp(`^Payments ${words}(?: |$)`))
  })

test('payments are exported by who may, and pages keep the filter', () => {
  assert.equal(linksIn(list())['Export'], `${home}/payments/all/export?search=ada`)
  assert.ok(!('Export' in linksIn(list({}, { role: 'viewer' }))))
  const later = linksIn(list({ page: { payments: [], nextCursor: 'c' }, isFirstPage: false }))
  assert.deepEqual(
    [later['Older'], later['Newest']],
    [`${home}/payments?search=ada&cursor=c`, `${home}/payments?search=ada`],
  )
})

const filtered = (query: Readonly<Record<string, string>>) => readFilter((name) => query[name])
/** The choices of a filter, the chosen one in brackets. */
function choices(name: string, query: Readonly<Record<string, string>>): string[] {
  const { text } = list({ filter: filtered(query) })
  const options = new RegExp(`<select id="${name}"[^]*?</select>`).exec(text)?.[0] ?? ''
  return [...options.matchAll(/<option value="([^"]*)" ?(selected)?>/g)].map(([, value = '', chosen]) =>
    chosen ? `[${value}]` : value,
  )
}

for (const [name, query, expected] of [
  ['currency', {}, ['[]', 'GBP']],
  ['currency', { currency: 'gbp' }, ['', '[GBP]']],
  ['currency', { currency: 'jpy' }, ['', 'GBP', '[JPY]']],
  ['by', {}, ['[]', 'end']],
  ['by', { by: 'end' }, ['', '[end]']],
  ['by', { by: 'reversed' }, ['', 'end', '[reversed]']],
  ['why', {}, []],
  ['why', { why: 'expired' }, ['', '[expired]']],
] as const)
  test(`the filter ${name} of ${JSON.stringify(query)} offers ${expected.join(' ') || 'nothing'}`, () => {
    assert.deepEqual(choices(name, query), expected)
  })

for (const [what, changes, ask, words, links] of [
  ['no matches', {}, {}, /No matching payments/, ['Look in live mode', 'Show all payments']],
  [
    'no matches in live mode',
    {},
    { mode: 'live' },
    /No matching/,
    ['Look in test mode', 'Show all payments'],
  ],
  [
    'no payments',
    { filter: filtered({}) },
    {},
    /No payments yet .* in test mode/,
    ['How to create a payment'],
  ],
  ['no further page', { isFirstPage: false }, {}, /No older payments/, ['Newest']],
] as const)
  test(`a list with ${what} says where to look`, () => {
    const drawn = list(changes, ask)
    assert.match(wordsOf(drawn), words)
    assert.deepEqual(
      Object.keys(linksIn(drawn)).filter((label) => label !== 'Export' && label !== 'Clear'),
      links,
    )
  })

test('the other mode is searched with the same filter', () => {
  assert.equal(linksIn(list())['Look in live mode'], '/dashboard/12345678/live/payments?search=ada')
})

const payment = {
  number: '42',
  tx_ref: 'order-1',
  first_name: 'Ada',
  last_name: '',
  email: 'ada@example.com',
  amount_minor: 500n,
  refunded_minor: 0n,
  currency: 'JPY',
  state: 'success',
  late: false,
  dispute: null,
  created_at: now.toISOString(),
}

test('a payment is listed with its amount, state, reference and customer', () => {
  const drawn = list({
    page: { payments: [payment, { ...payment, number: '43', state: 'pending' }], nextCursor: null },
    lastAttempts: new Map([['43', 'declined']]),
  })
  assert.deepEqual(tableIn(drawn).rows, [
    ['JP¥500', 'success', 'order-1', 'Ada ada@example.com', 'just now'],
    ['JP¥500', 'pending declined', 'order-1', 'Ada ada@example.com', 'just now'],
  ])
  assert.deepEqual(tableIn(drawn).figures, ['Amount'])
  assert.equal(linksIn(drawn)['JP¥500'], `${home}/payments/43`)
})

for (const [changes, attempt, words] of [
  [{}, undefined, 'success'],
  [{}, 'declined', 'success'],
  [{ refunded_minor: 1n }, undefined, 'success part refunded'],
  [{ refunded_minor: 1n, state: 'refunded' }, undefined, 'refunded'],
  [{ late: true }, undefined, 'success late'],
  [{ state: 'pending' }, undefined, 'pending'],
  [{ state: 'pending' }, 'abandoned', 'pending given up'],
  [{ state: 'pending' }, 'held', 'pending needs a decision'],
  [{ state: 'pending' }, 'charged', 'pending'],
] as const)
  test(`a payment with ${JSON.stringify(changes, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value))} after ${attempt ?? 'no attempt'} is ${words}`, () => {
    assert.equal(wordsOf(standingOf({ ...payment, ...changes } as never, attempt)), words)
  })

test('states are written with a capital letter', () => {
  assert.deepEqual(['success', 'unpaid'].map(describeState), ['Success', 'Not paid'])
})

test('a mistake in the filter is shown above the list', () => {
  assert.match(wordsOf(list({ mistakes: { from: 'Enter a day' } })), /Enter a day/)
})
