import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  delivery,
  moment,
  neighbour,
  openNotificationRows,
  origins,
  own,
  receiver,
  type NotificationRows,
} from '../../../../test/support/notification-rows.ts'
import { ada } from '../../../../test/support/witness.ts'
import { sql } from '../../../platform/database/sql.ts'
import { listPausedReceivers, resumeReceiver } from '../ipn/resume-receiver.ts'
import { makeOutbox } from '../outbox.ts'
import type { Queue } from '../queues.ts'
import { pauseReceiver } from './pause-receiver.ts'

let rows: NotificationRows
before(async () => {
  rows = await openNotificationRows()
})
after(() => rows.close())

const queue: Queue = { merchantId: own, mode: 'test', origin: origins.one }

async function statesOf(merchantId: number): Promise<Record<string, string>> {
  const found = await rows.db.query<{ id: string; state: string }>(
    sql`select id, state from deliveries where merchant_id = ${merchantId}`,
  )
  return Object.fromEntries(found.map(({ id, state }) => [id, state]))
}

async function newestAct(): Promise<unknown> {
  const [act] = await rows.db.query(sql`
    select action, actor, subject, after from audit_log where merchant_id = ${own} order by at desc limit 1`)
  return act
}

test('a person pauses and resumes a receiver, and its due deliveries wait meanwhile', async () => {
  const ids = ['evt_a', 'evt_b']
  await rows.replace({
    deliveries: [
      ...ids.map((id) => delivery({ id, step: 3 })),
      delivery({ id: 'evt_done', state: 'delivered' }),
      delivery({ id: 'evt_live', mode: 'live' }),
      delivery({ id: 'evt_two', origin: origins.two }),
      delivery({ id: 'evt_a', merchant_id: neighbour }),
    ],
    receivers: [receiver()],
  })
  const others = { evt_done: 'delivered', evt_live: 'waiting', evt_two: 'waiting' }
  await pauseReceiver(rows.db, queue, ada, new Date(moment(5)))
  assert.deepEqual(await statesOf(own), { evt_a: 'paused', evt_b: 'paused', ...others })
  assert.deepEqual(await statesOf(neighbour), { evt_a: 'waiting' })
  const act = { actor: 'ada', subject: origins.one }
  assert.deepEqual(await newestAct(), { action: 'receiver.paused', ...act, after: { mode: 'test' } })
  assert.equal((await listPausedReceivers(rows.db, queue)).length, 1)
  await assert.rejects(pauseReceiver(rows.db, queue, ada, new Date(moment(6))), {
    code: 'not_found',
    message: `${origins.one} is already paused`,
  })

  const outbox = makeOutbox()
  const told = new Promise((resolve) => {
    outbox.onCommit((due, isDue) => resolve([due, isDue]))
  })
  assert.equal(await resumeReceiver({ db: rows.db, outbox }, queue, ada, new Date(moment(9))), 2)
  assert.deepEqual(await told, [queue, true])
  assert.deepEqual(await statesOf(own), { evt_a: 'waiting', evt_b: 'waiting', ...others })
  const due = await rows.db.query(sql`
    select step, next_try_at from deliveries where merchant_id = ${own} and id = 'evt_a'`)
  assert.deepEqual(due, [{ step: 0, next_try_at: moment(9) }])
  const resumed = { mode: 'test', deliveries: 2 }
  assert.deepEqual(await newestAct(), { action: 'receiver.resumed', ...act, after: resumed })
  assert.deepEqual(await listPausedReceivers(rows.db, queue), [])
  await assert.rejects(resumeReceiver({ db: rows.db, outbox }, queue, ada), {
    code: 'not_found',
    message: `${origins.one} is not paused`,
  })
})
