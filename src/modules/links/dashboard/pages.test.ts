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
} from '../../../../test/support/dashboard/page-ask.ts'
import type { LinkRow } from '../find-links.ts'
import { linksPage } from './list-page.ts'
import { askedAmount, linkPage, paidOf, printPage, stateOf } from './pages.ts'

const home = '/dashboard/12345678/test'
const at = (seconds: number): string => new Date(now.getTime() + seconds * 1_000).toISOString()
const link = {
  merchant_id: 12_345_678,
  id: 'lnk_1',
  mode: 'test',
  kind: 'reusable',
  asks_customer: true,
  title: 'Fair',
  description: null,
  currency: 'GBP',
  amount_minor: 500n,
  least_minor: null,
  most_minor: null,
  stock: null,
  taken: 3,
  paid: 3,
  paid_minor: 1_500n,
  ends_at: null,
  paused_at: null,
  created_at: at(0),
} as LinkRow

for (const [changes, words] of [
  [{}, 'open'],
  [{ paused_at: at(0) }, 'paused'],
  [{ ends_at: at(0) }, 'ended'],
  [{ stock: 3 }, 'sold out'],
  [{ stock: 5, taken: 5 }, 'being paid'],
  [{ kind: 'single', stock: 1, taken: 1, paid: 0 }, 'awaiting payment'],
  [{ kind: 'single', stock: 1, taken: 1, paid: 1 }, 'paid'],
] as const)
  test(`a link with ${JSON.stringify(changes)} is ${words}`, () => {
    assert.equal(wordsOf(stateOf({ ...link, ...changes }, now)), words)
  })

for (const [least, most, words] of [
  [null, null, 'any, GBP'],
  [100n, null, 'from £1.00'],
  [null, 200n, 'up to £2.00'],
  [100n, 200n, '£1.00 to £2.00'],
] as const)
  test(`a link without an amount from ${least} to ${most} asks for ${words}`, () => {
    assert.equal(askedAmount({ ...link, amount_minor: null, least_minor: least, most_minor: most }), words)
  })

test('a link counts what is paid, of its stock where it has one', () => {
  assert.equal(wordsOf(paidOf(link)), '3')
  assert.equal(wordsOf(paidOf({ ...link, stock: 2_000 })), '3 of 2,000')
  assert.equal(askedAmount(link), '£5.00')
})

const payment = {
  number: '42',
  merchant_id: 12_345_678,
  amount_minor: 500n,
  currency: 'GBP',
  first_name: 'Ada',
  last_name: '',
  email: 'ada@example.com',
  state: 'success',
  created_at: at(0),
} as const

function page(changes: object = {}, more: object = {}, role: 'owner' | 'viewer' = 'owner', query = {}) {
  const given = { payments: [payment], nextCursor: undefined, ...more }
  return linkPage(pageAsk({ role, query }), { ...link, ...changes }, given as never).body
}

for (const [what, changes, role, actions] of [
  ['open', {}, 'owner', ['Pause']],
  ['paused', { paused_at: at(0) }, 'owner', ['Resume']],
  ['open, for a viewer', {}, 'viewer', []],
  ['for a customer you named', { asks_customer: false }, 'owner', []],
] as const)
  test(`a link that is ${what} offers ${actions.join() || 'nothing'}`, () => {
    assert.deepEqual(Object.keys(formsIn(page(changes, {}, role))), actions)
    assert.equal('Edit' in linksIn(page(changes, {}, role)), actions.length > 0)
  })

for (const [changes, words] of [
  [{}, 'Anyone with the link'],
  [{ kind: 'single' }, 'One customer, who enters their name'],
  [{ kind: 'single', asks_customer: false }, 'One customer you named'],
] as const)
  test(`a link with ${JSON.stringify(changes)} is paid by ${words}`, () => {
    assert.equal(factsIn(page(changes))['Who pays'], words)
  })

test('a link shows its last day in the shop’s zone, and what is being paid', () => {
  assert.equal(factsIn(page({ ends_at: '2026-11-20T00:00:00Z' }))['Open until'], '19 November 2026')
  const facts = factsIn(page())
  assert.deepEqual(
    [facts['Open until'], facts['Being paid'], facts['Description']],
    [undefined, undefined, undefined],
  )
  assert.equal(factsIn(page({ taken: 5 }))['Being paid'], '2')
})

test('a link for a named customer shares the payment itself', () => {
  assert.match(page().text, /value="https:\/\/pay\.example\.com\/[^"]*"/)
  assert.ok('Print' in linksIn(page()))
  const nobody = page({ asks_customer: false }, { payments: [] })
  assert.ok(!('Print' in linksIn(nobody)))
  assert.match(wordsOf(nobody), /No one has used this link yet/)
  assert.match(page({ asks_customer: false }).text, /\/payment\/1234567842"/)
})

test('payments of a link are listed and paged', () => {
  assert.deepEqual(tableIn(page()).rows, [['£5.00', 'Ada', 'ada@example.com', 'success', 'just now']])
  assert.deepEqual(tableIn(page()).figures, ['Amount'])
  assert.ok(!('Older' in linksIn(page())) && !('Newest' in linksIn(page())))
  const later = linksIn(page({}, { nextCursor: 'c' }, 'owner', { cursor: 'b' }))
  assert.deepEqual([later['Older'], later['Newest']], [`${home}/links/lnk_1?cursor=c`, `${home}/links/lnk_1`])
})

test('a poster shows the amount and description where there are any, and that it is a test', () => {
  const poster = (changes: object, mode: 'test' | 'live' = 'test'): string =>
    wordsOf(printPage(pageAsk({ mode }), { ...link, ...changes }, []).body)
  assert.match(poster({ description: 'At the fair' }), /no money moves.*Fair At the fair £5\.00/)
  assert.doesNotMatch(poster({ amount_minor: null }, 'live'), /no money moves|£5\.00/)
})

function list(changes: object = {}, role: 'owner' | 'viewer' = 'owner', query = {}) {
  const {
    filter = { search: '', state: '', kind: '' },
    links = [link],
    nextCursor,
  } = changes as never as {
    filter?: object
    links?: readonly LinkRow[]
    nextCursor?: string
  }
  return linksPage(pageAsk({ role, query }), filter as never, { links, nextCursor }).body
}

for (const [what, changes, query, words, hasFilters] of [
  ['there are none', { links: [] }, {}, /No links yet/, false],
  [
    'none matches',
    { links: [], filter: { search: 'x', state: '', kind: '' } },
    {},
    /No matching links/,
    true,
  ],
  ['there are no older ones', { links: [] }, { cursor: 'c' }, /No older links/, true],
  ['there are some', {}, {}, /Fair open/, true],
] as const)
  test(`the list of links says when ${what}`, () => {
    assert.match(wordsOf(list(changes, 'owner', query)), words)
    assert.equal(list(changes, 'owner', query).text.includes('class="filters"'), hasFilters)
    assert.ok('New link' in linksIn(list(changes, 'owner', query)))
    assert.ok(!('New link' in linksIn(list(changes, 'viewer', query))))
  })

test('figures of links are right-aligned, and pages keep the filter', () => {
  assert.deepEqual(tableIn(list()).figures, ['Amount', 'Paid', 'Received'])
  const filter = { search: 'fair', state: '', kind: '' }
  const later = linksIn(list({ filter, nextCursor: 'c' }, 'owner', { cursor: 'b' }))
  assert.deepEqual(
    [later['Older'], later['Newest']],
    [`${home}/links?search=fair&cursor=c`, `${home}/links?search=fair`],
  )
  assert.ok(!('Newest' in linksIn(list())))
})
