import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CurrencyTotals, DayTotals, Figures } from '../../payments/daily-totals/daily-totals.ts'
import { drawFigures } from './figures.ts'

const none = {
  paid: 0n,
  paidMinor: 0n,
  unpaid: 0n,
  refunds: 0n,
  refundedMinor: 0n,
  reversedMinor: 0n,
} as unknown as Figures

function textOf(sum: Partial<Figures>, days: readonly Partial<DayTotals>[]): string {
  const totals = {
    currency: 'GBP',
    sum: { ...none, ...sum },
    days: days.map((day) => ({ ...none, day: '2026-11-15', ...day })),
  } as unknown as CurrencyTotals
  return String(drawFigures(totals)).replaceAll('&#8211;', '–')
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
    const text = textOf({ paid, unpaid }, [{ paid, unpaid }])
    assert.match(text, new RegExp(`<p class="large">${rate.replace('.', '\\.')}</p>`))
    assert.ok(text.includes(`Today ${rate}`))
  })

test('the best day is named in UTC, and an empty period says so', () => {
  const text = textOf({}, [
    { day: '2026-10-31', paidMinor: 1n },
    { day: '2026-11-01', paidMinor: 123_450n },
    { day: '2026-11-02', paidMinor: 2n },
  ])
  assert.match(text, /Most on 1 November: (?:£|&#163;)1,234\.50/)
  assert.match(textOf({}, [{}]), /Nothing in this period/)
})

test('one payment is singular, and large numbers have thousands separators', () => {
  assert.match(textOf({ paid: 1n }, [{}]), />1 payment</)
  assert.match(textOf({ paid: 12_345n }, [{}]), />12,345 payments</)
  assert.match(textOf({ refunds: 2n }, [{}]), />2 refunds</)
})
