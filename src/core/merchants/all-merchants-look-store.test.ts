import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, test } from 'node:test'
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.ts'
import { Database } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import {
  findMerchantsWithFormSecretsNotUnder,
  hasLiveMerchant,
  isAnyLive,
  listMerchantNumbers,
  listMerchants,
} from './all-merchants-look-store.ts'
import { createMerchant } from './create-merchant.ts'

let home: TestDatabase
let db: Database
/** In the order of their numbers. */
let merchants: readonly number[]
before(async () => {
  home = await createTestDatabase()
  db = new Database(home.url)
  const made: number[] = []
  for (const name of ['a', 'b', 'c', 'd', 'e']) made.push(await createMerchant(db, { name }))
  merchants = made.toSorted((one, other) => one - other)
})
after(async () => {
  await db.close()
  await home.drop()
})

test('merchants are listed oldest first, then by number', async () => {
  const [first = 0, ...others] = merchants
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
})

test('an installation is live once one of its merchants is', async () => {
  assert.equal(await hasLiveMerchant(db), false)
  await db.query(sql`update merchants set live_enabled = true where id = ${merchants[2] ?? 0}`)
  assert.equal(await hasLiveMerchant(db), true)
  assert.equal(await isAnyLive(db, [merchants[0] ?? 0, merchants[2] ?? 0]), true)
  assert.equal(await isAnyLive(db, [merchants[0] ?? 0]), false)
})

test('merchants with form secrets under another key are found, from a given number on', async () => {
  const [now, earlier] = ['0123456789abcdef', 'fedcba9876543210']
  for (const [index, merchantId] of merchants.entries()) {
    for (const id of ['key_000000000000one1', 'key_000000000000two2']) {
      // The second of them has none, the third has one under the key of now.
      const keyId = index === 2 ? now : earlier
      const secret = index === 1 ? null : Buffer.from(`01${keyId}aabb`, 'hex')
      await db.query(sql`
        insert into keys (merchant_id, id, kind, mode, hash, hint, name, form_secret)
        values (${merchantId}, ${id}, 'form', 'test', ${createHash('sha256').update(id).digest()}, 'hint', 'Till', ${secret})`)
    }
  }
  const [first = 0, , , fourth = 0, fifth] = merchants
  assert.deepEqual(await findMerchantsWithFormSecretsNotUnder(db, 0, now), [first, fourth, fifth])
  assert.deepEqual(await findMerchantsWithFormSecretsNotUnder(db, first, now), [fourth, fifth])
  assert.deepEqual(await findMerchantsWithFormSecretsNotUnder(db, fourth, now), [fifth])
})
