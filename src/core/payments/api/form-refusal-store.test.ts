import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestDatabase } from '../../../../test/support/database.ts'
import { Database } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'
import { createMerchant } from '../../merchants/create-merchant.ts'
import { deleteOldRefusals, insertRefusal, listRefusals } from './form-refusal-store.ts'

test('only the newest refused forms are kept, and other modes and merchants are unaffected', async () => {
  const home = await createTestDatabase()
  const db = new Database(home.url)
  try {
    const own = await createMerchant(db, { name: 'Corner shop' })
    const neighbour = await createMerchant(db, { name: 'Its neighbour' })
    const scopes = [
      { merchantId: neighbour, mode: 'test' },
      { merchantId: own, mode: 'live' },
      { merchantId: own, mode: 'test' },
    ] as const
    for (const request_id of ['first', 'second', 'third']) {
      for (const scope of scopes)
        await insertRefusal(db, scope, { request_id, code: 'c', message: 'm', errors: null, tx_ref: null })
    }
    const kept = async (): Promise<string[][]> =>
      Promise.all(
        scopes.map(async (scope) =>
          (await listRefusals(db, scope, { limit: 10 })).map((row) => row.request_id),
        ),
      )
    const all = ['third', 'second', 'first']
    assert.deepEqual(await kept(), [all, all, all])
    await deleteOldRefusals(db, scopes[2], 3)
    assert.deepEqual(await kept(), [all, all, all])
    await deleteOldRefusals(db, scopes[2], 2)
    assert.deepEqual(await kept(), [all, all, ['third', 'second']])
    assert.deepEqual((await listRefusals(db, scopes[0], { limit: 1 })).length, 1)
    await db.query(sql`update form_refusals set at = now() where merchant_id = ${neighbour}`)
    assert.deepEqual(await kept(), [all, all, ['third', 'second']], 'of one moment, by their names')
  } finally {
    await db.close()
    await home.drop()
  }
})
