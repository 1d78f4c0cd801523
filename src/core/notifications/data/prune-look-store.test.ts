import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { createTestDatabase, type TestDatabase } from '../../../../test/support/database.ts'
import { moment } from '../../../../test/support/notification-rows.ts'
import {
  deliveryTwins,
  emptyTwinDeliveries,
  insertTwinDeliveries,
  storedDelivery,
  type StoredDelivery,
} from '../../../../test/support/twin-deliveries.ts'
import { Database } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'
import { findMerchantsWithOld } from './prune-look-store.ts'

let home: TestDatabase
let db: Database
const [first, second] = deliveryTwins
const old = new Date(moment(10))
/** Something that will be old one day does not make what is beside it old. */
const young = storedDelivery('evt_young', { created_at: moment(11) })

before(async () => {
  home = await createTestDatabase()
  db = new Database(home.url)
})
after(async () => {
  await db.close()
  await home.drop()
})
beforeEach(async () => emptyTwinDeliveries(db))

test('only merchants with an old, finished delivery of that kind with a body are pruned', async () => {
  const states = ['delivered', 'failed', 'skipped', 'kept', 'waiting', 'paused'] as const
  const cases: readonly (readonly [Partial<StoredDelivery>, boolean])[] = [
    ...states.map((state) => [{ state }, state !== 'waiting' && state !== 'paused'] as const),
    [{ kind: 'mail' }, false],
    [{ body: '' }, false],
    [{ created_at: moment(9) }, true],
  ]
  for (const [change, isFound] of cases) {
    await emptyTwinDeliveries(db)
    await insertTwinDeliveries(db, [young, storedDelivery('evt_old', change)])
    const found = await findMerchantsWithOld(db, 'ipn', old, 10)
    assert.deepEqual(found, isFound ? deliveryTwins : [], JSON.stringify(change))
  }
})

test('merchants to prune are distinct and limited in number', async () => {
  await insertTwinDeliveries(db, [young, storedDelivery('evt_old')])
  assert.deepEqual(await findMerchantsWithOld(db, 'ipn', old, 1), [first])
  await db.query(sql`delete from deliveries where merchant_id = ${first} and id = 'evt_old'`)
  assert.deepEqual(await findMerchantsWithOld(db, 'ipn', old, 10), [second])
})
