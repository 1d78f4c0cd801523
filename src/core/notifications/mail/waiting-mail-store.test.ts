import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { changesBy } from '../../../../test/support/notification-changes.ts'
import {
  delivery,
  moment,
  neighbour,
  openNotificationRows,
  own,
  type NotificationRows,
  type StoredDelivery,
} from '../../../../test/support/notification-rows.ts'
import { inTransaction } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'
import { mailOrigin } from '../queues.ts'
import { countWaitingMail, resumeMail } from './waiting-mail-store.ts'

let rows: NotificationRows
before(async () => {
  rows = await openNotificationRows()
})
after(() => rows.close())

const asked = { now: new Date(moment(60)), tooOldBefore: new Date(moment(0)), limit: 10 }

function mail(id: string, changes: Partial<StoredDelivery> = {}): StoredDelivery {
  return delivery({ id, kind: 'mail', mode: 'live', origin: mailOrigin, state: 'paused', ...changes })
}

/** Those that differ in one thing from what waits for a mail server. */
const others = [
  mail('msg_1', { merchant_id: neighbour }),
  mail('msg_test', { mode: 'test' }),
  mail('msg_ipn', { kind: 'ipn', origin: 'https://one.example' }),
  mail('msg_failed', { state: 'failed' }),
  mail('msg_failed', { merchant_id: neighbour }),
  mail('msg_kept', { state: 'kept' }),
]

test('one merchant’s mail waiting for a mail server becomes due, and stays in the mailbox if too old', async () => {
  await rows.replace({
    deliveries: [...others, mail('msg_1'), mail('msg_old', { created_at: moment(-1) })],
  })
  assert.equal(await countWaitingMail(rows.db, own), 2)
  const changes = await changesBy(rows.db, async () => assert.equal(await resumeMail(rows.db, own, asked), 1))
  assert.deepEqual(changes, {
    'own msg_1': { state: 'waiting', next_try_at: moment(60) },
    'own msg_old': { state: 'kept', finished_at: moment(60) },
  })
  assert.equal(await countWaitingMail(rows.db, own), 0)
  assert.equal(await countWaitingMail(rows.db, neighbour), 2)
})

test('waiting mail is released up to the limit, skipping locked rows', async () => {
  const { db } = rows
  await rows.replace({ deliveries: ['msg_1', 'msg_2', 'msg_3'].map((id) => mail(id)) })
  assert.equal(await resumeMail(db, own, { ...asked, limit: 1 }), 1)
  await inTransaction(db, async (tx) => {
    const [held] = await tx.query(sql`
      select id from deliveries where merchant_id = ${own} and state = 'paused' order by id limit 1 for update`)
    assert.equal(await resumeMail(db, own, asked), 1)
    const left = await db.query(sql`
      select id from deliveries where merchant_id = ${own} and state = 'paused'`)
    assert.deepEqual(left, [held])
  })
  assert.equal(await resumeMail(db, own, asked), 1)
})
