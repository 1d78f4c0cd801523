import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { attemptRow, insertRows, paymentNumber, paymentRow } from '../../../../test/support/rows.ts'
import { attemptByCard } from '../../../../test/support/scripted-networks.ts'
import { minuteMs, openTill, type Till } from '../../../../test/support/till.ts'
import type { Metrics } from '../../../platform/http/metrics.ts'
import { createMerchant } from '../../merchants/create-merchant.ts'
import { countUnknownAttempts } from './unknown-attempts.ts'

let till: Till
before(async () => {
  till = await openTill()
})
after(() => till.close())

async function figures(): Promise<Record<string, number>> {
  const gauges = new Map<string, () => number | Promise<number>>()
  const metrics = { gauge: (name: string, _: string, read: () => number) => void gauges.set(name, read) }
  countUnknownAttempts(metrics as unknown as Metrics, till.db, till.paying.now)
  const read: Record<string, number> = {}
  for (const [name, gauge] of gauges) read[name.replace('florin_attempts_', '')] = await gauge()
  return read
}

test('unknown attempts are counted over all merchants, with the age of the oldest', async () => {
  assert.deepEqual(await figures(), { unknown: 0, unknown_oldest_seconds: 0 })
  const ago = (minutes: number): Date => new Date(till.paying.now().getTime() - minutes * minuteMs)
  const other = await createMerchant(till.db, { name: 'Book shop' })
  const names = { merchant_id: other, number: paymentNumber(1) }
  const unknown = { state: 'unknown', started_at: ago(60) }
  await insertRows(till.db, 'payments', [paymentRow(names)])
  await insertRows(till.db, 'attempts', [attemptRow({ ...names, ...unknown, updated_at: ago(3) })])
  await attemptByCard(till, { ...unknown, updated_at: ago(2) })
  await attemptByCard(till, { ...unknown, updated_at: ago(1) })
  await attemptByCard(till, { ...unknown, state: 'submitted', updated_at: ago(9) })
  assert.deepEqual(await figures(), { unknown: 3, unknown_oldest_seconds: 180 })
  await attemptByCard(till, { ...unknown, updated_at: ago(4) })
  assert.deepEqual(await figures(), { unknown: 4, unknown_oldest_seconds: 240 })
})
