import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { changesBy, lockedBefore, lockedRows, undone } from '../../../test/support/notification-changes.ts'
import {
  delivery,
  moment,
  neighbour,
  openNotificationRows,
  origins,
  own,
  receiver,
  type NotificationRows,
  type StoredReceiver,
} from '../../../test/support/notification-rows.ts'
import { inTransaction, type Transaction } from '../../platform/database/database.ts'
import {
  lockPaused,
  moveDeliveries,
  noteFailing,
  noteRecovered,
  type MovedDelivery,
  type TryResult,
} from './result-store.ts'

let rows: NotificationRows
before(async () => {
  rows = await openNotificationRows()
})
after(() => rows.close())

const hour = 3_600
const paused = { paused_at: moment(0) }
const failing = { failing_since: moment(0), last_failed_at: moment(0) }

/** Of a first try that was not taken; the next is in a minute. */
function result(changes: Partial<TryResult> & Pick<TryResult, 'id'>): TryResult {
  return {
    merchant_id: own,
    attempt: 1,
    at: moment(10),
    ms: 2_000,
    status: 500,
    error: null,
    answer: 'no',
    state: 'waiting',
    step: 1,
    next_try_at: moment(60),
    counts_against: true,
    ...changes,
  }
}

/** Where each goes that has the same receiver as `evt_same`, or another one in one thing. */
const destinations = {
  evt_same: { mode: 'test', origin: origins.one },
  evt_live: { mode: 'live', origin: origins.one },
  evt_two: { mode: 'test', origin: origins.two },
} as const
const ids = Object.keys(destinations)

test('a delivery is held by the paused receiver of its merchant, mode and origin, which stays locked', async () => {
  await rows.replace({
    deliveries: [
      ...Object.entries(destinations).map(([id, to]) => delivery({ id, ...to })),
      delivery({ id: 'evt_unasked' }),
      // By their ids they are the own ones that go elsewhere.
      ...ids.map((id) => delivery({ merchant_id: neighbour, id })),
    ],
    receivers: [
      receiver(paused),
      receiver({ mode: 'live', ...failing }),
      receiver({ origin: origins.two }),
      receiver({ merchant_id: neighbour }),
      receiver({ merchant_id: neighbour, mode: 'live', ...paused }),
      receiver({ merchant_id: neighbour, origin: origins.two, ...paused }),
    ],
  })
  await inTransaction(rows.db, async (tx) => {
    assert.deepEqual(await lockPaused(tx, own, ids), new Set(['evt_same']))
    assert.deepEqual(await lockedRows(rows.db), [`own test ${origins.one}`])
  })
  await inTransaction(rows.db, async (tx) => {
    assert.deepEqual(await lockPaused(tx, neighbour, ids), new Set())
    assert.deepEqual(await lockedRows(rows.db), [])
  })
})

test('paused receivers are locked in one order, so two workers never deadlock', async () => {
  const all = Object.entries(destinations).toReversed()
  await rows.replace({
    deliveries: all.map(([id, to]) => delivery({ id, ...to })),
    receivers: all.map(([, to]) => receiver({ ...to, ...paused })),
  })
  const lock = async (tx: Transaction): Promise<unknown> => lockPaused(tx, own, ids)
  assert.deepEqual(await lockedBefore(rows.db, destinations.evt_same, lock), [
    `own live ${origins.one}`,
    `own test ${origins.one}`,
  ])
})

/** What becomes of deliveries of each state when a result of a first try comes. */
const ends = {
  evt_waiting: delivery({ id: 'evt_waiting' }),
  evt_again: delivery({ id: 'evt_again', tries: 2 }),
  evt_paused: delivery({ id: 'evt_paused', state: 'paused' }),
  evt_failed: delivery({ id: 'evt_failed', state: 'failed' }),
  evt_delivered: delivery({ id: 'evt_delivered', state: 'delivered' }),
}

test('the last attempt decides on a waiting delivery, and a successful one always counts', async () => {
  await rows.replace({
    deliveries: Object.values(ends).flatMap((one) => [one, { ...one, merchant_id: neighbour }]),
  })
  const movedBy = async (changes: Partial<TryResult>): Promise<string[]> => {
    const results = Object.keys(ends).map((id) => result({ id, ...changes }))
    const changed = await undone(rows.db, async (tx) =>
      changesBy(tx, async () => moveDeliveries(tx, own, results, new Set())),
    )
    return Object.keys(changed).filter((name) => !name.includes('/'))
  }
  assert.deepEqual(await movedBy({}), ['own evt_waiting'])
  assert.deepEqual(await movedBy({ state: 'failed', next_try_at: null }), ['own evt_waiting'])
  assert.deepEqual((await movedBy({ state: 'delivered', next_try_at: null })).toSorted(), [
    'own evt_again',
    'own evt_paused',
    'own evt_waiting',
  ])
})

test('each delivery moves as its own attempt says, and the attempt is recorded once', async () => {
  await rows.replace({ deliveries: ['evt_a', 'evt_b', 'evt_c', 'evt_d'].map((id) => delivery({ id })) })
  const results = [
    result({ id: 'evt_a' }),
    result({ id: 'evt_b' }),
    result({ id: 'evt_c', state: 'skipped', next_try_at: null, status: null }),
  ]
  const tried = { merchant_id: own, attempt: 1, at: moment(10), ms: 2_000, status: 500, answer: 'no' }
  const move = async (): Promise<unknown> => moveDeliveries(rows.db, own, results, new Set(['evt_b']))
  assert.deepEqual(await changesBy(rows.db, move), {
    'own evt_a': { next_try_at: moment(60), step: 1 },
    'own evt_b': { state: 'paused', next_try_at: null, step: 1 },
    'own evt_c': { state: 'skipped', next_try_at: null, step: 1, finished_at: moment(12) },
    'own evt_a/1': { ...tried, delivery_id: 'evt_a', error: null },
    'own evt_b/1': { ...tried, delivery_id: 'evt_b', error: null },
  })
  assert.deepEqual(await changesBy(rows.db, move), {})
})

test('a moved delivery is returned with its receiver, and whether that is failing and not paused', async () => {
  const failingOf = async (receivers: readonly StoredReceiver[]): Promise<MovedDelivery[]> => {
    await rows.replace({ deliveries: [delivery({ id: 'evt_same' })], receivers })
    return moveDeliveries(rows.db, own, [result({ id: 'evt_same' })], new Set())
  }
  const moved = { ...destinations.evt_same, kind: 'ipn', state: 'waiting', at: moment(10) }
  const told = (is_failing: boolean): unknown => [{ ...moved, counts_against: true, is_failing }]
  assert.deepEqual(await failingOf([receiver(failing)]), told(true))
  assert.deepEqual(await failingOf([receiver()]), told(false))
  assert.deepEqual(await failingOf([receiver({ ...failing, ...paused })]), told(false))
  assert.deepEqual(await failingOf([receiver({ ...failing, merchant_id: neighbour })]), told(false))
  assert.deepEqual(await failingOf([receiver({ ...failing, mode: 'live' })]), told(false))
  assert.deepEqual(await failingOf([receiver({ ...failing, origin: origins.two })]), told(false))
})

/** The receiver that is named below, and those that differ from it in one thing. */
function receiversLike(one: Partial<StoredReceiver>): StoredReceiver[] {
  return [
    receiver(one),
    receiver({ ...one, merchant_id: neighbour }),
    receiver({ ...one, mode: 'live' }),
    receiver({ ...one, origin: origins.two }),
  ]
}

test('a receiver is failing since its first failure, until silent for 30 hours, recorded hourly', async () => {
  const { db } = rows
  const name = `own test ${origins.one}`
  const changesAfter = async (
    receivers: readonly StoredReceiver[],
    { firstAt, lastAt }: { firstAt: number; lastAt: number },
  ): Promise<unknown> => {
    await rows.replace({ receivers })
    const failed = {
      mode: 'test',
      origin: origins.one,
      firstAt: moment(firstAt),
      lastAt: moment(lastAt),
    } as const
    return undone(db, async (tx) => changesBy(tx, async () => noteFailing(tx, own, failed)))
  }
  const anew = (firstAt: number, lastAt: number): unknown => ({
    [name]: { failing_since: moment(firstAt), last_failed_at: moment(lastAt) },
  })
  const others = receiversLike({}).slice(1)
  assert.deepEqual(await changesAfter(others, { firstAt: 5, lastAt: 7 }), {
    [name]: receiver({ failing_since: moment(5), last_failed_at: moment(7) }),
  })
  assert.deepEqual(await changesAfter(receiversLike({}), { firstAt: 5, lastAt: 7 }), anew(5, 7))

  const known = receiversLike({ failing_since: moment(-100), last_failed_at: moment(0) })
  const changesIn = async (seconds: number): Promise<unknown> =>
    changesAfter(known, { firstAt: seconds, lastAt: seconds })
  assert.deepEqual(await changesIn(hour), {})
  assert.deepEqual(await changesIn(hour + 1), { [name]: { last_failed_at: moment(hour + 1) } })
  assert.deepEqual(await changesIn(30 * hour - 1), { [name]: { last_failed_at: moment(30 * hour - 1) } })
  assert.deepEqual(await changesIn(30 * hour), anew(30 * hour, 30 * hour))
})

test('a receiver that answers again is no longer failing, and no other one changes', async () => {
  const changesAfter = async (one: Partial<StoredReceiver>): Promise<unknown> => {
    await rows.replace({ receivers: receiversLike(one) })
    return changesBy(rows.db, async () => noteRecovered(rows.db, own, { mode: 'test', origin: origins.one }))
  }
  assert.deepEqual(await changesAfter(failing), {
    [`own test ${origins.one}`]: { failing_since: null, last_failed_at: null },
  })
  assert.deepEqual(await changesAfter({ ...failing, ...paused }), {})
  assert.deepEqual(await changesAfter({ last_failed_at: moment(0) }), {})
})
