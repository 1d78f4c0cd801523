import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { openTwoMerchants, storedRows, type TwoMerchants } from '../../../test/support/rows.ts'
import { inTransaction } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import { makeLog } from '../../http/log.ts'
import { foldTotals, foldTotalsJob } from './fold-totals.ts'
import { keepFromFolding } from './total-store.ts'

let merchants: TwoMerchants
before(async () => {
  merchants = await openTwoMerchants()
})
beforeEach(async () => {
  for (const [own] of merchants.both)
    await merchants.db.queryAll([
      sql`delete from daily_totals where merchant_id = ${own}`,
      sql`delete from daily_total_changes where merchant_id = ${own}`,
    ])
})
after(() => merchants.close())

async function addChanges(merchantId: number, count: number, minor = 7n): Promise<void> {
  await merchants.db.query(sql`
    insert into daily_total_changes (merchant_id, mode, currency, day, paid, paid_minor)
    select ${merchantId}::integer, 'live', 'GBP', date '2026-11-16', 1, ${minor}::bigint
    from generate_series(1, ${count}::integer)`)
}

/** How many changes a merchant has that are not folded, and what its totals say was paid. */
async function standing(merchantId: number): Promise<unknown[]> {
  const { db } = merchants
  const totals = await db.query<{ paid: bigint; paid_minor: bigint }>(sql`
    select paid, paid_minor from daily_totals where merchant_id = ${merchantId}`)
  const changes = await storedRows(db, 'daily_total_changes', merchantId)
  return [changes.length, ...totals.flatMap(({ paid, paid_minor }) => [paid, paid_minor])]
}

async function run(): Promise<unknown[]> {
  const lines: string[] = []
  const log = makeLog('info', { write: (line) => void lines.push(line) })
  const job = foldTotalsJob({ db: merchants.db, log })
  assert.deepEqual([job.name, job.everyMs], ['fold totals', 5_000])
  const again = await job.run()
  return [again, ...lines.map((line) => (JSON.parse(line) as { msg: string }).msg)]
}

test('changes become totals, and who has a heap of them is visited again at once', async () => {
  const { own, other } = merchants
  assert.deepEqual(await run(), [0])
  await addChanges(own, 5_001)
  await addChanges(other, 4_999)
  assert.deepEqual(await run(), [1])
  assert.deepEqual(await standing(own), [1, 5_000n, 35_000n])
  assert.deepEqual(await standing(other), [0, 4_999n, 34_993n])
  assert.deepEqual(await run(), [0])
  assert.deepEqual(await standing(own), [0, 5_001n, 35_007n])
})

test("totals of a merchant that can't be written keep no other from theirs", async () => {
  const { own, other } = merchants
  // Two such sums are more than a number of the table holds.
  await addChanges(own, 2, 2n ** 62n)
  await addChanges(other, 1)
  assert.deepEqual(await run(), [0, 'Changes could not be folded into the totals of a merchant'])
  assert.deepEqual([await standing(own), await standing(other)], [[2], [0, 1n, 7n]])
})

test('nothing is folded while somebody builds the totals anew', async () => {
  const { db, own } = merchants
  await addChanges(own, 1)
  await inTransaction(db, async (tx) => {
    await keepFromFolding(tx, own)
    assert.equal(await foldTotals(db, own), 0)
  })
  assert.deepEqual(await standing(own), [1])
  assert.equal(await foldTotals(db, own), 1)
  assert.deepEqual(await standing(own), [0, 1n, 7n])
})
