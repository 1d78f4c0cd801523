import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createTestDatabase, type TestDatabase } from '../../../../test/support/database.ts'
import { Database } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'
import { createMerchant } from '../create-merchant.ts'
import { findMerchants, type MerchantFilter } from './merchants-look-store.ts'

let home: TestDatabase
let db: Database
const shops = [
  { name: 'Corner shop', live: false, suspended: false },
  { name: 'Live shop', live: true, suspended: false },
  { name: 'Suspended shop', live: false, suspended: true },
  { name: 'Both', live: true, suspended: true },
].map((shop) => ({ ...shop, id: 0 }))

before(async () => {
  home = await createTestDatabase()
  db = new Database(home.url)
  for (const shop of shops) {
    shop.id = await createMerchant(db, { name: shop.name, liveEnabled: shop.live })
    const at = shop.suspended ? new Date() : null
    // Two of each moment.
    const createdAt = shop.live ? '2026-11-15T12:00:01Z' : '2026-11-15T12:00:00Z'
    await db.query(sql`
      update merchants set suspended_at = ${at}, created_at = ${createdAt} where id = ${shop.id}`)
  }
})
after(async () => {
  await db.close()
  await home.drop()
})

async function found(filter: Partial<MerchantFilter>): Promise<number[]> {
  return (await findMerchants(db, { limit: 10, ...filter })).map(({ id }) => id)
}

function wanted(isWanted: (shop: (typeof shops)[number]) => boolean): number[] {
  return shops
    .filter(isWanted)
    .toSorted((one, other) => Number(other.live) - Number(one.live) || other.id - one.id)
    .map(({ id }) => id)
}

test('an operator finds merchants by state, by part of the name in any case, and by number', async () => {
  assert.deepEqual(
    await found({}),
    wanted(() => true),
  )
  assert.deepEqual(
    await found({ state: 'suspended' }),
    wanted(({ suspended }) => suspended),
  )
  assert.deepEqual(
    await found({ state: 'live' }),
    wanted(({ live, suspended }) => live && !suspended),
  )
  assert.deepEqual(
    await found({ state: 'test' }),
    wanted(({ live, suspended }) => !live && !suspended),
  )
  assert.deepEqual(
    await found({ words: 'SHOP' }),
    wanted(({ name }) => name.includes('shop')),
  )
  const [one] = shops
  assert.deepEqual(await found({ words: String(one?.id) }), [one?.id])
  assert.deepEqual(await found({ words: String(one?.id).slice(0, -1) }), [])
})

test('pages follow without a gap, even for merchants created at the same moment', async () => {
  const all = await findMerchants(db, { limit: 10 })
  const pages: number[] = []
  let last: MerchantFilter['after']
  for (let page = 0; page < 4; page += 1) {
    const [row, ...more] = await findMerchants(db, { limit: 1, after: last })
    assert.ok(row && more.length === 0)
    pages.push(row.id)
    last = { createdAt: row.created_at, id: row.id }
  }
  assert.deepEqual(
    pages,
    all.map(({ id }) => id),
  )
  assert.deepEqual(await found({ after: last }), [])
})
