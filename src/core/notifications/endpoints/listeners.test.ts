import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  openNotificationRows,
  own,
  type NotificationRows,
} from '../../../../test/support/notification-rows.ts'
import { sql } from '../../../platform/database/sql.ts'
import { keepListening, startListening } from './listeners.ts'

let rows: NotificationRows
before(async () => {
  rows = await openNotificationRows()
})
after(() => rows.close())

/** Ahead of the database's clock, which lists no listener that has ended. */
const soonMs = Date.now() + 3_600_000
const at = (seconds: number): Date => new Date(soonMs + seconds * 1_000)
const start = async (now: Date) => startListening(rows.db, own, { body: {}, known: [] }, now)

async function listensUntil(id: string): Promise<Date | undefined> {
  const [row] = await rows.db.query<{ listens_until: string }>(sql`
    select listens_until from endpoints where merchant_id = ${own} and id = ${id}`)
  return row && new Date(row.listens_until)
}

test('a listener lasts a minute from its last poll, however late that came', async () => {
  const { id } = await start(at(0))
  assert.deepEqual(await listensUntil(id), at(60))
  await keepListening(rows.db, { merchantId: own, mode: 'test', id }, at(59))
  assert.deepEqual(await listensUntil(id), at(119))
  await keepListening(rows.db, { merchantId: own, mode: 'test', id }, at(300))
  assert.deepEqual(await listensUntil(id), at(360))
})

test('a listener that stopped polling makes room for the next, and can’t come back', async () => {
  const [alive, { id }] = [await start(at(0)), await start(at(0))]
  await rows.db.query(sql`
    update endpoints set listens_until = now() where merchant_id = ${own} and id = ${id}`)
  await start(at(0))
  await assert.rejects(keepListening(rows.db, { merchantId: own, mode: 'test', id }, at(0)), {
    code: 'not_found',
  })
  assert.deepEqual(await listensUntil(alive.id), at(60))
})

test('five listeners run at once, a sixth is refused', async () => {
  await rows.db.query(sql`delete from endpoints where merchant_id = ${own}`)
  for (let started = 0; started < 5; started += 1) await start(at(0))
  await assert.rejects(start(at(0)), { code: 'too_many_endpoints' })
})
