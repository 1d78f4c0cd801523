import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { inspect } from 'node:util'
import { createTestDatabase, type TestDatabase } from '../../../../test/support/database.ts'
import { waitUntil } from '../../../../test/support/wait-until.ts'
import { Database, type Row } from '../../../platform/database/database.ts'
import type { Listener } from '../../../platform/database/listen.ts'
import { listenPatiently } from '../../../../test/support/listen-patiently.ts'
import { sql, type Sql } from '../../../platform/database/sql.ts'
import { createMerchant } from '../create-merchant.ts'
import { resealAll, type SealedRows } from '../../../platform/secrets/reseal.ts'
import { drawSecretsKey, readSecretsKey } from '../../../platform/secrets/secrets-key.ts'
import { makeSecrets, type Secrets } from '../../../platform/secrets/secrets.ts'
import { makeStoredAccounts, type Owner, type StoredAccounts } from './stored-accounts.ts'
import { addAccount, changeAccount, removeAccount } from './change-accounts.ts'
import { listAccounts, listAllAccounts } from './list-accounts.ts'
import { readAccounts } from './read-accounts.ts'
import { installationCredentialRows, merchantCredentialRows } from './sealed-credentials.ts'

class CountingDatabase extends Database {
  statements = 0
  override async query<R extends object = Row>(statement: Sql): Promise<R[]> {
    this.statements += 1
    return super.query<R>(statement)
  }
}

const secretKey = 'sk_live_of-the-merchant'
let home: TestDatabase
let db: CountingDatabase
let listener: Listener
let secrets: Secrets
let accounts: StoredAccounts
let merchantId: number

before(async () => {
  home = await createTestDatabase()
  db = new CountingDatabase(home.url)
  listener = listenPatiently(home.url)
  secrets = makeSecrets(readSecretsKey(drawSecretsKey()) ?? assert.fail())
  // On a busy machine a listener is deaf for a moment, and then a second counts.
  accounts = makeStoredAccounts(db, listener, secrets, () => 0)
  await waitUntil('it listens', () => listener.connected)
})

after(async () => {
  await listener.close()
  await db.close()
  await home.drop()
})

async function add(owner: Owner, connector = 'stripe', label = 'Corner shop (acct_1)'): Promise<string> {
  const account = {
    connector,
    credentials: { secretKey },
    label,
    sandbox: false,
    callbacks: 'missing' as const,
  }
  return (await addAccount(db, secrets, owner, account)) ?? assert.fail('there is one already')
}

const idsOf = async (merchant: number): Promise<string[]> =>
  (await accounts.of(merchant, 'live')).map(({ id }) => id)

test('a merchant is paid through its own accounts, else through the installation’s', async () => {
  const one = await createMerchant(db, { name: 'One' })
  const other = await createMerchant(db, { name: 'Other' })
  assert.deepEqual(await accounts.of(one, 'live'), [])
  const shared = { stripe: await add('installation'), gocardless: await add('installation', 'gocardless') }
  const own = await add(one)
  await waitUntil('its own counts', async () => (await idsOf(one)).includes(own))
  assert.deepEqual((await idsOf(one)).toSorted(), [own, shared.gocardless].toSorted())
  await waitUntil('the other has both', async () => (await idsOf(other)).length === 2)
  assert.deepEqual((await idsOf(other)).toSorted(), Object.values(shared).toSorted())
  assert.deepEqual(await accounts.of(one, 'test'), [], 'test mode never leaves the machine')
  assert.equal(await accounts.byId(other, own), undefined, 'nobody reaches the account of another')
  assert.equal((await accounts.byId(other, shared.stripe))?.owner, 'installation')
  for (const id of Object.values(shared)) await removeAccount(db, { owner: 'installation', id })
})

test('an owner has one account per network at a time', async () => {
  merchantId = await createMerchant(db, { name: 'Corner shop' })
  const first = await add(merchantId)
  const again = {
    connector: 'stripe',
    credentials: {},
    label: 'x',
    sandbox: true,
    callbacks: 'missing' as const,
  }
  assert.equal(await addAccount(db, secrets, merchantId, again), undefined)
  await removeAccount(db, { owner: merchantId, id: first })
  assert.ok(await addAccount(db, secrets, merchantId, again))
  await assert.rejects(removeAccount(db, { owner: merchantId, id: first }), /Account not found/)
})

test('a removed account takes no payment on any server, but can still be asked about earlier ones', async () => {
  const merchant = await createMerchant(db, { name: 'Mover' })
  const id = await add(merchant)
  await waitUntil('it is known', async () => (await idsOf(merchant)).includes(id))
  const otherServer = new Database(home.url)
  await removeAccount(otherServer, { owner: merchant, id })
  await waitUntil('it is gone', async () => !(await idsOf(merchant)).includes(id))
  const found = await accounts.byId(merchant, id)
  assert.equal(found?.isRemoved, true)
  assert.deepEqual(found?.credentials, { secretKey })
  assert.deepEqual(
    (await accounts.behindCallback(merchant, 'stripe')).map((account) => account.id),
    [id],
  )
  await otherServer.close()
})

test('changed credentials are used from then on, under the same account', async () => {
  const merchant = await createMerchant(db, { name: 'Roller' })
  const id = await add(merchant)
  await changeAccount(
    db,
    secrets,
    { owner: merchant, id },
    { credentials: { secretKey: 'new' }, label: 'New name', sandbox: true, callbacks: 'set_up' },
  )
  await waitUntil(
    'it is new',
    async () => (await accounts.byId(merchant, id))?.credentials['secretKey'] === 'new',
  )
  const [summary] = await listAccounts(db, merchant)
  assert.deepEqual([summary?.label, summary?.sandbox, summary?.callbacks], ['New name', true, 'set_up'])
  const all = await listAllAccounts(db)
  assert.ok(all.some((account) => account.id === id && account.merchant === merchant))
  await assert.rejects(
    changeAccount(
      db,
      secrets,
      { owner: 'installation', id },
      { credentials: {}, label: '', sandbox: true, callbacks: 'unknown' },
    ),
    /Account not found/,
  )
})

test('credentials never appear in the database, in JSON, in a log or in a copy', async () => {
  const merchant = await createMerchant(db, { name: 'Canary' })
  await add(merchant)
  const [account] = await accounts.of(merchant, 'live')
  assert.equal(account?.credentials['secretKey'], secretKey)
  for (const shown of [
    JSON.stringify(account),
    inspect(account, { showHidden: true, depth: 9 }),
    inspect({ ...account }),
  ])
    assert.ok(!shown.includes(secretKey), shown)
  const rows = await db.query<{ row: string }>(
    sql`select connector_accounts::text as row from connector_accounts where merchant_id = ${merchant}`,
  )
  assert.equal(rows.length, 1)
  assert.ok(!rows.some(({ row }) => row.includes(Buffer.from(secretKey).toString('hex'))))
})

test('a row moved to another merchant can’t be decrypted there', async () => {
  const [from, to] = [await createMerchant(db, { name: 'From' }), await createMerchant(db, { name: 'To' })]
  const id = await add(from)
  await db.query(sql`update connector_accounts set merchant_id = ${to} where merchant_id = ${from}`)
  const moved = await accounts.byId(to, id)
  assert.throws(() => moved?.credentials, /encrypted for another row/)
})

test('repeated look-ups and guessed merchants cost no statement', async () => {
  const merchant = await createMerchant(db, { name: 'Busy' })
  const id = await add(merchant)
  await waitUntil('it is known', async () => (await accounts.behindCallback(merchant, 'stripe')).length === 1)
  const none = await createMerchant(db, { name: 'None' })
  await accounts.of(none, 'live')
  await waitUntil('it hears', () => listener.connected)
  await accounts.behindCallback(10_000_000, 'stripe')
  const asked = db.statements
  for (let guess = 10_000_000; guess < 10_001_000; guess += 1)
    if (listener.connected) assert.deepEqual(await accounts.behindCallback(guess, 'stripe'), [])
  assert.equal((await accounts.byId(merchant, id))?.id, id)
  assert.deepEqual(await accounts.of(none, 'live'), [])
  assert.deepEqual(await accounts.behindCallback(merchant, 'gocardless'), [])
  assert.equal(db.statements, asked)
})

test('credentials of merchants and the installation are resealed when the key is rotated', async () => {
  const [old, fresh] = [drawSecretsKey(), drawSecretsKey()].map(
    (text) => readSecretsKey(text) ?? assert.fail(),
  )
  assert.ok(old && fresh)
  const merchant = await createMerchant(db, { name: 'Rotated' })
  const account = {
    connector: 'gocardless',
    credentials: { secretKey },
    label: 'Shop',
    sandbox: false,
    callbacks: 'missing',
  } as const
  const owners: Owner[] = [merchant, 'installation']
  for (const owner of owners) assert.ok(await addAccount(db, makeSecrets(old), owner, account))
  const rooms = [merchantCredentialRows, installationCredentialRows] as readonly SealedRows<unknown>[]
  assert.equal(await resealAll(db, makeSecrets(fresh, [old]), rooms), 2)
  for (const owner of owners) {
    const accountsOfOwner = await readAccounts(db, makeSecrets(fresh), owner)
    const living = accountsOfOwner.find(({ isRemoved }) => !isRemoved)
    assert.deepEqual(living?.credentials, { secretKey })
  }
})
