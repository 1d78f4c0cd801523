import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  delivery,
  moment,
  neighbour,
  oneTry,
  openNotificationRows,
  origins,
  own,
  type NotificationRows,
} from '../../../../test/support/notification-rows.ts'
import { exactly } from '../receiver-of.ts'
import { findWhole, listDeliveries, type ListFilter } from './deliveries-store.ts'

// What is found by each filter is in test/flows/deliveries-found.test.ts.

let rows: NotificationRows
before(async () => {
  rows = await openNotificationRows()
})
after(() => rows.close())

const of = { merchantId: own, mode: 'test' } as const

test('a page reads the newest notifications, or only one receiver’s', async () => {
  const states = ['failed', 'paused', 'delivered'] as const
  await rows.replace({
    deliveries: [origins.one, origins.two].flatMap((origin, row) =>
      states.flatMap((state, column) =>
        // Two of each moment, so that the id decides.
        ['a', 'b'].map((name) =>
          delivery({
            id: `evt_${state}_${row + 1}${name}`,
            state,
            origin,
            created_at: moment(row * 3 + column),
          }),
        ),
      ),
    ),
  })
  const ids = async (asked: Partial<ListFilter>, looked: number): Promise<string[]> =>
    (await listDeliveries(rows.db, { ...of, ...asked }, looked, 10)).map(({ id }) => id)
  assert.deepEqual(await ids({}, 3), ['evt_delivered_2b', 'evt_delivered_2a', 'evt_paused_2b'])
  assert.deepEqual(await ids({ state: 'paused' }, 3), ['evt_paused_2b'])
  assert.deepEqual(await ids({ state: 'failed' }, 3), [])
  for (const state of ['failed', 'paused'] as const) {
    assert.deepEqual(await ids({ state, receiver: exactly(origins.one) }, 1), [`evt_${state}_1b`])
    assert.deepEqual(await ids({ state, receiver: exactly(origins.two) }, 1), [`evt_${state}_2b`])
  }
  assert.deepEqual(await ids({ state: 'delivered', receiver: exactly(origins.one) }, 1), [])
})

test('a notification is shown with its own last attempt', async () => {
  await rows.replace({
    deliveries: ['evt_1', 'evt_2', 'evt_3'].flatMap((id) => [
      delivery({ id }),
      delivery({ id, merchant_id: neighbour }),
    ]),
    tries: [
      oneTry({ delivery_id: 'evt_1', attempt: 1, status: 503 }),
      oneTry({ delivery_id: 'evt_1', attempt: 2, status: null, error: 'timeout' }),
      oneTry({ delivery_id: 'evt_2', attempt: 1, status: 201 }),
      ...['evt_1', 'evt_2', 'evt_3'].map((delivery_id) =>
        oneTry({ delivery_id, attempt: 3, status: 418, merchant_id: neighbour }),
      ),
    ],
  })
  const listed = await listDeliveries(rows.db, of, 10, 10)
  assert.deepEqual(
    listed.map(({ id, status, error }) => [id, status, error]),
    [
      ['evt_3', null, null],
      ['evt_2', 201, null],
      ['evt_1', null, 'timeout'],
    ],
  )
})

test('a full notification is read only for its own merchant', async () => {
  await rows.replace({
    deliveries: [
      delivery({ id: 'evt_both', body: '{"own":1}' }),
      delivery({ id: 'evt_both', body: '{"own":0}', merchant_id: neighbour }),
      delivery({ id: 'evt_neighbour', merchant_id: neighbour }),
    ],
  })
  assert.equal((await findWhole(rows.db, { ...of, id: 'evt_both' }))?.body, '{"own":1}')
  assert.equal(await findWhole(rows.db, { ...of, id: 'evt_neighbour' }), undefined)
})
