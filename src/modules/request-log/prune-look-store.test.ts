import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.ts'
import { Database } from '../../platform/database/database.ts'
import { createMerchant } from '../../core/merchants/create-merchant.ts'
import { findMerchantsToPrune } from './prune-look-store.ts'
import { insertRequests, type NewRequest } from './request-store.ts'

let home: TestDatabase
let db: Database
let older: number
let younger: number

before(async () => {
  home = await createTestDatabase()
  db = new Database(home.url)
  younger = await createMerchant(db, { name: 'Younger' })
  older = await createMerchant(db, { name: 'Older' })
  await insertRequests(db, younger, [lineAt(20)])
  await insertRequests(db, older, [lineAt(11), lineAt(10), lineAt(30)])
})
after(async () => {
  await db.close()
  await home.drop()
})

function moment(second: number): Date {
  return new Date(Date.UTC(2026, 10, 15, 12, 0, second))
}

function lineAt(second: number): NewRequest {
  return {
    mode: 'test',
    at: moment(second).toISOString(),
    id: `line-${second}`,
    request_id: `req-${second}`,
    key_id: 'key_1',
    method: 'GET',
    path: '/api/transaction/1',
    status: 200,
    duration_us: 1_000,
    request_body: null,
    answer_body: null,
    warnings: null,
  }
}

test('merchants with requests older than a moment are found once, by their oldest', async () => {
  const found = async (second: number, rowsMax: number): Promise<number[]> =>
    (await findMerchantsToPrune(db, moment(second), rowsMax)).toSorted((a, b) => a - b)
  assert.deepEqual(await found(10, 100), [])
  assert.deepEqual(await found(11, 100), [older])
  assert.deepEqual(await found(20, 100), [older])
  assert.deepEqual(
    await found(59, 100),
    [older, younger].toSorted((a, b) => a - b),
  )
  assert.deepEqual(await found(59, 2), [older], 'no more rows are read than were allowed, the oldest first')
})
