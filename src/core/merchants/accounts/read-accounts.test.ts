import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createTestDatabase, type TestDatabase } from '../../../../test/support/database.ts'
import { testSecrets } from '../../../../test/support/secrets.ts'
import { Database } from '../../../platform/database/database.ts'
import { createMerchant } from '../create-merchant.ts'
import { addAccount, removeAccount } from './change-accounts.ts'
import { listAllAccounts, listSomeAccounts } from './list-accounts.ts'
import { readUsable } from './read-accounts.ts'
import type { Owner } from './stored-accounts.ts'

let home: TestDatabase
let db: Database
before(async () => {
  home = await createTestDatabase()
  db = new Database(home.url)
})
after(async () => {
  await db.close()
  await home.drop()
})

const said = { credentials: {}, label: 'Shop', sandbox: false, callbacks: 'set_up' } as const

async function add(owner: Owner, connector: string): Promise<string> {
  return (await addAccount(db, testSecrets, owner, { ...said, connector })) ?? assert.fail('there is one')
}

const idsOf = (accounts: readonly { readonly id: string }[]): string[] => accounts.map(({ id }) => id)

test('the first active account at each network counts: the merchant’s own, else the installation’s', async () => {
  const merchants = [
    await createMerchant(db, { number: 20_000_001, name: 'One' }),
    await createMerchant(db, { number: 20_000_002, name: 'Two' }),
  ]
  const [one = 0, two = 0] = merchants
  const shared = [await add('installation', 'gocardless'), await add('installation', 'stripe')].toReversed()
  const gone = await add(one, 'stripe')
  await removeAccount(db, { owner: one, id: gone })
  assert.deepEqual(idsOf(await readUsable(db, testSecrets, one)), shared)
  const own = await add(one, 'stripe')
  assert.deepEqual(idsOf(await readUsable(db, testSecrets, one)), [own, shared[1]])
  assert.deepEqual(idsOf(await readUsable(db, testSecrets, two)), shared)

  const theirs = await add(two, 'stripe')
  assert.deepEqual(idsOf(await listAllAccounts(db)), [...shared, own, gone, theirs])
  for (const [most, accounts, merchantsBeyond] of [
    [0, shared, 2],
    [1, [...shared, own], 1],
    [2, [...shared, own, theirs], 0],
    [3, [...shared, own, theirs], 0],
  ] as const) {
    const some = await listSomeAccounts(db, most)
    assert.deepEqual([idsOf(some.accounts), some.merchantsBeyond], [accounts, merchantsBeyond])
  }
})
