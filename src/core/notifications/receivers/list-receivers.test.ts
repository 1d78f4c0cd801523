import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  delivery,
  moment,
  oneTry,
  openNotificationRows,
  origins,
  own,
  receiver,
  type NotificationRows,
} from '../../../../test/support/notification-rows.ts'
import { listReceivers, readReceiver } from './list-receivers.ts'

let rows: NotificationRows
before(async () => {
  rows = await openNotificationRows()
})
after(() => rows.close())

const of = { merchantId: own, mode: 'test' } as const
const host = (name: string): string => `https://${name}.example`
const hour = 3_600
const healthy = {
  state: 'works',
  failingSince: null,
  pausedAt: null,
  isPausedByHand: false,
  waiting: 0,
  paused: 0,
  failed: 0,
  oldest_at: null,
}

test('troubled receivers come first, then the latest used, each with its waiting and failed counts', async () => {
  await rows.replace({
    deliveries: [
      delivery({ id: 'evt_1', origin: host('well'), state: 'delivered', created_at: moment(1) }),
      delivery({ id: 'evt_2', origin: host('newest'), state: 'failed', created_at: moment(9) }),
      delivery({ id: 'evt_3', origin: host('failing'), created_at: moment(2) }),
      delivery({ id: 'evt_4', origin: host('paused'), state: 'paused', created_at: moment(3) }),
    ],
    receivers: [
      receiver({ origin: host('failing'), failing_since: moment(-60), last_failed_at: moment(0) }),
      receiver({ origin: host('paused'), paused_at: moment(-60) }),
      receiver({ origin: host('silent'), failing_since: moment(-90), last_failed_at: moment(0) }),
      receiver({ origin: host('well') }),
    ],
  })
  assert.deepEqual(await listReceivers(rows.db, of), [
    {
      ...healthy,
      origin: host('paused'),
      state: 'paused',
      pausedAt: moment(-60),
      isPausedByHand: true,
      paused: 1,
      oldest_at: moment(3),
      lastAt: moment(3),
    },
    {
      ...healthy,
      origin: host('failing'),
      state: 'failing',
      failingSince: moment(-60),
      waiting: 1,
      oldest_at: moment(2),
      lastAt: moment(2),
    },
    { ...healthy, origin: host('silent'), state: 'failing', failingSince: moment(-90), lastAt: null },
    { ...healthy, origin: host('newest'), failed: 1, lastAt: moment(9) },
    { ...healthy, origin: host('well'), lastAt: moment(1) },
  ])
})

test('a receiver paused earlier than Florin would have done was paused by a person', async () => {
  const pausedAfter = async (seconds: number): Promise<boolean | undefined> => {
    await rows.replace({
      receivers: [
        receiver({ failing_since: moment(-seconds), last_failed_at: moment(0), paused_at: moment(0) }),
      ],
    })
    return (await listReceivers(rows.db, of))[0]?.isPausedByHand
  }
  assert.equal(await pausedAfter(120 * hour - 1), true)
  assert.equal(await pausedAfter(120 * hour), false)
})

test('fifty receivers are shown, troubled ones first', async () => {
  const names = (prefix: string, count: number) =>
    Array.from({ length: count }, (_, at) => host(`${prefix}${String(at).padStart(2, '0')}`))
  const told = names('well', 30)
  const troubled = names('bad', 21)
  await rows.replace({
    deliveries: told.map((origin, at) => delivery({ id: `evt_${at}`, origin, created_at: moment(-at) })),
    receivers: troubled.map((origin) => receiver({ origin, paused_at: moment(0) })),
  })
  const shown = (await listReceivers(rows.db, of)).map(({ origin }) => origin)
  assert.deepEqual(shown, [...troubled, ...told.slice(0, 29)])
})

test('a receiver is read with its failure reasons, and an unused one is not found', async () => {
  const queue = { ...of, origin: origins.one }
  const counted = async (...deliveries: ReturnType<typeof delivery>[]) => {
    await rows.replace({
      deliveries,
      tries: deliveries.map(({ id }) => oneTry({ delivery_id: id, status: 500 })),
    })
    const { reasons, waiting, paused, failed, lastAt } = await readReceiver(rows.db, queue)
    return [waiting, paused, failed, lastAt, reasons.map(({ status, count }) => [status, count])]
  }
  assert.deepEqual(await counted(delivery({ id: 'evt_a' })), [1, 0, 0, moment(0), [[500, 1]]])
  assert.deepEqual(await counted(delivery({ id: 'evt_a', state: 'paused' })), [
    0,
    1,
    0,
    moment(0),
    [[500, 1]],
  ])
  assert.deepEqual(await counted(delivery({ id: 'evt_a', state: 'failed' })), [
    0,
    0,
    1,
    moment(0),
    [[500, 1]],
  ])
  assert.deepEqual(await counted(delivery({ id: 'evt_a', state: 'delivered' })), [0, 0, 0, moment(0), []])

  await rows.replace({ receivers: [receiver()] })
  assert.equal((await readReceiver(rows.db, queue)).state, 'works', 'a row of it is enough')
  await rows.replace({ deliveries: [delivery({ id: 'evt_b', origin: origins.two })] })
  await assert.rejects(readReceiver(rows.db, queue), { code: 'not_found', message: 'Receiver not found' })
})

test('a receiver whose last notification is out of range is found by its waiting ones', async () => {
  const newer = Array.from({ length: 1_000 }, (_, at) =>
    delivery({ id: `evt_${at}`, origin: origins.two, state: 'delivered', created_at: moment(at) }),
  )
  for (const state of ['waiting', 'paused', 'failed'] as const) {
    await rows.replace({ deliveries: [...newer, delivery({ id: 'evt_old', state, created_at: moment(-1) })] })
    const found = await readReceiver(rows.db, { ...of, origin: origins.one })
    assert.deepEqual([found[state], found.lastAt], [1, null])
  }
})
