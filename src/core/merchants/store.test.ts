import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.ts'
import { Database, inTransaction, type Transaction } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import { createMerchant, enableCurrency } from './create-merchant.ts'
import {
  endKey,
  findCurrency,
  findKey,
  findKeyByHash,
  findMerchant,
  insertKey,
  insertMerchant,
  listCurrencies,
  listFormSecrets,
  listKeys,
  lockMerchant,
  markExposed,
  markRevoked,
  replaceFormSecret,
  rowOf,
  setMerchant,
  switchCurrency,
  touchKeys,
  upsertCurrency,
  type NewKey,
} from './store.ts'

// Two merchants whose keys have the same ids and hashes: a statement that forgets whose key it is about finds or changes
// the other one's.

let home: TestDatabase
let db: Database
let merchants: readonly [number, number]
const ids = { first: 'key_0000000000000001', second: 'key_0000000000000002' } as const
const hashOf = (id: string): Buffer => Buffer.alloc(32, id)

before(async () => {
  home = await createTestDatabase()
  db = new Database(home.url)
})
after(async () => {
  await db.close()
  await home.drop()
})

beforeEach(async () => {
  const made = [await createMerchant(db, { name: 'One' }), await createMerchant(db, { name: 'Other' })]
  const [one = 0, other = 0] = made.toSorted((a, b) => a - b)
  merchants = [one, other]
  for (const merchantId of merchants) {
    for (const id of [ids.second, ids.first]) await write(async (tx) => insertKey(tx, newKey(merchantId, id)))
  }
})

function newKey(merchantId: number, id: string): NewKey {
  return {
    merchantId,
    id,
    kind: 'secret',
    mode: 'test',
    hash: hashOf(id),
    hint: `${merchantId} ${id}`,
    name: 'till',
    may_refund: true,
    dialect: 'florin',
    form_hosts: null,
    form_callback_hosts: null,
    form_tx_ref_prefix: null,
    form_currencies: null,
    form_min_minor: null,
    form_max_minor: null,
    form_shows_title: null,
    form_secret: null,
  }
}

async function write<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
  return inTransaction(db, work)
}

async function rowsOf(merchantId: number): Promise<string[]> {
  const rows = await db.query<{ row: string }>(sql`
    select row_to_json(keys)::text as row from keys where merchant_id = ${merchantId}
    union all select row_to_json(merchants)::text from merchants where id = ${merchantId}
    union all select row_to_json(merchant_currencies)::text from merchant_currencies where merchant_id = ${merchantId}`)
  return rows.map(({ row }) => row).toSorted()
}

/** What is done for each of the two changes as many rows of its own, and none of the other. */
async function changes(count: number, work: (own: number) => Promise<unknown>): Promise<void> {
  const [one, two] = merchants
  for (const [own, other] of [
    [one, two],
    [two, one],
  ] as const) {
    const [ownRows, otherRows] = [await rowsOf(own), await rowsOf(other)]
    await work(own)
    assert.deepEqual(await rowsOf(other), otherRows)
    const changed = (await rowsOf(own)).filter((row) => !ownRows.includes(row))
    assert.equal(changed.length, count)
  }
}

test('look-ups find this merchant’s key, settings and currencies', async () => {
  await enableCurrency(db, merchants[0], 'EUR')
  await enableCurrency(db, merchants[1], 'JPY')
  await changes(0, async (own) => {
    for (const id of Object.values(ids)) {
      assert.equal((await findKeyByHash(db, own, hashOf(id)))?.hint, `${own} ${id}`)
      assert.equal((await write(async (tx) => findKey(tx, own, id)))?.hint, `${own} ${id}`)
    }
    assert.equal(await findKeyByHash(db, own, Buffer.alloc(32)), undefined)
    assert.deepEqual(
      (await listKeys(db, own)).map(({ hint }) => hint).toSorted(),
      Object.values(ids).map((id) => `${own} ${id}`),
    )
    assert.equal((await findMerchant(db, own))?.id, own)
    assert.equal((await write(async (tx) => lockMerchant(tx, own)))?.id, own)
    assert.deepEqual(await db.query(sql`select merchant_id from ${rowOf(own)}`), [{ merchant_id: own }])
    const currencies = (await listCurrencies(db, own)).map(({ currency }) => currency)
    assert.deepEqual(currencies, own === merchants[0] ? ['EUR', 'GBP'] : ['GBP', 'JPY'])
  })
  assert.equal(await findMerchant(db, 10_000_000), undefined)
})

test('keys are listed in order of creation, then by id', async () => {
  const [own] = merchants
  const pair = ['key_0000000000000004', 'key_0000000000000003']
  await write(async (tx) => {
    for (const id of pair) await insertKey(tx, newKey(own, id))
  })
  const listed = (await listKeys(db, own)).map(({ id }) => id)
  assert.deepEqual(listed, [ids.second, ids.first, ...pair.toReversed()])
})

test('disabling a currency or changing its fee affects only its own merchant', async () => {
  for (const own of merchants) await enableCurrency(db, own, 'EUR')
  const currencies = async (own: number): Promise<string[]> =>
    (await listCurrencies(db, own)).map(({ currency }) => currency)
  await changes(1, async (own) => write(async (tx) => switchCurrency(tx, own, 'EUR', false)))
  await changes(1, async (own) => write(async (tx) => upsertCurrency(tx, own, 'EUR', BigInt(own))))
  await changes(0, async (own) => {
    assert.deepEqual(await currencies(own), ['GBP'])
    const euro = await write(async (tx) => findCurrency(tx, own, 'EUR'))
    assert.deepEqual(euro, { currency: 'EUR', fee_fixed_minor: BigInt(own), is_on: false })
    assert.equal(await write(async (tx) => findCurrency(tx, own, 'JPY')), undefined)
  })
  await changes(1, async (own) => write(async (tx) => switchCurrency(tx, own, 'EUR', true)))
  for (const own of merchants) assert.deepEqual(await currencies(own), ['EUR', 'GBP'])
})

test('a taken merchant number is not overwritten', async () => {
  await changes(0, async (id) => {
    const taken = { id, name: 'Third', email: null, liveEnabled: true }
    assert.equal(await write(async (tx) => insertMerchant(tx, taken)), false)
  })
})

test('ending, revoking, exposing or using a key leaves other keys unchanged', async () => {
  await changes(1, async (own) => write(async (tx) => endKey(tx, own, ids.first, 1)))
  await changes(1, async (own) => write(async (tx) => markRevoked(tx, own, ids.first)))
  await changes(1, async (own) => {
    assert.equal(await write(async (tx) => markExposed(tx, own, ids.second)), `${own} ${ids.second}`)
  })
  await changes(1, async (own) => touchKeys(db, own, [ids.second]))
  await changes(1, async (own) => {
    const email = `${own}@example.com`
    assert.equal((await write(async (tx) => setMerchant(tx, own, { email })))?.email, email)
  })
})

test('a key’s form secret is replaced only if it is unchanged since it was read', async () => {
  const [id, twin] = ['key_0000000000000009', 'key_0000000000000008']
  const [old, fresh] = [Buffer.from('old'), Buffer.from('fresh')]
  for (const own of merchants) {
    for (const each of [id, twin])
      await write(async (tx) => insertKey(tx, { ...newKey(own, each), kind: 'form', form_secret: old }))
  }
  const untouched = { id: twin, form_secret: old }
  await changes(1, async (own) => {
    assert.deepEqual(await listFormSecrets(db, own), [untouched, { id, form_secret: old }])
    assert.ok(await replaceFormSecret(db, own, { id, form_secret: old }, fresh))
  })
  await changes(0, async (own) => {
    assert.equal(await replaceFormSecret(db, own, { id, form_secret: old }, old), false)
    assert.deepEqual(await listFormSecrets(db, own), [untouched, { id, form_secret: fresh }])
  })
})

test('a key can’t be revoked or marked exposed twice', async () => {
  const [own] = merchants
  assert.equal(await write(async (tx) => markRevoked(tx, own, ids.first)), `${own} ${ids.first}`)
  assert.equal(await write(async (tx) => markExposed(tx, own, ids.first)), `${own} ${ids.first}`)
  await changes(0, async () => {
    assert.equal(await write(async (tx) => markRevoked(tx, own, ids.first)), undefined)
    assert.equal(await write(async (tx) => markExposed(tx, own, ids.first)), undefined)
    assert.equal(await write(async (tx) => markRevoked(tx, own, 'key_0000000000000003')), undefined)
    assert.equal(await write(async (tx) => setMerchant(tx, 10_000_000, { liveEnabled: true })), undefined)
  })
})

test('a key being rolled can’t be rolled a second time meanwhile', async () => {
  const [own] = merchants
  await write(async (tx) => {
    await findKey(tx, own, ids.first)
    const free = await write(async (second) =>
      second.query(sql`select from keys where merchant_id = ${own} for update skip locked`),
    )
    assert.equal(free.length, 1)
  })
})

test('a merchant being changed is locked against other changes', async () => {
  const [own, other] = merchants
  const isFree = async (id: number): Promise<boolean> =>
    (await db.query(sql`select from merchants where id = ${id} for no key update skip locked`)).length === 1
  await write(async (tx) => {
    await lockMerchant(tx, own)
    assert.deepEqual([await isFree(own), await isFree(other)], [false, true])
  })
})
