import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  delivery,
  oneTry,
  openNotificationRows,
  own,
  type NotificationRows,
} from '../../../test/support/notification-rows.ts'
import { inTransaction } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import { erasedEmail, makeRedact } from '../../input/erased.ts'
import { personalDeliveries } from './data.ts'

let rows: NotificationRows
before(async () => {
  rows = await openNotificationRows()
})
after(() => rows.close())

const number = '1'.repeat(24)
const email = 'Ada@example.com'
const redact = makeRedact(email, ['Ada'])
const asked = { merchantId: own, numbers: [number], email, redact, redactStrictly: redact }

test('erasing a person redacts payloads and stops their e-mails, but webhooks are still sent', async () => {
  const mail = { kind: 'mail', mode: 'live', number, origin: 'mail', target: 'ada@EXAMPLE.com' } as const
  const body = JSON.stringify({ name: 'Ada', amount: 5 })
  await rows.replace({
    deliveries: [
      delivery({ id: 'evt_a', number, target: 'https://one.example/ipn?by=ada@example.com', body }),
      delivery({ id: 'msg_ended', ...mail, state: 'delivered', body }),
      delivery({ id: 'msg_merchant', ...mail, target: 'merchant', body }),
      delivery({ id: 'msg_paused', ...mail, state: 'paused', body }),
      delivery({ id: 'msg_waiting', ...mail, body }),
      delivery({ id: 'evt_email', number, target: email, body }),
      delivery({ id: 'evt_other', body }),
    ],
    tries: [
      oneTry({ delivery_id: 'evt_a', answer: 'for Ada' }),
      oneTry({ delivery_id: 'evt_other', answer: 'for Ada' }),
    ],
  })
  assert.equal(await inTransaction(rows.db, async (tx) => personalDeliveries.erase(tx, asked)), 6)
  const told = await rows.db.query<{ id: string; target: string; body: string; state: string }>(sql`
    select id, target, body, state from deliveries where merchant_id = ${own} order by id`)
  assert.deepEqual(
    told.map(({ id, target, state }) => [id, target, state]),
    [
      ['evt_a', `https://one.example/ipn?by=${erasedEmail}`, 'waiting'],
      ['evt_email', erasedEmail, 'waiting'],
      ['evt_other', 'https://one.example/ipn', 'waiting'],
      ['msg_ended', erasedEmail, 'delivered'],
      ['msg_merchant', 'merchant', 'waiting'],
      ['msg_paused', erasedEmail, 'skipped'],
      ['msg_waiting', erasedEmail, 'skipped'],
    ],
  )
  for (const one of told) assert.equal(one.body.includes('Ada'), one.id === 'evt_other', one.id)
  const answers = await rows.db.query(sql`
    select delivery_id, answer from delivery_attempts where merchant_id = ${own} order by delivery_id`)
  assert.deepEqual(answers, [
    { delivery_id: 'evt_a', answer: null },
    { delivery_id: 'evt_other', answer: 'for Ada' },
  ])
})
