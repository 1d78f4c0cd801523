import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  delivery,
  moment,
  neighbour,
  oneTry,
  openNotificationRows,
  own,
  type NotificationRows,
  type StoredDelivery,
  type StoredTry,
} from '../../../../test/support/notification-rows.ts'
import { listFiltered } from '../bulk/bulk-store.ts'
import { mailOrigin } from '../queues.ts'
import { listFailingTargets, describeFailing } from './failing.ts'

let rows: NotificationRows
before(async () => {
  rows = await openNotificationRows()
})
after(() => rows.close())

const host = 'https://shop.example'
const to = (path: string): Pick<StoredDelivery, 'origin' | 'target'> => ({
  origin: host,
  target: `${host}${path}`,
})
const failed = (id: string, tries: number, more: Partial<StoredTry> = {}): StoredTry[] =>
  Array.from({ length: tries }, (_, index) =>
    oneTry({ delivery_id: id, attempt: index + 1, at: moment(index), status: 500, ...more }),
  )

test('a receiver is judged by its URL: one can fail while another on the same host works', async () => {
  await rows.replace({
    deliveries: [
      delivery({ id: 'evt_bad', ...to('/bad?token=hidden') }),
      delivery({ id: 'evt_good', ...to('/good'), state: 'delivered', finished_at: moment(9) }),
      delivery({ id: 'evt_once', ...to('/once') }),
      delivery({ id: 'evt_new', ...to('/new') }),
      delivery({ id: 'evt_over', ...to('/over'), state: 'failed', finished_at: moment(3) }),
      delivery({ id: 'evt_back', ...to('/back') }),
      delivery({ id: 'evt_back_2', ...to('/back'), state: 'delivered', finished_at: moment(9) }),
    ],
    tries: [
      ...failed('evt_bad', 3),
      oneTry({ delivery_id: 'evt_good', at: moment(9) }),
      ...failed('evt_once', 1),
      ...failed('evt_over', 2, { status: 410 }),
      ...failed('evt_back', 3),
      oneTry({ delivery_id: 'evt_back_2', at: moment(9) }),
    ],
  })
  const found = await listFailingTargets(rows.db, own)
  assert.deepEqual(
    found.map(({ target, count, status, mode }) => [target, count, status, mode]),
    [
      [`${host}/bad?token=hidden`, 1, 500, 'test'],
      [`${host}/over`, 1, 410, 'test'],
    ],
  )
  assert.deepEqual(await listFailingTargets(rows.db, neighbour), [])
  const said = await describeFailing(rows.db)
  assert.equal(said[0], `1 notification (test mode) of merchant ${own} to ${host}/bad failed: HTTP 500.`)
  assert.doesNotMatch(said.join(' '), /hidden/)
})

test('a mail server refusing the login is one entry, without customers’ addresses', async () => {
  const mail = { kind: 'mail', mode: 'live', origin: mailOrigin } as const
  await rows.replace({
    deliveries: [
      delivery({ id: 'mail_1', ...mail, target: 'ada@example.com' }),
      delivery({ id: 'mail_2', ...mail, target: 'bob@example.com' }),
      delivery({ id: 'mail_3', ...mail, target: 'eve@example.com', merchant_id: neighbour }),
    ],
    tries: [
      ...failed('mail_1', 1, { status: null, error: 'EAUTH 535' }),
      ...failed('mail_2', 1, { status: null, error: 'EAUTH 535' }),
      ...failed('mail_3', 2, { status: null, error: 'EAUTH 535', merchant_id: neighbour }),
    ],
  })
  assert.deepEqual(await describeFailing(rows.db), [
    "Can't send mail, 3 mails wait: EAUTH 535. Check SMTP_URL.",
  ])
})

test('deliveries waiting after a failure are found separately from those never tried', async () => {
  await rows.replace({
    deliveries: [
      delivery({ id: 'evt_tried', ...to('/a') }),
      delivery({ id: 'evt_untried', ...to('/b') }),
      delivery({ id: 'evt_given_up', ...to('/c'), state: 'failed', finished_at: moment(3) }),
    ],
    tries: [...failed('evt_tried', 1), ...failed('evt_given_up', 1)],
  })
  const found = await listFiltered(rows.db, { merchantId: own, mode: 'test', isFailing: true }, 10)
  assert.deepEqual(
    found.map(({ id, status }) => [id, status]),
    [['evt_tried', 500]],
  )
})
