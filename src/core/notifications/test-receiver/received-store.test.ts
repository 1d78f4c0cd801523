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
} from '../../../../test/support/notification-rows.ts'
import { listReceived } from './received-store.ts'

let rows: NotificationRows
before(async () => {
  rows = await openNotificationRows()
})
after(() => rows.close())

const number = '1'.repeat(24)
const ids = ['evt_1', 'evt_2', 'evt_3']

test('a payment’s received notifications are listed with their last attempt, newest first', async () => {
  await rows.replace({
    deliveries: [
      ...ids.map((id, index) => delivery({ id, number, created_at: moment(Math.min(index, 1)) })),
      ...ids.map((id) => delivery({ id, number, merchant_id: neighbour })),
      delivery({ id: 'evt_other', number: '2'.repeat(24) }),
      delivery({ id: 'evt_sample' }),
      delivery({ id: 'msg_1', number, kind: 'mail' }),
    ],
    tries: [
      oneTry({ delivery_id: 'evt_1', attempt: 1, at: moment(1), status: 500 }),
      oneTry({ delivery_id: 'evt_1', attempt: 2, at: moment(2), status: null, error: 'timeout' }),
      oneTry({ delivery_id: 'evt_2', attempt: 1, at: moment(3), status: 201 }),
      ...ids.map((delivery_id) =>
        oneTry({ delivery_id, attempt: 3, at: moment(9), status: 418, merchant_id: neighbour }),
      ),
    ],
  })
  const received = async (limit: number): Promise<string[]> => {
    const listed = await listReceived(rows.db, { merchantId: own, number, limit })
    return listed.map(({ id, at, status, error }) => [id, at, status, error].join(' '))
  }
  // Of those that were written in one moment the first id comes first.
  const wanted = [`evt_2 ${moment(3)} 201 `, 'evt_3   ', `evt_1 ${moment(2)}  timeout`]
  assert.deepEqual(await received(10), wanted)
  assert.deepEqual(await received(2), wanted.slice(0, 2))
})
