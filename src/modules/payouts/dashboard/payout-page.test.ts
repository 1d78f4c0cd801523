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
import { html } from '../../../platform/http/html.ts'
import type { NamedLine, Payout } from '../find-payouts.ts'
import type { Balance } from '../read-balance.ts'
import { balancePage } from './balance-page.ts'
import { describeHistory, formatDay, money, payoutPill } from './describe-payout.ts'
import { drawNextMoney } from './next-money.ts'
import { payoutPage } from './payout-page.ts'
import { payoutsPage } from './payouts-page.ts'

const at = now.toISOString()
const home = '/dashboard/12345678/test'
const live = { networks: [{ name: 'stripe', label: 'Stripe' }] }
const ask = pageAsk({ dashboard: { live } })

const payout = {
  id: 'po_1',
  connector: 'stripe',
  reference: 'po_net',
  state: 'arrived',
  amount_minor: 960n,
  currency: 'GBP',
  arrives_on: '2026-11-18',
  bank_reference: 'SHOP-1',
  failure: null,
  lines: 'copied',
  gross_minor: 1_000n,
  fee_minor: 34n,
  tax_minor: 6n,
  difference_minor: 0n,
  made_at: at,
  dealt_with_at: null,
} as unknown as Payout

const line = {
  kind: 'payment',
  type: 'charge',
  currency: 'GBP',
  gross_minor: 1_000n,
  fee_minor: 34n,
  tax_minor: 6n,
  net_minor: 960n,
  booked_at: at,
  number: '42',
  txRef: 'order-1',
} as unknown as NamedLine

function page(changes: object = {}, more: object = {}) {
  const model = {
    history: [],
    atBank: [],
    lines: [line],
    nextCursor: null,
    isFirst: true,
    mayExport: true,
    mayDealWith: true,
  }
  return payoutPage(ask, { ...model, payout: { ...payout, ...changes }, ...more }).body
}

test('a payout shows what it is made of and what the bank shows', () => {
  const shown = factsIn(page())
  assert.equal(shown['Payments and other bookings'], '£10.00')
  assert.equal(shown['Fees'], '−£0.34')
  assert.equal(shown['Tax on fees'], '−£0.06')
  assert.equal(shown['Arrived'], '18 November 2026')
  assert.match(page().text, /value="SHOP-1"/)
  const other = page({ tax_minor: 0n, arrives_on: null, bank_reference: null })
  assert.deepEqual([factsIn(other)['Tax on fees'], factsIn(other)['Arrived']], [undefined, undefined])
  assert.doesNotMatch(wordsOf(other), /On your bank statement/)
})

for (const [what, changes, words] of [
  [
    'failed',
    { state: 'failed', failure: 'account_closed' },
    /Your bank didn’t get this payout The bank account is closed\. The money is with Stripe/,
  ],
  ['came back', { state: 'returned' }, /Your bank sent this payout back/],
  ['doesn’t add up', { difference_minor: 5n }, /The bookings don’t add up.*by £0\.05/],
] as const)
  test(`a payout that ${what} says what to do`, () => {
    assert.match(wordsOf(page(changes)), words)
  })

test('a payout that is well has no problem, and one without a reason gives none', () => {
  assert.doesNotMatch(page().text, /class="problem"/)
  assert.match(wordsOf(page({ state: 'failed' })), /The network gives no reason/)
  assert.match(wordsOf(page({ state: 'failed', failure: 'new_word' })), /The network says: new word\./)
  const shown = page({ state: 'failed' })
  assert.ok('Mark as dealt with' in formsIn(shown))
  assert.ok(!('Mark as dealt with' in formsIn(page({ state: 'failed' }, { mayDealWith: false }))))
  assert.doesNotMatch(page({ state: 'failed', dealt_with_at: at }).text, /class="problem"/)
})

for (const [lines, words, canExport] of [
  ['copied', /Booked Kind Order/, true],
  ['waiting', /still working on the list/, false],
  ['untold', /keeps no list for this payout/, false],
] as const)
  test(`a payout whose lines are ${lines} ${canExport ? 'can' : 'can’t'} be downloaded`, () => {
    const shown = page({ lines })
    assert.match(wordsOf(shown), words)
    assert.equal('Download lines (CSV)' in formsIn(shown), canExport)
    assert.equal(factsIn(shown)['Fees'] !== undefined, canExport)
    assert.ok(!('Download lines (CSV)' in formsIn(page({ lines }, { mayExport: false }))))
  })

for (const [kind, type, words] of [
  ['payment', 'charge', 'Payment'],
  ['refund', 'refund', 'Refund'],
  ['dispute', 'adjustment', 'Dispute'],
  ['fee', 'stripe_fee', 'Fee (stripe fee)'],
  ['adjustment', 'connect_reserve', 'Adjustment (connect reserve)'],
  ['difference', 'difference', 'Difference'],
] as const)
  test(`a booking of the kind ${kind} is called ${words}`, () => {
    const [row = []] = tableIn(page({}, { lines: [{ ...line, kind, type }] })).rows
    assert.deepEqual([row[1], ...row.slice(3)], [words, '£10.00', '£0.40', '£9.60'])
  })

test('a booking leads to its payment where it has one', () => {
  assert.equal(linksIn(page())['order-1'], `${home}/payments/42`)
  for (const changes of [{ txRef: null }, { number: null }])
    assert.equal(tableIn(page({}, { lines: [{ ...line, ...changes }] })).rows[0]?.[2], '')
  assert.deepEqual(tableIn(page()).figures, ['Amount', 'Fee and tax', 'Net'])
})

test('the bookings of a payout are paged', () => {
  assert.ok(!('Older' in linksIn(page())) && !('Newest' in linksIn(page())))
  const later = linksIn(page({}, { nextCursor: 'c', isFirst: false }))
  assert.deepEqual(
    [later['Older'], later['Newest']],
    [`${home}/payouts/po_1?cursor=c`, `${home}/payouts/po_1`],
  )
})

test('what bank statements showed of a payout is listed, and how it went on is told newest first', () => {
  const atBank = [
    { booked_on: '2026-11-18', matched_by: 'reference' },
    { booked_on: '2026-11-20', matched_by: 'return' },
  ]
  assert.equal(
    factsIn(page({}, { atBank }))['At your bank'],
    'Seen on 18 November 2026, Sent back on 20 November 2026',
  )
  assert.equal(factsIn(page())['At your bank'], undefined)
  const history = [
    { at, state: 'on_its_way', failure: null },
    { at, state: 'failed', failure: 'account_closed' },
  ]
  assert.match(
    wordsOf(page({ dealt_with_at: at }, { history })),
    /Marked as dealt with just now Your bank didn’t take the money just now The bank account is closed\. Stripe sent the money to your bank just now/,
  )
})

test('the history of a payout is in words, also when something happens again', () => {
  const states = [
    'announced',
    'on_its_way',
    'arrived',
    'returned',
    'on_its_way',
    'failed',
    'arrived',
  ] as const
  const rows = states.map((state) => ({ at, state, failure: null }))
  assert.deepEqual(
    describeHistory('Stripe', rows).map(([what]) => what),
    [
      'Stripe set the money aside for your bank',
      'Stripe sent the money to your bank',
      'Your bank has the money',
      'Your bank sent the money back',
      'Stripe sent the money again',
      'Your bank didn’t take the money again',
      'Your bank has the money after all',
    ],
  )
})

for (const [state, tone] of [
  ['announced', ''],
  ['on_its_way', ''],
  ['arrived', 'good'],
  ['failed', 'bad'],
  ['returned', 'bad'],
] as const)
  test(`a payout that is ${state} has the tone ${tone || 'calm'}`, () => {
    assert.match(payoutPill(state).text, new RegExp(`class="pill ${tone}"`))
  })

test('a day stays the day that the network named, and an unknown currency is shown in minor units', () => {
  assert.equal(formatDay('2026-03-01'), '1 March 2026')
  assert.equal(wordsOf(money(5n, 'GBP')), '£0.05')
  assert.equal(wordsOf(money(5n, 'XXX')), '5 XXX')
})

function list(changes: object = {}, mode: 'test' | 'live' = 'test') {
  const model = { payouts: [payout], status: '', nextCursor: null, isFirst: true, mayAsk: true }
  return payoutsPage(pageAsk({ mode, dashboard: { live } }), { ...model, ...changes } as never).body
}

test('payouts are listed by state, and paid out or checked at once by who may', () => {
  assert.deepEqual(tableIn(list()).rows, [
    ['£9.60', 'Arrived', 'Stripe', '18 November 2026', 'SHOP-1', 'just now'],
  ])
  assert.deepEqual(tableIn(list()).figures, ['Amount'])
  assert.ok('Pay out now' in formsIn(list()) && 'Check now' in formsIn(list({}, 'live')))
  assert.deepEqual(formsIn(list({ mayAsk: false })), {})
  const bare = tableIn(list({ payouts: [{ ...payout, arrives_on: null, bank_reference: null }] })).rows[0]
  assert.deepEqual(bare?.slice(3, 5), ['', ''])
})

for (const [what, changes, mode, words] of [
  ['in a state', { status: 'failed' }, 'test', /No payout is in this state/],
  ['in test mode', {}, 'test', /pays out every night/],
  ['in live mode', {}, 'live', /When your network sends money/],
] as const)
  test(`no payouts ${what} are explained`, () => {
    assert.match(wordsOf(list({ ...changes, payouts: [] }, mode)), words)
  })

test('the list of payouts keeps its state from page to page', () => {
  const links = linksIn(list({ status: 'failed', nextCursor: 'c', isFirst: false }))
  assert.equal(links['Older'], `${home}/payouts?status=failed&cursor=c`)
  assert.equal(links['Newest'], `${home}/payouts?status=failed`)
  assert.match(list({ status: 'failed' }).text, /status=failed" aria-current="page">Failed/)
  assert.match(list().text, /payouts" aria-current="page">All/)
})

const balance = {
  connector: 'stripe',
  currency: 'GBP',
  pendingMinor: 1n,
  availableMinor: 2n,
  refusedMinor: 0n,
  onItsWayMinor: 3n,
  arrivedMinor: 4n,
  differenceMinor: 0n,
  comparedAt: null,
} as unknown as Balance

test('a balance shows each figure, and when it was compared with the network’s own', () => {
  const shown = (changes: object = {}) => balancePage(ask, [{ ...balance, ...changes }]).body
  assert.deepEqual(tableIn(shown()).rows, [
    ['Stripe, GBP', '£0.02', '£0.01', '£0.00', '£0.03', '£0.04', 'Not possible'],
  ])
  assert.equal(tableIn(shown({ comparedAt: at })).rows[0]?.[6], '18 November 2026, 12:00 UTC')
  assert.equal(tableIn(shown()).figures.length, 5)
  assert.deepEqual(tableIn(shown({ refusedMinor: 2n })).rows[0]?.slice(1, 4), ['£0.00', '£0.01', '£0.02'])
  assert.doesNotMatch(wordsOf(shown()), /another balance/)
  assert.match(wordsOf(shown({ differenceMinor: 5n })), /It holds £0\.05 more than/)
  assert.match(wordsOf(shown({ differenceMinor: -5n })), /It holds £0\.05 less than/)
})

test('a shop without bookings is told how to get some', () => {
  const empty = (mode: 'test' | 'live'): string =>
    wordsOf(balancePage(pageAsk({ mode, dashboard: { live } }), []).body)
  assert.match(empty('test'), /Pay out now/)
  assert.match(empty('live'), /first live payment/)
})

test('money that comes next is added up per currency, and nothing is shown when there is none', () => {
  const drawn = drawNextMoney(ask, [
    balance,
    { ...balance, connector: 'gocardless' },
    { ...balance, currency: 'EUR' },
  ])
  assert.deepEqual(factsIn(drawn ?? html``), {
    'On its way (GBP)': '£0.06',
    'With your networks (GBP)': '£0.06',
    'On its way (EUR)': '€0.03',
    'With your networks (EUR)': '€0.03',
  })
  const refused = { ...balance, refusedMinor: 2n, onItsWayMinor: 0n }
  assert.equal(factsIn(drawNextMoney(ask, [refused]) ?? html``)['With your networks (GBP)'], '£0.01')
  const none = { pendingMinor: 0n, availableMinor: 0n, onItsWayMinor: 0n }
  assert.equal(drawNextMoney(ask, [{ ...balance, ...none }]), undefined)
  for (const name of Object.keys(none))
    assert.ok(drawNextMoney(ask, [{ ...balance, ...none, [name]: 1n }]) !== undefined, name)
})
