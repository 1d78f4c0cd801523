import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  formsIn,
  linksIn,
  pageAsk,
  tableIn,
  wordsOf,
} from '../../../../../test/support/dashboard/page-ask.ts'
import { bookkeepingPage } from './export-page.ts'

const period = { from: '2026-10-01', to: '2026-10-31', currency: '', timeZone: 'UTC' }

test('a month without bookings says so and leads to this month', () => {
  const page = bookkeepingPage(pageAsk(), period as never, { sums: [], missing: [], lacking: [] }).body
  assert.match(wordsOf(page), /Nothing booked/)
  assert.ok('Show this month' in linksIn(page))
  assert.ok(!('Clear' in linksIn(page)), 'a period is always chosen')
  const now = { ...period, from: '2026-11-01', to: '2026-11-30' }
  assert.ok(
    !(
      'Show this month' in
      linksIn(bookkeepingPage(pageAsk(), now as never, { sums: [], missing: [], lacking: [] }).body)
    ),
  )
})

const dashboard = { live: { networks: [{ name: 'stripe', label: 'Stripe' }] } }
const row = {
  connector: 'stripe',
  currency: 'GBP',
  kind: 'payment',
  line_count: 1_200,
  gross_minor: 1_000n,
  fee_minor: 34n,
  tax_minor: 6n,
  net_minor: 960n,
}
const booked = (
  sums: readonly object[],
  role: 'owner' | 'bookkeeper' | 'viewer' = 'owner',
  mistakes = {},
  missing: readonly object[] = [],
  lacking: readonly string[] = [],
) =>
  bookkeepingPage(
    pageAsk({ dashboard, role }),
    period as never,
    { sums, missing, lacking } as never,
    mistakes,
  ).body

test('what a network booked is summed by network and currency', () => {
  const page = booked([
    row,
    {
      ...row,
      kind: 'refund',
      line_count: 34,
      gross_minor: -500n,
      fee_minor: 1n,
      tax_minor: 2n,
      net_minor: -503n,
    },
    { ...row, currency: 'JPY' },
    {
      ...row,
      connector: 'test-network',
      kind: 'dispute',
      line_count: 1,
      gross_minor: -1_000n,
      tax_minor: 0n,
    },
  ])
  assert.deepEqual(tableIn(page).rows, [
    ['Stripe, GBP 1,234 bookings', '£10.00', '−£5.00', '£0.00', '−£0.43 with £0.08 tax', '£4.57'],
    ['Stripe, JPY 1,200 bookings', 'JP¥1,000', 'JP¥0', 'JP¥0', '−JP¥40 with JP¥6 tax', 'JP¥960'],
    ['Test network, GBP 1 booking', '£0.00', '£0.00', '−£10.00', '−£0.34', '−£10.34'],
  ])
  assert.deepEqual(tableIn(page).figures, ['Gross', 'Refunds', 'Disputes', 'Network fees', 'Net'])
  const corrected = tableIn(booked([row, { ...row, kind: 'adjustment', fee_minor: 0n, tax_minor: 0n }]))
  assert.equal(corrected.figures.at(-1), 'Other bookings')
  assert.deepEqual(corrected.rows[0]?.slice(-2), ['£9.60', '£10.00'])
  assert.doesNotMatch(wordsOf(page), /Nothing booked/)
})

test('a file for DATEV is of one currency, and viewers download none', () => {
  assert.deepEqual(Object.keys(formsIn(booked([row, row, { ...row, currency: 'JPY' }]))), [
    'Show',
    'Download CSV',
    'Download for DATEV (GBP)',
    'Download for DATEV (JPY)',
    'Download movements',
  ])
  assert.deepEqual(Object.keys(formsIn(booked([row], 'viewer'))), ['Show'])
  assert.match(wordsOf(booked([row], 'viewer')), /Your role is view-only/)
})

test('payments without a booking are counted and named, in a month without any booking too', () => {
  const missing = {
    currency: 'GBP',
    networks: ['stripe'],
    payments: 52,
    amountMinor: 153_100n,
    isWhole: true,
  }
  const page = booked([], 'owner', {}, [missing])
  assert.match(wordsOf(page), /52 payments, £1,531\.00, fees not reported by Stripe yet/)
  assert.ok('Download for DATEV (GBP)' in formsIn(page))
  assert.doesNotMatch(wordsOf(page), /Nothing booked/)
})

test('a mistake in the period is shown instead of an empty list', () => {
  const page = wordsOf(booked([], 'owner', { from: 'Enter a day' }))
  assert.match(page, /Enter a day/)
  assert.doesNotMatch(page, /Nothing booked/)
})

test('DATEV’s buttons wait for the settings that are missing, and lead to the first of them', () => {
  const lacking = ['consultant_number', 'fees', 'clearing_stripe']
  const page = booked([row], 'owner', {}, [], lacking)
  assert.deepEqual(
    Object.keys(formsIn(page)).filter((name) => name.includes('DATEV')),
    [],
  )
  assert.match(
    wordsOf(page),
    /needs these settings first: Consultant number, Fees and Clearing account of Stripe\. Add/,
  )
  assert.match(linksIn(page)['Add them'] ?? '', /\/settings\/bookkeeping\/edit#consultant_number$/)
  const bookkeepers = booked([row], 'bookkeeper', {}, [], lacking)
  assert.match(linksIn(bookkeepers)['bookkeeping settings'] ?? '', /\/settings\/bookkeeping$/)
})
