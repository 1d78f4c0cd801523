import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createTestDatabase, type TestDatabase } from '../../../../test/support/database.ts'
import { Database, inTransaction } from '../../../platform/database/database.ts'
import { createMerchant } from '../create-merchant.ts'
import { insertAccount, markRemoved } from './account-store.ts'
import { findMerchantsWithAccounts, findMerchantsWithCredentialsNotUnder } from './owners-look-store.ts'

// Three merchants in the order of their numbers: one with all of its accounts under the new key, one with none of them, and
// one that removed the account under the old key.

let home: TestDatabase
let db: Database
let merchants: readonly number[]
const [oldKey, newKey] = ['0011223344556677', '8899aabbccddeeff']
const keysOf = [
  [newKey, newKey],
  [oldKey, oldKey],
  [oldKey, newKey],
] as const

before(async () => {
  home = await createTestDatabase()
  db = new Database(home.url)
  await createMerchant(db, { name: 'Without an account' })
  const made = []
  for (const name of ['One', 'Two', 'Three']) made.push(await createMerchant(db, { name }))
  merchants = made.toSorted((a, b) => a - b)
  for (const [index, [first, second]] of [...keysOf.entries()].toReversed()) {
    const merchantId = merchants[index] ?? 0
    await add(merchantId, 'a', first)
    if (index === 2)
      await inTransaction(db, async (tx) => markRemoved(tx, merchantId, `acc_${'a'.repeat(16)}`))
    await add(merchantId, 'b', second)
  }
})
after(async () => {
  await db.close()
  await home.drop()
})

async function add(merchantId: number, letter: string, keyId: string): Promise<void> {
  const account = {
    id: `acc_${letter.repeat(16)}`,
    connector: `network-${letter}`,
    label: 'Shop',
    sandbox: true,
    // The version, the key, and what is sealed: which looks like another key and must not count.
    credentials: Buffer.from(`01${keyId}${oldKey}`, 'hex'),
    callbacks: 'set_up' as const,
    marks: [],
  }
  await inTransaction(db, async (tx) => insertAccount(tx, merchantId, account))
}

test('merchants that have or had an account are found once, in number order', async () => {
  assert.deepEqual(await findMerchantsWithAccounts(db), merchants)
})

test('merchants with credentials under another key are found once and in order, after a given number', async () => {
  const [one = 0, two = 0, three = 0] = merchants
  const notUnder = async (keyId: string, behind = -1): Promise<number[]> =>
    findMerchantsWithCredentialsNotUnder(db, behind, keyId)
  assert.deepEqual(await notUnder(newKey), [two, three])
  assert.deepEqual(await notUnder(oldKey), [one, three])
  assert.deepEqual(await notUnder(''), merchants)
  assert.deepEqual(await notUnder(newKey, two - 1), [two, three])
  assert.deepEqual(await notUnder(newKey, two), [three])
  assert.deepEqual(await notUnder(newKey, three), [])
})
