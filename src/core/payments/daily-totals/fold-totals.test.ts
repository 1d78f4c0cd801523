import assert from 'node:assert/strict'
import { test } from 'node:test'
import { insertRows, openTwoMerchants, storedRows } from '../../../../test/support/rows.ts'
import { sql } from '../../../platform/database/sql.ts'
import { makeLog } from '../../../platform/http/log.ts'
import { foldTotalsJob } from './fold-totals.ts'

const changesMax = 5_000
const day = { mode: 'live', currency: 'GBP', day: '2026-01-01' }

test('only a merchant with more changes than one fold takes is visited again at once', async (t) => {
  const merchants = await openTwoMerchants()
  t.after(() => merchants.close())
  const { db, own, other } = merchants
  const job = foldTotalsJob({ db, log: makeLog('info', { write: () => {} }) })
  assert.equal(await job.run(), 0)
  const change = { merchant_id: own, ...day, paid: 1 }
  await insertRows(db, 'daily_total_changes', [
    ...Array.from({ length: changesMax }, () => change),
    { ...change, merchant_id: other },
  ])
  assert.deepEqual([await job.run(), await job.run()], [1, 0])
  const paid = async (merchantId: number) =>
    (await storedRows(db, 'daily_totals', merchantId)).map((row) => /"paid":(\d+)/.exec(row)?.[1])
  assert.deepEqual([await paid(own), await paid(other)], [[String(changesMax)], ['1']])
  assert.deepEqual(await storedRows(db, 'daily_total_changes', own), [])
})

test('a merchant’s changes that can’t be folded stay, are logged, and don’t hold up others', async (t) => {
  const merchants = await openTwoMerchants()
  t.after(() => merchants.close())
  const { db, both } = merchants
  const lines: string[] = []
  const job = foldTotalsJob({ db, log: makeLog('info', { write: (line) => void lines.push(line) }) })
  for (const [broken, whole] of both) {
    // Nothing can be added to the greatest number there is.
    await insertRows(db, 'daily_totals', [{ merchant_id: broken, ...day, paid: 2n ** 63n - 1n }])
    const changes = [broken, whole].map((merchant_id) => ({ merchant_id, ...day, paid: 1 }))
    await insertRows(db, 'daily_total_changes', changes)
    assert.equal(await job.run(), 0)
    const left = await Promise.all(
      [broken, whole].map(async (merchantId) => storedRows(db, 'daily_total_changes', merchantId)),
    )
    assert.deepEqual(
      left.map(({ length }) => length),
      [1, 0],
    )
    assert.match(lines.splice(0).join(''), new RegExp(`"merchantId":${broken},.*Could not add changes`))
    for (const merchantId of [broken, whole]) {
      await db.query(sql`delete from daily_totals where merchant_id = ${merchantId}`)
      await db.query(sql`delete from daily_total_changes where merchant_id = ${merchantId}`)
    }
  }
})
