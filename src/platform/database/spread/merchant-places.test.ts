import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestDatabase } from '../../../../test/support/database.ts'
import { Database } from '../database.ts'
import { sql } from '../sql.ts'
import { findRange, hashOf } from './merchant-places.ts'

test('a merchant’s number has the hash that PostgreSQL gives it', async () => {
  const home = await createTestDatabase()
  const db = new Database(home.url, { poolSize: 1 })
  const rows = await db.query<{ id: number; hash: number }>(sql`
    select id, hashint4(id) as hash from (
      select id from generate_series(0, 200) as id
      union all select 99999999 - id * 7919 from generate_series(0, 200) as id) as ids`)
  await db.close()
  await home.drop()
  assert.deepEqual(
    rows.map(({ id }) => hashOf(id)),
    rows.map(({ hash }) => hash),
  )
})

test('a merchant is in the shard whose range holds its hash', () => {
  const [lower, upper] = [
    { shard: '102008', node: 'node1:5432', min: -2147483648, max: -1, answers: true },
    { shard: '102009', node: 'node2:5432', min: 0, max: 2147483647, answers: true },
  ]
  for (const id of [1, 2, 3, 4, 5])
    assert.equal(findRange([lower, upper], id), hashOf(id) < 0 ? lower : upper)
  assert.equal(findRange([], 1), undefined)
})
