import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  factsIn,
  linksIn,
  now,
  pageAsk,
  tableIn,
  wordsOf,
  type AskChanges,
} from '../../../test/support/dashboard/page-ask.ts'
import { plainBrand } from '../../core/merchants/brand/brand.ts'
import { noMoney } from '../../modules/payouts/figures/money-totals.ts'
import { drawNextMoney } from '../../modules/payouts/dashboard/next-money.ts'
import { homePage } from './page.ts'
import { drawHome } from '../../modules/figures/dashboard/period-part.ts'

const home = '/dashboard/12345678/test'
const week = {
  name: '7',
  from: '2026-11-12',
  to: '2026-11-18',
  before: { from: '2026-11-05', to: '2026-11-11' },
}
const pounds = { currency: 'GBP', sum: noMoney, before: noMoney, days: [], spans: [], spansBefore: [] }
const none = {
  currencies: [],
  shown: undefined,
  missing: [],
  reasons: [],
  projects: [],
  links: [],
  isWhole: true,
}
const one = { ...none, currencies: [pounds], shown: pounds }
const payment = {
  number: '42',
  amount_minor: 500n,
  currency: 'JPY',
  state: 'success',
  tx_ref: 'order-1',
  email: 'ada@example.com',
  created_at: now.toISOString(),
}

function page(changes: object = {}, ask: AskChanges = {}) {
  const asked = pageAsk(ask)
  const given = { period: week, figures: none, balances: [], ...changes }
  const parts = [
    drawHome(asked, given.period as never, given.figures),
    { body: drawNextMoney(asked, given.balances) },
  ]
  const model = { matters: [], parts, latest: [payment], leadsToStart: false, ...changes }
  return homePage(asked, model as never).body
}
const marked = (text: string): string[] =>
  [...text.matchAll(/aria-current="page">([^<]*)</g)].map(([, label = '']) => label)

for (const [name, label, isOpen] of [
  ['today', 'Today', false],
  ['7', '7 days', false],
  ['30', '30 days', false],
  ['month', 'This month', false],
  ['own', undefined, true],
] as const)
  test(`the period ${name} is marked as ${label ?? 'custom dates'}`, () => {
    const { text } = page({ period: { ...week, name } })
    assert.deepEqual(marked(text), label === undefined ? [] : [label])
    assert.equal(/<details open>/.test(text), isOpen)
    assert.equal('Clear' in linksIn(page({ period: { ...week, name } })), isOpen)
  })

test('other periods keep the currency, and 30 days need no query', () => {
  const links = linksIn(page({}, { query: { currency: 'EUR' } }))
  assert.equal(links['Today'], `${home}?period=today&currency=EUR`)
  assert.equal(links['30 days'], `${home}?currency=EUR`)
  assert.equal(linksIn(page())['30 days'], home)
})

for (const [name, query] of [
  ['7', 'period=7&currency=EUR'],
  ['30', 'currency=EUR'],
  ['own', 'from=2026-11-12&to=2026-11-18&currency=EUR'],
] as const)
  test(`another currency keeps the period ${name}`, () => {
    const figures = { ...one, currencies: [pounds, { ...pounds, currency: 'EUR' }] }
    const drawn = page({ figures, period: { ...week, name } })
    assert.equal(linksIn(drawn)['EUR'], `${home}?${query}`)
    assert.ok(marked(drawn.text).includes('GBP') && !marked(drawn.text).includes('EUR'))
  })

test('one currency has no tabs, and a period without any says so', () => {
  assert.doesNotMatch(page({ figures: one }).text, /aria-label="Currencies"/)
  assert.match(wordsOf(page({ figures: one })), /Paid by customers/)
  assert.match(wordsOf(page()), /Nothing in this period/)
  assert.doesNotMatch(wordsOf(page()), /Paid by customers/)
})

test('days are those of the shop: today ends the chart in its own time zone', () => {
  const days = { merchant: { brand: { ...plainBrand, timeZone: 'Pacific/Kiritimati' } } }
  const shown = { ...pounds, spans: [{ ...noMoney, day: '2026-11-18' }] }
  const figures = { ...one, currencies: [shown], shown }
  const ends = (ask: AskChanges) =>
    /<figcaption[^>]*>\s*<span>[^<]*<\/span><span>([^<]*)</.exec(page({ figures }, ask).text)?.[1]
  assert.equal(ends({}), 'Today')
  assert.equal(ends(days), '18 Nov', 'there it is the 19th')
  assert.match(
    wordsOf(page({}, days)),
    /12 November 2026 – 18 November 2026\. Days begin at midnight in Pacific\/Kiritimati\./,
  )
})

test('the latest payments are listed, and the first steps until they are done', () => {
  assert.deepEqual(tableIn(page()).rows, [['JP¥500', 'success', 'order-1', 'ada@example.com', 'just now']])
  assert.deepEqual(tableIn(page()).figures, ['Amount'])
  assert.equal(linksIn(page())['JP¥500'], `${home}/payments/42`)
  assert.doesNotMatch(wordsOf(page()), /first five minutes/)
  assert.equal(linksIn(page({ leadsToStart: true }))['Continue'], `${home}/start`)
})

const balance = { currency: 'GBP', pendingMinor: 0n, availableMinor: 0n, onItsWayMinor: 0n, refusedMinor: 0n }

for (const [what, balances, facts] of [
  ['nothing', [balance], {}],
  [
    'money on its way',
    [{ ...balance, onItsWayMinor: 5n }],
    { 'On its way (GBP)': '£0.05', 'With your networks (GBP)': '£0.00' },
  ],
  [
    'money that waits',
    [{ ...balance, pendingMinor: 5n }],
    { 'On its way (GBP)': '£0.00', 'With your networks (GBP)': '£0.05' },
  ],
  [
    'money that the bank refused beside money that waits',
    [{ ...balance, availableMinor: 12n, refusedMinor: 7n }],
    { 'On its way (GBP)': '£0.00', 'With your networks (GBP)': '£0.05' },
  ],
  [
    'two networks and two currencies',
    [
      { ...balance, availableMinor: 300n, pendingMinor: 20n, onItsWayMinor: 1n },
      { ...balance, availableMinor: 1n, onItsWayMinor: 4n },
      { ...balance, currency: 'JPY', pendingMinor: 7n },
    ],
    {
      'On its way (GBP)': '£0.05',
      'With your networks (GBP)': '£3.21',
      'On its way (JPY)': 'JP¥0',
      'With your networks (JPY)': 'JP¥7',
    },
  ],
] as const)
  test(`a shop to which networks owe ${what} sees it`, () => {
    assert.deepEqual(factsIn(page({ balances })), facts)
    assert.equal('Balance' in linksIn(page({ balances })), Object.keys(facts).length > 0)
  })
