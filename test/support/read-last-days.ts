import type { Database } from '../../src/platform/database/database.ts'
import { addDays, dayAt } from '../../src/core/merchants/brand/end-of-day.ts'
import { readDailyTotals, type CurrencyTotals } from '../../src/core/payments/daily-totals/daily-totals.ts'

/** The totals of test payments for so many days in UTC, the last of them the day of `now`. */
export async function readLastDays(
  db: Database,
  { merchantId, count, now }: { merchantId: number; count: number; now: Date },
): Promise<CurrencyTotals[]> {
  const to = dayAt(now, 'UTC')
  return readDailyTotals(db, { merchantId, mode: 'test', timeZone: 'UTC', from: addDays(to, 1 - count), to })
}
