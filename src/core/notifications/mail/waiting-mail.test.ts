import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  delivery,
  moment,
  neighbour,
  openNotificationRows,
  own,
  type NotificationRows,
} from '../../../../test/support/notification-rows.ts'
import { sql } from '../../../platform/database/sql.ts'
import { makeLog } from '../../../platform/http/log.ts'
import type { Queue } from '../queues.ts'
import { countAllWaitingMail, sendWaitingMail, waitingMailJob } from './waiting-mail.ts'

let rows: NotificationRows
before(async () => {
  rows = await openNotificationRows()
})
after(() => rows.close())

const day = 86_400
const mail = { kind: 'mail', mode: 'live', origin: 'mail', state: 'paused' } as const

function open() {
  const lines: string[] = []
  const asked: Queue[] = []
  const log = makeLog('info', { write: (line: string) => void lines.push(line) })
  return {
    lines,
    asked,
    deps: { db: rows.db, log, now: () => new Date(moment(0)), ask: (one: Queue) => asked.push(one) },
  }
}

test('mail up to a week old is sent once there is a mail server, and that is logged', async () => {
  await rows.replace({
    deliveries: [
      delivery({ id: 'msg_new', ...mail, created_at: moment(-7 * day) }),
      delivery({ id: 'msg_old', ...mail, created_at: moment(-7 * day - 1) }),
      delivery({ id: 'msg_theirs', ...mail, merchant_id: neighbour }),
      delivery({ id: 'evt_paused', state: 'paused' }),
    ],
  })
  assert.equal(await countAllWaitingMail(rows.db), 3)
  const { deps, lines, asked } = open()
  assert.equal(await sendWaitingMail(deps), 2)
  assert.deepEqual(
    asked,
    [own, neighbour].map((merchantId) => ({ merchantId, mode: 'live', origin: 'mail' })),
  )
  const states = await rows.db.query(sql`
    select id, state from deliveries where merchant_id = ${own} and kind = 'mail' order by id`)
  assert.deepEqual(states, [
    { id: 'msg_new', state: 'waiting' },
    { id: 'msg_old', state: 'kept' },
  ])
  assert.deepEqual(
    lines.map((line) => JSON.parse(line) as Record<string, unknown>).map(({ mails, msg }) => [mails, msg]),
    [[2, 'Sending live mail that waited for a mail server']],
  )
  assert.equal(await countAllWaitingMail(rows.db), 0)
})

test('without waiting mail nothing is queried or logged', async () => {
  await rows.replace({})
  const { deps, lines, asked } = open()
  const job = waitingMailJob(deps)
  assert.equal(job.everyMs, 60_000)
  await job.run()
  assert.deepEqual([lines, asked], [[], []])
})
