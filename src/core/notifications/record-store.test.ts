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
} from '../../../test/support/notification-rows.ts'
import { listAttempts, listOfPayment, listSince, measureBacklog } from './record-store.ts'

let rows: NotificationRows
before(async () => {
  rows = await openNotificationRows()
})
after(() => rows.close())

const number = '1'.repeat(24)
const idsOf = (found: readonly { readonly id: string }[]): string[] => found.map(({ id }) => id)

test('a payment’s deliveries are listed by time, IPN before mail, for no other payment or merchant', async () => {
  await rows.replace({
    deliveries: [
      delivery({ id: 'evt_5', number, created_at: moment(2) }),
      delivery({ id: 'evt_4', number, kind: 'mail', created_at: moment(1) }),
      delivery({ id: 'evt_3', number, created_at: moment(1) }),
      delivery({ id: 'evt_2', number, created_at: moment(1) }),
      delivery({ id: 'evt_other', number: '2'.repeat(24) }),
      delivery({ id: 'evt_sample' }),
      delivery({ id: 'evt_neighbour', number, merchant_id: neighbour }),
    ],
  })
  const listed = await listOfPayment(rows.db, { merchantId: own, number })
  assert.deepEqual(idsOf(listed), ['evt_2', 'evt_3', 'evt_4', 'evt_5'])
})

test('attempts of the named deliveries of one merchant are listed in order', async () => {
  const ids = ['evt_1', 'evt_2']
  const written = [...ids, 'evt_3'].flatMap((delivery_id) =>
    [2, 1].map((attempt) => oneTry({ delivery_id, attempt })),
  )
  await rows.replace({
    deliveries: [own, neighbour].flatMap((merchant_id) =>
      [...ids, 'evt_3'].map((id) => delivery({ id, merchant_id })),
    ),
    tries: [...written.toReversed(), oneTry({ delivery_id: 'evt_1', attempt: 3, merchant_id: neighbour })],
  })
  const listed = await listAttempts(rows.db, { merchantId: own, ids })
  assert.deepEqual(
    listed.map(({ delivery_id, attempt }) => `${delivery_id}/${attempt}`),
    ['evt_1/1', 'evt_1/2', 'evt_2/1', 'evt_2/2'],
  )
})

test('listen reads one merchant’s test IPNs after the last one read, in order', async () => {
  const at = (id: string, seconds: number, changes: Partial<StoredDelivery> = {}): StoredDelivery =>
    delivery({ id, created_at: moment(seconds), ...changes })
  await rows.replace({
    deliveries: [
      at('evt_5', 3, { state: 'failed' }),
      at('evt_1', 2),
      at('evt_4', 1),
      at('evt_3', 1),
      at('evt_2', 1),
      at('evt_9', 0),
      at('evt_mail', 2, { kind: 'mail' }),
      at('evt_live', 2, { mode: 'live' }),
      at('evt_neighbour', 2, { merchant_id: neighbour }),
    ],
  })
  const follow = async (limit: number): Promise<string[]> =>
    idsOf(await listSince(rows.db, { merchantId: own, since: moment(1), after: 'evt_2', limit }))
  assert.deepEqual(await follow(10), ['evt_3', 'evt_4', 'evt_1', 'evt_5'])
  assert.deepEqual(await follow(2), ['evt_3', 'evt_4'])
})

test('a backlog counts one merchant’s waiting and paused deliveries, and the age of the oldest waiting', async () => {
  const states = { waiting: 2, paused: 3, failed: 1, delivered: 1 } as const
  const ofStates = Object.entries(states).flatMap(([state, count]) =>
    Array.from({ length: count }, (_, index) =>
      delivery({ id: `evt_${state}_${index}`, state: state as 'paused' }),
    ),
  )
  await rows.replace({
    deliveries: [
      ...ofStates,
      ...(['waiting', 'paused'] as const).map((state) =>
        delivery({
          id: `evt_${state}`,
          merchant_id: neighbour,
          state,
          next_try_at: state === 'waiting' ? moment(-60) : null,
        }),
      ),
    ],
  })
  const measure = async (merchantId: number): Promise<unknown> =>
    measureBacklog(rows.db, merchantId, new Date(moment(10)))
  assert.deepEqual(await measure(own), { waiting: 2, paused: 3, oldest_seconds: 10 })
  assert.deepEqual(await measure(neighbour), { waiting: 1, paused: 1, oldest_seconds: 70 })
})
