import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { changesBy, undone } from '../../../test/support/notification-changes.ts'
import {
  delivery,
  moment,
  neighbour,
  openNotificationRows,
  origins,
  own,
  type NotificationRows,
  type StoredDelivery,
} from '../../../test/support/notification-rows.ts'
import { pauseDeliveries, resetFarFuture, restart, resumeDeliveries } from './schedule-store.ts'

let rows: NotificationRows
before(async () => {
  rows = await openNotificationRows()
})
after(() => rows.close())

const now = new Date(moment(60))
const queue = { merchantId: own, mode: 'test', origin: origins.one } as const

test('one delivery of this merchant and mode is reset to its start, unless erased', async () => {
  const failed = delivery({ id: 'evt_1', state: 'failed', tries: 9, step: 8, finished_at: moment(5) })
  const changesFor = async (changes: Partial<StoredDelivery>): Promise<unknown> => {
    await rows.replace({
      deliveries: [
        { ...failed, ...changes },
        { ...failed, id: 'evt_2' },
        { ...failed, merchant_id: neighbour },
      ],
    })
    return undone(rows.db, async (tx) =>
      changesBy(tx, async () => restart(tx, { merchantId: own, mode: 'test', id: 'evt_1' }, now)),
    )
  }
  assert.deepEqual(await changesFor({}), {
    'own evt_1': { state: 'waiting', tries: 10, step: 0, finished_at: null, next_try_at: moment(60) },
  })
  for (const other of [{ mode: 'live' }, { target: '' }, { body: '' }] as const)
    assert.deepEqual(await changesFor(other), {}, JSON.stringify(other))
})

/** Of one state each, and those that differ from the queue in one thing. */
const deliveries = (['waiting', 'paused', 'failed', 'delivered', 'skipped', 'kept'] as const).flatMap(
  (state) => {
    const one = { state, step: 3 }
    return [
      delivery({ id: `evt_${state}`, ...one }),
      delivery({ id: `evt_${state}`, ...one, merchant_id: neighbour }),
      delivery({ id: `evt_${state}_live`, ...one, mode: 'live' }),
      delivery({ id: `evt_${state}_two`, ...one, origin: origins.two }),
    ]
  },
)

test('waiting deliveries are paused with their receiver, and restart when it resumes', async () => {
  await rows.replace({ deliveries })
  await undone(rows.db, async (tx) => {
    const changes = await changesBy(tx, async () => pauseDeliveries(tx, queue))
    assert.deepEqual(changes, { 'own evt_waiting': { state: 'paused', next_try_at: null } })
  })
  await undone(rows.db, async (tx) => {
    const changes = await changesBy(tx, async () => assert.equal(await resumeDeliveries(tx, queue, now), 1))
    assert.deepEqual(changes, { 'own evt_paused': { state: 'waiting', step: 0, next_try_at: moment(60) } })
  })
})

test('a delivery scheduled days ahead by a wrong clock is due at once, and a legitimate wait is kept', async () => {
  const inHours = (hours: number): string => new Date(Date.now() + hours * 3_600_000).toISOString()
  await rows.replace({
    deliveries: [
      delivery({ id: 'evt_far', next_try_at: inHours(49) }),
      delivery({ id: 'evt_near', next_try_at: inHours(47) }),
      delivery({ id: 'evt_far', next_try_at: inHours(49), merchant_id: neighbour }),
    ],
  })
  const changes = await changesBy(rows.db, async () => assert.equal(await resetFarFuture(rows.db, own), 1))
  assert.deepEqual(Object.keys(changes), ['own evt_far'])
  assert.ok(String(changes['own evt_far']?.['next_try_at']) < inHours(1))
})
