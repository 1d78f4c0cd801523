import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createTestDatabase, type TestDatabase } from '../../../../test/support/database.ts'
import { Database, inTransaction, type Transaction } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'
import { createMerchant } from '../create-merchant.ts'
import {
  insertAccount,
  listAccounts,
  listSealed,
  markRemoved,
  replaceSealed,
  updateAccount,
  updateChecked,
  type NewAccount,
  type Owner,
} from './account-store.ts'

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
  return {
    id,
    connector,
    label: id,
    sandbox: true,
    credentials: Buffer.from('sealed'),
    callbacks: 'set_up',
    marks: [],
  }
}

test('merchants’ and the installation’s accounts are separate, one per network, newest first', async () => {
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

/** Which accounts read otherwise afterwards, of everybody. */
async function changedBy(
  owners: readonly Owner[],
  work: (tx: Transaction) => Promise<boolean>,
): Promise<string[]> {
  const read = async (): Promise<Map<string, string>> => {
    const lists = await Promise.all(
      owners.map(async (owner) =>
        (await listAccounts(db, owner)).map((row): [string, string] => [
          `${owner} ${row.id}`,
          JSON.stringify(row),
        ]),
      ),
    )
    return new Map(lists.flat())
  }
  const were = await read()
  const isDone = await inTransaction(db, work)
  const changed = [...(await read())].flatMap(([name, row]) => (were.get(name) === row ? [] : [name]))
  assert.equal(isDone, changed.length > 0)
  return changed
}

test('changing, checking, removing or resealing one account leaves all others unchanged', async () => {
  const merchants = [
    await createMerchant(db, { name: 'Corner shop' }),
    await createMerchant(db, { name: 'Its neighbour' }),
  ]
  await db.query(sql`delete from installation_accounts where true`)
  const owners: readonly Owner[] = [...merchants, 'installation']
  for (const owner of owners) {
    for (const [letter, connector] of [
      ['b', 'stripe'],
      ['a', 'gocardless'],
    ] as const)
      await inTransaction(db, async (tx) => insertAccount(tx, owner, account(idOf(letter), connector)))
  }
  const found = {
    label: 'Renamed',
    sandbox: false,
    callbacks: 'missing',
    marks: ['visa'] as 'visa'[],
  } as const
  const credentials = Buffer.from('sealed anew')
  for (const owner of owners) {
    const id = idOf('b')
    const one = [`${owner} ${id}`]
    const changes: ((tx: Transaction) => Promise<boolean>)[] = [
      async (tx) => updateChecked(tx, owner, id, found),
      // Before the next one: as long as all have the same credentials, these alone find the wrong rows too.
      async (tx) => {
        const rows = await listSealed(tx, owner)
        assert.deepEqual(
          rows.map((each) => each.id),
          [idOf('a'), id],
        )
        const row = { id, credentials: Buffer.from('sealed') }
        const stale = { ...row, credentials: Buffer.from('read before') }
        assert.equal(await replaceSealed(tx, owner, stale, Buffer.from('late')), false)
        return replaceSealed(tx, owner, row, Buffer.from('third'))
      },
      async (tx) => updateAccount(tx, owner, id, { ...found, credentials }),
      async (tx) => markRemoved(tx, owner, id),
    ]
    for (const change of changes) assert.deepEqual(await changedBy(owners, change), one)
    assert.deepEqual(await changedBy(owners, async (tx) => markRemoved(tx, owner, id)), [], 'once is enough')
    const nobodys = idOf('x')
    assert.deepEqual(await changedBy(owners, async (tx) => updateChecked(tx, owner, nobodys, found)), [])
  }
})
