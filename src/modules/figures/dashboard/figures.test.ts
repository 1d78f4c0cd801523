import assert from 'node:assert/strict'
import { test } from 'node:test'
import { noMoney, type DayMoney, type MoneyFigures } from '../../payouts/figures/money-totals.ts'
import { linksIn, tableIn, wordsOf } from '../../../../test/support/dashboard/page-ask.ts'
import { drawAside, drawDays, drawMoney, drawVolume, listsOf } from './figures.ts'
import type { Compared, HomeFigures } from './read-figures.ts'
import { drawSuccess, drawTops } from './success.ts'

const period = {
  name: '7',
  from: '2026-11-02',
  to: '2026-11-08',
  before: { from: '2026-10-26', to: '2026-11-01' },
} as const
const lists = listsOf('/shop')

function compared(
  sum: Partial<MoneyFigures>,
  before: Partial<MoneyFigures> = {},
  days: readonly Partial<DayMoney>[] = [],
): Compared {
  const spans = days.map((day) => ({ ...noMoney, day: '2026-11-02', ...day }))
  return {
    currency: 'GBP',
    sum: { ...noMoney, ...sum },
    before: { ...noMoney, ...before },
    days: spans,
    spans,
    spansBefore: [],
  }
}

const text = (drawn: unknown): string =>
  String(drawn).replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))
const none: HomeFigures = {
  currencies: [],
  shown: undefined,
  missing: [],
  reasons: [],
  projects: [],
  links: [],
  isWhole: true,
}

for (const [paid, unpaid, rate] of [
  [0n, 0n, '–'],
  [1n, 0n, '100%'],
  [0n, 5n, '0.0%'],
  [1n, 1n, '50.0%'],
  [2n, 1n, '66.6%'],
  [1_999n, 1n, '99.9%'],
  [99_999n, 1n, '99.9%'],
] as const)
  test(`${paid} of ${paid + unpaid} is ${rate}, and never rounded up`, () => {
    const drawn = text(drawSuccess(compared({ paid, unpaid }), none, period, lists))
    assert.ok(drawn.includes(`<p class="large">${rate}</p>`), drawn)
  })

test('the day with the most is named, and a period without any says so', () => {
  const days = [
    { day: '2026-11-02', paidMinor: 1n },
    { day: '2026-11-03', paidMinor: 123_450n },
  ]
  const drawn = text(drawVolume(compared({}, {}, days), period, lists, '2026-11-08'))
  assert.match(drawn, /Most on 3 Nov: £1,234\.50/)
  assert.match(
    text(drawVolume(compared({}, {}, [{}]), period, lists, '2026-11-08')),
    /Nothing in this period/,
  )
})

for (const [now, then, words] of [
  [150n, 100n, '50% more than 26 Oct – 1 Nov (£1.00)'],
  [100n, 300n, '66.6% less than 26 Oct – 1 Nov (£3.00)'],
  [100n, 100n, 'As much as 26 Oct – 1 Nov (£1.00)'],
  [100n, 0n, 'Nothing paid 26 Oct – 1 Nov'],
] as const)
  test(`£${now} minor after £${then} minor is told as "${words}"`, () => {
    const drawn = text(drawVolume(compared({ paidMinor: now }, { paidMinor: then }), period, lists, ''))
    assert.ok(drawn.includes(words), drawn)
  })

test('net is gross less refunds, disputes and network fees, and currencies are counted together but never added', () => {
  const pounds = compared({
    paid: 12_345n,
    paidMinor: 10_000n,
    refunds: 2n,
    refundedMinor: 1_000n,
    reversed: 1n,
    reversedMinor: 500n,
    networkFeesMinor: 200n,
    feeMinor: 70n,
  })
  const euros = { ...compared({ paid: 1n, paidMinor: 7n }), currency: 'EUR' }
  const drawn = text(drawMoney([pounds, euros], period, lists))
  for (const words of [
    '£100.00',
    '−£10.00',
    '−£5.00',
    '−£2.00',
    '<b>£83.00</b>',
    '12,346 payments',
    '1 dispute<',
  ])
    assert.ok(drawn.includes(words), `${words} in ${drawn}`)
  assert.ok(!text(drawMoney([pounds], period, lists)).includes('tfoot'), 'one currency is its own sum')
})

test('missing fees are counted and named, and the platform fee is beside the sums', () => {
  const missing = {
    currency: 'GBP',
    networks: ['a', 'b'],
    payments: 1_036,
    amountMinor: 153_100n,
    isWhole: true,
  }
  const nameOf = (network: string): string => network.toUpperCase()
  assert.equal(drawAside([compared({ networkFeesMinor: 5n })], [], nameOf), undefined)
  const drawn = wordsOf(
    drawAside([compared({ feeMinor: 70n })], [missing, { ...missing, isWhole: false }], nameOf),
  )
  assert.match(drawn, /1,036 payments, £1,531\.00, fees not reported by A and B yet/)
  assert.match(drawn, /At least 1,036 payments/)
  assert.match(drawn, /Platform fee £0\.70, not in net/)
})

test('every figure leads to the list of its days and its currency', () => {
  assert.deepEqual(lists(period, 'GBP'), {
    paid: '/shop/payments?state=paid&currency=GBP&by=end&from=2026-11-02&to=2026-11-08',
    unpaid: '/shop/payments?state=unpaid&currency=GBP&by=end&from=2026-11-02&to=2026-11-08',
    refunds: '/shop/refunds?status=succeeded&currency=GBP&by=done&from=2026-11-02&to=2026-11-08',
    disputes: '/shop/payments?state=reversed&currency=GBP&by=reversed&from=2026-11-02&to=2026-11-08',
  })
})

test('amounts and counts stand to the right', () => {
  const day = compared({}, {}, [{}])
  assert.deepEqual(tableIn(drawMoney([day], period, lists)).figures, [
    'Gross',
    'Refunds',
    'Disputes',
    'Network fees',
    'Net',
  ])
  assert.deepEqual(tableIn(drawDays(day, lists)).figures, [
    'Gross',
    'Refunds',
    'Disputes',
    'Network fees',
    'Net',
    'Paid',
    'Not paid',
  ])
})

test('each day is a row, newest first, in a currency without decimals too, and leads to its payments', () => {
  const days = [
    { day: '2026-11-02', paidMinor: 500n, networkFeesMinor: 20n, paid: 1n },
    { day: '2026-11-03', paidMinor: 700n, refundedMinor: 100n, reversedMinor: 50n, paid: 2n, unpaid: 3n },
  ]
  const sum = {
    paidMinor: 1_200n,
    refundedMinor: 100n,
    reversedMinor: 50n,
    networkFeesMinor: 20n,
    paid: 3n,
    unpaid: 3n,
  }
  const drawn = drawDays({ ...compared(sum, {}, days), currency: 'JPY' }, lists)
  assert.deepEqual(tableIn(drawn).rows, [
    ['3 Nov', 'JP¥700', '−JP¥100', '−JP¥50', 'JP¥0', 'JP¥550', '2', '3'],
    ['2 Nov', 'JP¥500', 'JP¥0', 'JP¥0', '−JP¥20', 'JP¥480', '1', '0'],
    ['All', 'JP¥1,200', '−JP¥100', '−JP¥50', '−JP¥20', 'JP¥1,030', '3', '3'],
  ])
  assert.equal(
    linksIn(drawn)['3 Nov'],
    '/shop/payments?state=paid&currency=JPY&by=end&from=2026-11-03&to=2026-11-03',
  )
})

const hours = { name: 'today', from: '2026-11-08', to: '2026-11-08', before: period.before } as const

for (const [what, chosen, today, words] of [
  ['one that ends today', period, '2026-11-08', /Paid on each day\. Most on 3 Nov.*2 Nov.*Today/],
  ['one that ended before', period, '2026-11-09', /Paid on each day\. Most on 3 Nov.*2 Nov.*8 Nov/],
  ['one day', hours, '2026-11-08', /Paid in each hour\. Most at 2026-11-03.*2026-11-02.*2026-11-03/],
] as const)
  test(`the chart of a period that is ${what} says so`, () => {
    const days = [
      { day: '2026-11-02', paidMinor: 100n },
      { day: '2026-11-03', paidMinor: 250n },
    ]
    const drawn = text(drawVolume(compared({}, {}, days), chosen, lists, today)).replaceAll(/\s+/g, ' ')
    assert.match(drawn, words)
    assert.match(drawn, /<p class="top-label[^>]*><span>£2\.50</)
  })

test('bars share the height of the largest day of both periods, and say both amounts', () => {
  const shown = compared({}, {}, [{ paidMinor: 100n }, { day: '2026-11-03', paidMinor: 50n }])
  const spansBefore = [{ ...noMoney, day: '2026-10-26', paidMinor: 200n }]
  const drawn = text(drawVolume({ ...shown, spansBefore }, period, lists, ''))
  assert.match(drawn, /<title>2 Nov: £1\.00; 26 Oct: £2\.00<\/title>/)
  assert.match(drawn, /<title>3 Nov: £0\.50<\/title>/)
  const heights = [...drawn.matchAll(/class="(?:bar|before)[^>]*height="([\d.]+)"/g)].map(([, tall]) => tall)
  assert.deepEqual(heights, ['100', '50', '0', '25'])
  const byHour = text(drawVolume({ ...shown, spansBefore }, hours, lists, ''))
  assert.match(byHour, /the day before: £2\.00/)
})

test('reasons are shown with their share and lead to their payments', () => {
  const reasons = [
    { why: 'expired', payments: 1_999 },
    { why: 'insufficient_funds', payments: 1 },
  ]
  const drawn = drawSuccess(compared({ unpaid: 2_000n }), { ...none, reasons }, period, lists)
  assert.match(text(drawn), /width="100" height="4" class="part"[^]*width="1" height="4" class="part"/)
  assert.match(
    Object.values(linksIn(drawn)).join(' '),
    /payments\?state=unpaid&currency=GBP&by=end&from=2026-11-02&to=2026-11-08&why=insufficient_funds/,
  )
  assert.doesNotMatch(wordsOf(drawn), /Of the latest/)
  const part = drawSuccess(compared({}), { ...none, reasons, isWhole: false }, period, lists)
  assert.match(wordsOf(part), /Of the latest 2,000 of them/)
  assert.doesNotMatch(text(drawSuccess(compared({}), none, period, lists)), /Why payments weren/)
})

const top = { id: 'one', name: 'One', payments: 1_234, paidMinor: 5n }

for (const [what, figures, titles] of [
  ['neither', {}, []],
  ['projects', { projects: [top] }, ['Top projects']],
  ['links', { links: [top] }, ['Top links']],
  ['both', { projects: [top], links: [top] }, ['Top projects', 'Top links']],
] as const)
  test(`a shop whose payments have ${what} sees ${titles.join(' and ') || 'no list'}`, () => {
    const drawn = drawTops('/shop', compared({}), { ...none, ...figures }, period)
    const found = [...text(drawn ?? '').matchAll(/<h2[^>]*>([^<]*)<\/h2>/g)].map(([, title]) => title)
    assert.deepEqual(found, titles)
    assert.doesNotMatch(wordsOf(drawn), /latest 5,000/)
  })

test('a top project leads to its paid payments, a top link to its page', () => {
  const figures = { ...none, isWhole: false, projects: [top], links: [{ ...top, name: 'Two' }] }
  const drawn = drawTops('/shop', compared({}), figures, period)
  assert.ok(drawn)
  assert.deepEqual(linksIn(drawn), {
    One: '/shop/payments?state=paid&currency=GBP&by=end&from=2026-11-02&to=2026-11-08&project=one',
    Two: '/shop/links/one',
  })
  assert.deepEqual(tableIn(drawn).figures, ['Payments', 'Paid', 'Payments', 'Paid'])
  assert.deepEqual(tableIn(drawn).rows[0], ['One', '1,234', '£0.05'])
  assert.match(wordsOf(drawn), /latest 5,000 payments/)
})
