import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { createTestDatabase, type TestDatabase } from '../../../../test/support/database.ts'
import { moment } from '../../../../test/support/notification-rows.ts'
import {
  changedDeliveries,
  deliveryTwins,
  emptyTwinDeliveries,
  insertTwinDeliveries,
  insertTwinTries,
  storedDelivery,
} from '../../../../test/support/twin-deliveries.ts'
import { Database, inTransaction } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'
import { deleteOldMail, emptyOldIpns } from './prune-store.ts'

// What is old and has ended goes; every delivery that differs from these in one thing stays.

let home: TestDatabase
let db: Database
const [own] = deliveryTwins
const old = new Date(moment(10))
const ended = ['skipped', 'kept', 'failed', 'delivered'] as const

before(async () => {
  home = await createTestDatabase()
  db = new Database(home.url)
})
after(async () => {
  await db.close()
  await home.drop()
})
beforeEach(async () => {
  await emptyTwinDeliveries(db)
  const deliveries = (['ipn', 'mail'] as const).flatMap((kind) => [
    ...ended.map((state, index) =>
      storedDelivery(`${kind}_${state}`, { kind, state, created_at: moment(9 - index) }),
    ),
    storedDelivery(`${kind}_waiting`, { kind, state: 'waiting' }),
    storedDelivery(`${kind}_paused`, { kind, state: 'paused' }),
    storedDelivery(`${kind}_empty`, { kind, body: '' }),
    storedDelivery(`${kind}_young`, { kind, created_at: moment(10) }),
  ])
  await insertTwinDeliveries(db, deliveries)
  await insertTwinTries(
    db,
    deliveries.map(({ id }) => id),
  )
})

/** A delivery and both of its tries. */
function withTries(...ids: readonly string[]): string[] {
  return ids.flatMap((id) => [`${own} ${id}`, `${own} ${id}/1`, `${own} ${id}/2`]).toSorted()
}

const prunings = [
  ['ipn', 'bodies and tries of old IPNs go', emptyOldIpns],
  ['mail', 'old mail goes with its tries', deleteOldMail],
] as const

for (const [kind, sentence, prune] of prunings) {
  test(`${sentence}, oldest first, unless something is waiting, for one merchant only`, async () => {
    const first = await changedDeliveries(db, async () => assert.equal(await prune(db, own, old, 1), 1))
    assert.deepEqual(first, withTries(`${kind}_delivered`))
    const rest = await changedDeliveries(db, async () => assert.equal(await prune(db, own, old, 100), 3))
    assert.deepEqual(rest, withTries(`${kind}_failed`, `${kind}_kept`, `${kind}_skipped`))
    assert.equal(await prune(db, own, old, 100), 0)
  })

  test(`${sentence} without waiting for locked rows`, async () => {
    const held = `${kind}_failed`
    await inTransaction(db, async (tx) => {
      await tx.query(sql`
        select from deliveries where merchant_id = ${own} and id = ${held} for update`)
      assert.equal(await prune(db, own, old, 100), 3)
    })
    const left = await changedDeliveries(db, async () => prune(db, own, old, 100))
    assert.deepEqual(left, withTries(held))
  })
}

test('a pruned IPN keeps everything but its body', async () => {
  const read = async (): Promise<object[]> =>
    db.query(sql`select * from deliveries where merchant_id = ${own} order by id`)
  const were = await read()
  await emptyOldIpns(db, own, old, 100)
  const emptied = new Set<unknown>(ended.map((state) => `ipn_${state}`))
  const expected = were.map((row) => ('id' in row && emptied.has(row.id) ? { ...row, body: '' } : row))
  assert.deepEqual(await read(), expected)
})
