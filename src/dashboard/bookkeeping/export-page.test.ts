import assert from 'node:assert/strict'
import { test } from 'node:test'
import { linksIn, pageAsk, wordsOf } from '../../../test/support/dashboard/page-ask.ts'
import { bookkeepingPage } from './export-page.ts'

const period = { from: '2026-10-01', to: '2026-10-31', currency: '', timeZone: 'UTC' }

test('a month without bookings says so and leads to this month', () => {
  const page = bookkeepingPage(pageAsk(), period as never, []).body
  assert.match(wordsOf(page), /Nothing booked/)
  assert.ok('Show this month' in linksIn(page))
  assert.ok(!('Clear' in linksIn(page)), 'a period is always chosen')
  const now = { ...period, from: '2026-11-01', to: '2026-11-30' }
  assert.ok(!('Show this month' in linksIn(bookkeepingPage(pageAsk(), now as never, []).body)))
})
