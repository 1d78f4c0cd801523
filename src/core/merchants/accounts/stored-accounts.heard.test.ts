import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { createTestDatabase, type TestDatabase } from '../../../../test/support/database.ts'
import { scriptListener, type ScriptedListener } from '../../../../test/support/scripted-listener.ts'
import { testSecrets } from '../../../../test/support/secrets.ts'
import { Database, type Row } from '../../../platform/database/database.ts'
import type { Sql } from '../../../platform/database/sql.ts'
import { createMerchant } from '../create-merchant.ts'
import { addAccount, removeAccount } from './change-accounts.ts'
import { makeStoredAccounts, type Owner, type StoredAccounts } from './stored-accounts.ts'

// Which accounts a server knows, by what it has heard and what it has not.

/** Counts what is asked of it, and how often it is asked who has accounts at all, which may fail. */
class WatchedDatabase extends Database {
  asked = 0
  looks = 0
  isBroken = false
  override async query<R extends object = Row>(statement: Sql): Promise<R[]> {
    this.asked += 1
    return super.query<R>(statement)
  }
  override async look<R extends object = Row>(statement: Sql): Promise<R[]> {
    this.looks += 1
    if (this.isBroken) throw new Error('broken')
    return super.look<R>(statement)
  }
}

let home: TestDatabase
let db: WatchedDatabase
let listener: ScriptedListener
let accounts: StoredAccounts
before(async () => {
  home = await createTestDatabase()
  db = new WatchedDatabase(home.url)
})
after(async () => {
  await db.close()
  await home.drop()
})
beforeEach(() => {
  listener = scriptListener()
  accounts = makeStoredAccounts(db, listener, testSecrets, () => 0)
})

const said = {
  credentials: { secret_key: 'one' },
  label: 'Shop',
  sandbox: false,
  callbacks: 'set_up',
} as const

async function add(owner: Owner, connector = 'stripe'): Promise<string> {
  return (await addAccount(db, testSecrets, owner, { ...said, connector })) ?? assert.fail('there is one')
}

const newShop = async (): Promise<number> => createMerchant(db, { name: 'Corner shop' })

const behind = async (owner: Owner, connector = 'stripe'): Promise<string[]> =>
  (await accounts.behindCallback(owner, connector)).map(({ id }) => id)

const usable = async (merchantId: number): Promise<string[]> =>
  (await accounts.of(merchantId, 'live')).map(({ id }) => id)

test('a callback is checked against the active account and the five last removed', async () => {
  for (const owner of [await newShop(), 'installation'] as const) {
    const removed: string[] = []
    for (let count = 0; count < 6; count += 1) {
      const id = await add(owner)
      await removeAccount(db, { owner, id })
      removed.unshift(id)
    }
    assert.deepEqual(await behind(owner), removed.slice(0, 5))
    const living = await add(owner)
    const elsewhere = await add(owner, 'gocardless')
    accounts = makeStoredAccounts(db, scriptListener(), testSecrets, () => 0)
    assert.deepEqual(await behind(owner), [living, ...removed.slice(0, 5)])
    assert.deepEqual(await behind(owner, 'gocardless'), [elsewhere])
    for (const id of [living, elsewhere]) await removeAccount(db, { owner, id })
  }
})

test('without a merchant only the installation’s own accounts are returned, once each', async () => {
  const id = await add('installation')
  assert.deepEqual(await usable(0), [id])
  assert.equal((await accounts.byId(0, id))?.owner, 'installation')
  assert.deepEqual(await accounts.of(0, 'test'), [])
  const { asked } = db
  assert.deepEqual(await usable(0), [id])
  assert.equal(db.asked, asked)
  await removeAccount(db, { owner: 'installation', id })
})

test('a merchant’s first account is known as soon as its notification arrives, without another full look-up', async () => {
  const merchantId = await newShop()
  assert.deepEqual(await behind(merchantId), [])
  const id = await add(merchantId)
  const { asked, looks } = db
  assert.deepEqual(await behind(merchantId), [], 'it was not heard yet')
  assert.deepEqual([db.asked, db.looks], [asked, looks])
  listener.say('florin_merchants', String(merchantId))
  assert.deepEqual(await behind(merchantId), [id])
  assert.equal(db.looks, looks)
  assert.deepEqual(await behind(await newShop()), [])
})

test('a server that lost its connection looks up account owners again, and one that can’t listen asks each time', async () => {
  const merchantId = await newShop()
  assert.deepEqual(await behind(merchantId), [])
  const id = await add(merchantId)
  listener.connected = false
  assert.deepEqual(await behind(merchantId), [id])
  listener.connected = true
  listener.connectAgain()
  const { looks } = db
  for (let count = 0; count < 3; count += 1) assert.deepEqual(await behind(merchantId), [id])
  assert.equal(db.looks, looks + 1)
})

test('a failed look-up is retried by the next caller', async () => {
  const merchantId = await newShop()
  const id = await add(merchantId)
  db.isBroken = true
  await assert.rejects(behind(merchantId), /broken/)
  db.isBroken = false
  assert.deepEqual(await behind(merchantId), [id])
})
