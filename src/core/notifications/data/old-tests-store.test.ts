import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { createTestDatabase, type TestDatabase } from '../../../../test/support/database.ts'
import {
  changedDeliveries,
  deliveryTwins,
  emptyTwinDeliveries,
  insertTwinDeliveries,
  insertTwinTries,
  lockedDeliveries,
  storedDelivery,
} from '../../../../test/support/twin-deliveries.ts'
import { Database, inTransaction } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'
import { deleteDeliveriesOf, lockWaiting } from './old-tests-store.ts'

let home: TestDatabase
let db: Database
const [own, other] = deliveryTwins
const numberOf = (digit: string): string => digit.repeat(24)
const [number, another, ended, third] = [numberOf('1'), numberOf('2'), numberOf('3'), numberOf('4')]
const asked = { merchantId: own, numbers: [number, another, ended], txRefs: [] }

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
  const deliveries = [
    storedDelivery('evt_a', { number: another, state: 'waiting' }),
    storedDelivery('evt_b', { number, state: 'waiting' }),
    storedDelivery('evt_c', { number: ended }),
    storedDelivery('evt_d', { number: third, state: 'waiting' }),
    storedDelivery('evt_e'),
  ]
  await insertTwinDeliveries(db, deliveries)
  await insertTwinTries(
    db,
    deliveries.map(({ id }) => id),
  )
  // Of a payment that is asked for, at the other one alone.
  await db.query(sql`
    update deliveries set number = ${number}, state = 'waiting', next_try_at = now()
    where merchant_id = ${other} and id = 'evt_e'`)
})

test('all deliveries of the named payments are locked, and payments with a waiting one are named', async () => {
  await inTransaction(db, async (tx) => {
    assert.deepEqual(await lockWaiting(tx, asked), [another, number], 'in the order of the ids')
    assert.deepEqual(await lockedDeliveries(db), [`${own} evt_a`, `${own} evt_b`, `${own} evt_c`])
  })
})

test('deliveries of the named payments are deleted with their attempts, for one merchant', async () => {
  const gone = await changedDeliveries(db, async () =>
    inTransaction(db, async (tx) => deleteDeliveriesOf(tx, asked)),
  )
  assert.deepEqual(
    gone,
    ['evt_a', 'evt_b', 'evt_c'].flatMap((id) => [`${own} ${id}`, `${own} ${id}/1`, `${own} ${id}/2`]),
  )
})
