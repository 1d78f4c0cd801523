import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.ts'
import { Database, inTransaction } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import { createMerchant } from '../create-merchant.ts'
import { insertAccount, listAccounts, type NewAccount } from './account-store.ts'

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

/** The same for all: a neighbour's must not count. */
function idOf(letter: string): string {
  return `acc_${letter.repeat(16)}`
}

function account(id: string, connector: string): NewAccount {
  return { id, connector, label: id, sandbox: true, credentials: Buffer.from('sealed'), callbacks: 'set_up' }
}

test('the accounts of a merchant and of the installation are apart, one a network, the newest first', async () => {
  const merchantId = await createMerchant(db, { name: 'Corner shop' })
  const neighbour = await createMerchant(db, { name: 'Its neighbour' })
  for (const owner of [merchantId, neighbour, 'installation'] as const) {
    const added = async (id: string, connector: string): Promise<boolean> =>
      inTransaction(db, async (tx) => insertAccount(tx, owner, account(id, connector)))
    assert.equal(await added(idOf('b'), 'stripe'), true)
    assert.equal(await added(idOf('c'), 'stripe'), false, 'one account at a network')
    assert.equal(await added(idOf('a'), 'gocardless'), true)
  }
  const date = async (id: string, time: string): Promise<void> => {
    for (const owner of [merchantId, neighbour])
      await db.query(sql`
        update connector_accounts set created_at = ${time} where merchant_id = ${owner} and id = ${id}`)
    await db.query(sql`update installation_accounts set created_at = ${time} where id = ${id}`)
  }
  for (const owner of [merchantId, neighbour, 'installation'] as const) {
    const ids = async (): Promise<string[]> => (await listAccounts(db, owner)).map(({ id }) => id)
    const [older, newer] = [idOf('a'), idOf('b')]
    await date(older, '2026-11-15T12:00:00Z')
    await date(newer, '2026-11-15T12:00:01Z')
    assert.deepEqual(await ids(), [newer, older])
    await date(older, '2026-11-15T12:00:01Z')
    assert.deepEqual(await ids(), [older, newer], 'of one moment by name')
  }
})
