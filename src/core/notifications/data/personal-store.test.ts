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
  lockedDeliveries,
  storedDelivery,
} from '../../../../test/support/twin-deliveries.ts'
import { Database, inTransaction } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'
import { forgetAnswers, lockDeliveriesOf, readDeliveries, redactDeliveries } from './personal-store.ts'

let home: TestDatabase
let db: Database
const [own] = deliveryTwins
const [number, another, third] = ['1'.repeat(24), '2'.repeat(24), '3'.repeat(24)]
const asked = [number, another]
const ids = { first: 'evt_a', second: 'evt_b', third: 'evt_c', others: 'evt_d', nobodys: 'evt_e' } as const

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
  await insertTwinDeliveries(db, [
    storedDelivery(ids.third, { number: another, state: 'waiting' }),
    storedDelivery(ids.second, { number, created_at: moment(1) }),
    storedDelivery(ids.first, { number, created_at: moment(1) }),
    storedDelivery(ids.others, { number: third, state: 'waiting' }),
    storedDelivery(ids.nobodys),
  ])
})

test('deliveries of the named payments are locked for one merchant, in id order', async () => {
  await inTransaction(db, async (tx) => {
    const told = (await lockDeliveriesOf(tx, own, asked)).map(({ id }) => id)
    assert.deepEqual(told, [ids.first, ids.second, ids.third])
    assert.deepEqual(
      await lockedDeliveries(db),
      told.map((id) => `${own} ${id}`),
    )
  })
})

test('deliveries of the named payments are read for one merchant, oldest first', async () => {
  const rows = (await readDeliveries(db, own, asked)) as { merchant_id: number; id: string }[]
  assert.deepEqual(
    rows.map(({ merchant_id, id }) => `${merchant_id} ${id}`),
    [ids.third, ids.first, ids.second].map((id) => `${own} ${id}`),
  )
})

test('a payload is replaced in one merchant’s delivery, and a finished one is no longer sent', async () => {
  const said = {
    target: 'https://shop.example/erased?x',
    origin: 'https://shop.example/erased',
    body: '{"erased":true}',
  }
  const replace = async (id: string, is_ended: boolean): Promise<string[]> =>
    changedDeliveries(db, async () =>
      inTransaction(db, async (tx) => redactDeliveries(tx, own, [{ id, ...said, is_ended }])),
    )
  assert.deepEqual(await replace(ids.third, true), [`${own} ${ids.third}`])
  assert.deepEqual(await replace(ids.others, false), [`${own} ${ids.others}`])
  const rows = await db.query(sql`
    select target, origin, body, state, next_try_at, finished_at is not null as "isFinished" from deliveries
    where merchant_id = ${own} and body = ${said.body} order by id`)
  assert.deepEqual(rows, [
    { ...said, state: 'skipped', next_try_at: null, isFinished: true },
    { ...said, state: 'waiting', next_try_at: moment(0), isFinished: false },
  ])
})

test('responses and addresses in the attempts of these deliveries are erased for one merchant, other errors stay', async () => {
  const address = '550 ada@example.com is unknown'
  await insertTwinTries(db, [ids.first], { answer: 'for Ada', error: null })
  await insertTwinTries(db, [ids.second], { error: address })
  await insertTwinTries(db, [ids.third], { error: 'no answer in 15 s' })
  await insertTwinTries(db, [ids.others], { answer: 'for Ada', error: address })
  const triesOf = (id: string): string[] => [`${own} ${id}/1`, `${own} ${id}/2`]
  const changed = await changedDeliveries(db, async () =>
    inTransaction(db, async (tx) => forgetAnswers(tx, own, [ids.first, ids.second, ids.third])),
  )
  assert.deepEqual(changed, [...triesOf(ids.first), ...triesOf(ids.second)])
  const rows = await db.query(sql`
    select delivery_id, answer, error from delivery_attempts where merchant_id = ${own} and attempt = 1
    order by delivery_id`)
  assert.deepEqual(rows, [
    { delivery_id: ids.first, answer: null, error: null },
    { delivery_id: ids.second, answer: null, error: 'erased' },
    { delivery_id: ids.third, answer: null, error: 'no answer in 15 s' },
    { delivery_id: ids.others, answer: 'for Ada', error: address },
  ])
})
