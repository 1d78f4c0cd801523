import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestDatabase } from '../../test/support/database.ts'
import { Database } from '../database/database.ts'
import { sql } from '../database/sql.ts'
import { listMerchantNumbers, listMerchants } from './all-merchants-look-store.ts'
import { createMerchant } from './create-merchant.ts'

test('merchants are listed the oldest first, those of one moment by number', async () => {
  const home = await createTestDatabase()
  const db = new Database(home.url)
  try {
    const numbers: number[] = []
    for (const name of ['a', 'b', 'c', 'd', 'e']) numbers.push(await createMerchant(db, { name }))
    const [first = 0, ...others] = numbers.toSorted((one, other) => one - other)
    const last = others.pop() ?? 0
    const at = async (merchantId: number, time: string): Promise<void> =>
      void (await db.query(sql`update merchants set created_at = ${time} where id = ${merchantId}`))
    for (const merchantId of others) await at(merchantId, '2026-11-15T12:00:00Z')
    await at(first, '2026-11-15T12:00:01Z')
    await at(last, '2026-11-15T11:59:59Z')
    assert.deepEqual(
      (await listMerchants(db)).map(({ id }) => id),
      [last, ...others, first],
    )
    assert.deepEqual(await listMerchantNumbers(db, first, 3), others)
  } finally {
    await db.close()
    await home.drop()
  }
})
