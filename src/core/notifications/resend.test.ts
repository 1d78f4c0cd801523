import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import {
  delivery,
  moment,
  neighbour,
  openNotificationRows,
  origins,
  own,
  type NotificationRows,
} from '../../../test/support/notification-rows.ts'
import { paymentNumber } from '../../../test/support/rows.ts'
import { sql } from '../../platform/database/sql.ts'
import type { Actor } from '../audit/audit.ts'
import type { Deliverer } from './deliver/deliver.ts'
import type { Queue } from './queues.ts'
import { resendNotification } from './resend.ts'

let rows: NotificationRows
before(async () => {
  rows = await openNotificationRows()
})
after(() => rows.close())

const number = paymentNumber(1)
const sent = { number, state: 'failed', step: 9, tries: 10, finished_at: moment(5) } as const
type ResendRequest = Parameters<typeof resendNotification>[1]

const of: ResendRequest = { merchantId: own, mode: 'test', number, id: 'evt_a' }
const ada: Actor = { kind: 'person', name: 'ada' }

beforeEach(async () => {
  const ids = ['evt_a', 'evt_b']
  await rows.replace({
    deliveries: [
      ...ids.map((id) => delivery({ id, ...sent })),
      delivery({ id: 'evt_a', ...sent, merchant_id: neighbour }),
      delivery({ id: 'evt_other', ...sent, number: paymentNumber(2) }),
      delivery({ id: 'evt_nowhere', ...sent, target: '' }),
      delivery({ id: 'evt_pruned', ...sent, body: '' }),
    ],
  })
})

let asked: Queue[] = []
async function resend(changes: Partial<ResendRequest> = {}, by?: Actor): Promise<void> {
  asked = []
  const deliverer = { ask: (queue: Queue) => void asked.push(queue) } as unknown as Deliverer
  const deps = { db: rows.db, deliverer, now: () => new Date(moment(60)) }
  await resendNotification(deps, { ...of, ...changes }, by)
}

async function waiting(): Promise<unknown[]> {
  return rows.db.query(sql`
    select id, step, tries, next_try_at, finished_at from deliveries
    where merchant_id = ${own} and state = 'waiting' order by id`)
}

async function acts(): Promise<unknown[]> {
  return rows.db.query(sql`
    select actor, subject, after from audit_log
    where merchant_id = ${own} and action = 'notifications.resent' order by at, id`)
}

test('a resent notification restarts its schedule, and the deliverer is asked', async () => {
  await resend()
  assert.deepEqual(await waiting(), [
    { id: 'evt_a', step: 0, tries: 11, next_try_at: moment(60), finished_at: null },
  ])
  assert.deepEqual(asked, [{ merchantId: own, mode: 'test', origin: origins.one }])
  assert.deepEqual(await acts(), [], 'a program is not written down')
  await resend({ id: 'evt_b' }, ada)
  assert.deepEqual(await acts(), [
    { actor: 'ada', subject: 'evt_b', after: { mode: 'test', event: 'payment.success' } },
  ])
})

test('an unknown or deleted notification, or another payment’s, mode’s or merchant’s, is not found, and nothing is sent', async () => {
  const writtenBefore = await acts()
  const missing = { code: 'not_found', message: 'Notification not found' }
  const wrong: readonly Partial<ResendRequest>[] = [
    { id: 'evt_other' },
    { id: 'evt_unknown' },
    { id: 'evt_pruned' },
    { mode: 'live' },
    { merchantId: 10_000_003 },
  ]
  for (const changes of wrong) {
    await assert.rejects(resend(changes, ada), missing, JSON.stringify(changes))
    assert.deepEqual(asked, [])
  }
  await assert.rejects(resend({ id: 'evt_nowhere' }, ada), { code: 'no_callback_url' })
  assert.deepEqual([await waiting(), await acts()], [[], writtenBefore])
})
