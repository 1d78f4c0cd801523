import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DayTotals, Figures } from '../../payments/daily-totals/daily-totals.ts'
import { noFigures } from '../../payments/daily-totals/tally.ts'
import { drawMoney, drawVolume, listsOf } from './figures.ts'
import type { Compared, HomeFigures } from './read-figures.ts'
import { drawSuccess } from './success.ts'

const period = {
  name: '7',
  from: '2026-11-02',
  to: '2026-11-08',
  before: { from: '2026-10-26', to: '2026-11-01' },
} as const
const lists = listsOf('/shop')

function compared(
  sum: Partial<Figures>,
  before: Partial<Figures> = {},
  days: readonly Partial<DayTotals>[] = [],
): Compared {
  const spans = days.map((day) => ({ ...noFigures, day: '2026-11-02', ...day }))
  return {
    currency: 'GBP',
    sum: { ...noFigures, ...sum },
    before: { ...noFigures, ...before },
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

test('net is gross less refunds, disputes and fees, and currencies are counted together but never added', () => {
  const pounds = compared({
    paid: 12_345n,
    paidMinor: 10_000n,
    refunds: 2n,
    refundedMinor: 1_000n,
    reversed: 1n,
    reversedMinor: 500n,
    feeMinor: 200n,
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

test('every figure leads to the list of its days and its currency', () => {
  assert.deepEqual(lists(period, 'GBP'), {
    paid: '/shop/payments?state=paid&currency=GBP&by=end&from=2026-11-02&to=2026-11-08',
    unpaid: '/shop/payments?state=unpaid&currency=GBP&by=end&from=2026-11-02&to=2026-11-08',
    refunds: '/shop/refunds?status=succeeded&currency=GBP&by=done&from=2026-11-02&to=2026-11-08',
    disputes: '/shop/payments?state=reversed&currency=GBP&by=reversed&from=2026-11-02&to=2026-11-08',
  })
})
