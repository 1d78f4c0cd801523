import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.ts'
import { Database } from '../database/database.ts'
import { sql } from '../database/sql.ts'
import {
  findSecret,
  listSecrets,
  replaceSecret,
  shareSecret,
  type InstallationSecretRow,
} from './installation-secret-store.ts'

// Two that are sealed and two that are plain still, each pair with the same bytes: only its name tells one from the other.

let home: TestDatabase
let db: Database
const [old, fresh] = [Buffer.from('old'), Buffer.from('fresh')]
const plain = Buffer.alloc(32, 'plain')
const stored: readonly InstallationSecretRow[] = [
  { name: 'a', secret: null, sealed: old },
  { name: 'b', secret: plain, sealed: null },
  { name: 'c', secret: null, sealed: old },
  { name: 'd', secret: plain, sealed: null },
]

before(async () => {
  home = await createTestDatabase()
  db = new Database(home.url)
})
after(async () => {
  await db.close()
  await home.drop()
})

beforeEach(async () => {
  await db.query(sql`delete from installation_secrets where true`)
  for (const { name, secret, sealed } of stored.toReversed())
    await db.query(sql`
      insert into installation_secrets (name, secret, sealed) values (${name}, ${secret}, ${sealed})`)
})

test('a secret is found by its name, and all are listed by name', async () => {
  for (const row of stored) assert.deepEqual(await findSecret(db, row.name), row)
  assert.equal(await findSecret(db, 'e'), undefined)
  assert.deepEqual(await listSecrets(db), stored)
})

test('a second caller gets the first one’s secret', async () => {
  const shared = { name: 'e', secret: null, sealed: old }
  assert.deepEqual(await shareSecret(db, 'e', old), shared)
  assert.deepEqual(await shareSecret(db, 'e', fresh), shared)
  assert.deepEqual(await shareSecret(db, 'b', fresh), stored[1], 'plain still')
})

test('a secret is resealed alone, and only if unchanged since it was read', async () => {
  for (const row of stored) {
    const were = await listSecrets(db)
    const others: readonly Partial<InstallationSecretRow>[] = [
      { name: 'e' },
      { secret: null, sealed: Buffer.from('read before') },
      { secret: Buffer.alloc(32, 'read before'), sealed: null },
      row.sealed === null ? { secret: null, sealed: old } : { secret: plain, sealed: null },
    ]
    for (const stale of others) assert.equal(await replaceSecret(db, { ...row, ...stale }, fresh), false)
    assert.deepEqual(await listSecrets(db), were)
    assert.equal(await replaceSecret(db, row, fresh), true)
    const sealed = { name: row.name, secret: null, sealed: fresh }
    assert.deepEqual(
      await listSecrets(db),
      were.map((each) => (each.name === row.name ? sealed : each)),
    )
  }
})
