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
  receiver,
  type NotificationRows,
  type StoredDelivery,
} from '../../../../test/support/notification-rows.ts'
import { countOfReceiver, findReceiver, groupFailures, listLately, listTroubled } from './receivers-store.ts'

let rows: NotificationRows
before(async () => {
  rows = await openNotificationRows()
})
after(() => rows.close())

const of = { merchantId: own, mode: 'test' } as const
const queue = { ...of, origin: origins.one }

/** What differs from it in one part of where it goes. */
function elsewhere(one: StoredDelivery): StoredDelivery[] {
  return [
    { ...one, merchant_id: neighbour },
    { ...one, id: `${one.id}_live`, mode: 'live' },
    { ...one, id: `${one.id}_two`, origin: origins.two },
  ]
}

test('a merchant’s troubled receivers in a mode are the failing and the paused, paused first', async () => {
  const failing = { failing_since: moment(0), last_failed_at: moment(1) }
  const paused = { paused_at: moment(2) }
  const at = (name: string): { origin: string } => ({ origin: `https://${name}.example` })
  await rows.replace({
    receivers: [
      receiver({ ...at('a'), ...failing }),
      receiver({ ...at('b'), ...failing, ...paused }),
      receiver({ ...at('c'), ...failing }),
      receiver({ ...at('d'), ...paused }),
      receiver(at('quiet')),
      receiver({ ...at('live'), ...paused, mode: 'live' }),
      receiver({ ...at('neighbour'), ...paused, merchant_id: neighbour }),
    ],
  })
  const troubled = async (limit: number): Promise<string> =>
    (await listTroubled(rows.db, of, limit)).map(({ origin }) => new URL(origin).hostname[0]).join(' ')
  assert.equal(await troubled(10), 'b d a c')
  assert.equal(await troubled(3), 'b d a')
})

test('a receiver is found by merchant, mode and origin', async () => {
  await rows.replace({
    receivers: [
      receiver({ merchant_id: neighbour, paused_at: moment(2) }),
      receiver({ mode: 'live', paused_at: moment(3) }),
      receiver({ origin: origins.two, paused_at: moment(4) }),
    ],
  })
  assert.equal(await findReceiver(rows.db, queue), undefined)
  assert.equal((await findReceiver(rows.db, { ...queue, mode: 'live' }))?.paused_at, moment(3))
  assert.equal((await findReceiver(rows.db, { ...queue, origin: origins.two }))?.paused_at, moment(4))
  assert.equal((await findReceiver(rows.db, { ...queue, merchantId: neighbour }))?.paused_at, moment(2))
})

test('recent receivers are taken from the newest notifications only, latest first', async () => {
  const to = (
    id: string,
    seconds: number,
    origin: string,
    more: Partial<StoredDelivery> = {},
  ): StoredDelivery => delivery({ id, created_at: moment(seconds), origin, ...more })
  await rows.replace({
    deliveries: [
      to('evt_0', 0, 'https://oldest.example'),
      to('evt_1', 1, 'https://lower-id.example'),
      to('evt_2', 1, origins.two),
      to('evt_3', 2, origins.one),
      to('evt_4', 3, origins.two),
      to('evt_5', 3, ''),
      to('evt_6', 3, 'https://apple.example'),
      to('evt_mail', 4, 'mail', { kind: 'mail' }),
      to('evt_live', 4, 'https://live.example', { mode: 'live' }),
      to('evt_4', 4, 'https://neighbour.example', { merchant_id: neighbour }),
    ],
  })
  assert.deepEqual(await listLately(rows.db, of, 5), [
    { origin: 'https://apple.example', last_at: moment(3) },
    { origin: origins.two, last_at: moment(3) },
    { origin: origins.one, last_at: moment(2) },
  ])
  const all = await listLately(rows.db, of, 100)
  assert.deepEqual(
    all.slice(3).map(({ origin }) => origin),
    ['https://lower-id.example', 'https://oldest.example'],
  )
})

test('a receiver’s waiting, paused and failed deliveries are counted, each up to a limit', async () => {
  const waiting = [1, 3, 5].map((seconds) =>
    delivery({ id: `evt_waiting_${seconds}`, created_at: moment(seconds), next_try_at: moment(-seconds) }),
  )
  const others = (['paused', 'failed', 'delivered'] as const).flatMap((state) =>
    ['a', 'b', 'c', 'd'].map((name) =>
      delivery({ id: `evt_${state}_${name}`, state, created_at: moment(4) }),
    ),
  )
  const mail = delivery({ id: 'msg_failed', kind: 'mail', state: 'failed' })
  await rows.replace({
    deliveries: [
      ...[...waiting, ...others].flatMap((one) => [
        one,
        // Older, so that one too many would be the oldest as well.
        ...elsewhere({ ...one, created_at: moment(-9) }),
      ]),
      mail,
    ],
  })
  assert.deepEqual(await countOfReceiver(rows.db, queue, 100), {
    waiting: 3,
    paused: 4,
    failed: 4,
    oldest_at: moment(1),
  })
  assert.deepEqual(await countOfReceiver(rows.db, queue, 2), {
    waiting: 2,
    paused: 2,
    failed: 2,
    oldest_at: moment(3),
  })
})

test('the oldest paused delivery is reported as well as the oldest waiting one', async () => {
  await rows.replace({
    deliveries: [
      delivery({ id: 'evt_waiting', created_at: moment(5) }),
      delivery({ id: 'evt_younger', created_at: moment(4), state: 'paused' }),
      delivery({ id: 'evt_paused', created_at: moment(3), state: 'paused' }),
      ...elsewhere(delivery({ id: 'evt_old', created_at: moment(1), state: 'paused' })),
      delivery({ id: 'evt_failed', created_at: moment(1), state: 'failed' }),
    ],
  })
  for (const most of [1, 100])
    assert.equal((await countOfReceiver(rows.db, queue, most)).oldest_at, moment(3), String(most))
})

/** Each failed in its own way at its last try, the older ones earlier; `evt_…3` is younger than `evt_…2` by its id alone. */
const statuses = { failed: 500, paused: 502, waiting: 404 } as const
const failures = (['failed', 'paused', 'waiting'] as const).flatMap((state, row) =>
  [1, 2, 3].map((index) => ({
    row: delivery({
      id: `evt_${state}_${index}`,
      state,
      created_at: moment(Math.min(index, 2)),
      ...(state === 'waiting' && { next_try_at: moment(-index) }),
    }),
    last: {
      attempt: 2,
      status: index === 3 ? null : statuses[state],
      error: index === 3 ? `${state}: timeout` : null,
      at: moment(row * 10 + index),
    },
  })),
)

test('a receiver’s failure reasons come from each delivery’s last attempt, most frequent first', async () => {
  const unasked = [
    delivery({ id: 'evt_delivered', state: 'delivered' }),
    delivery({ id: 'msg_failed', state: 'failed', kind: 'mail' }),
    ...failures.flatMap(({ row }) => elsewhere(row)),
  ]
  const fine = delivery({ id: 'evt_taken', next_try_at: moment(9) })
  const untried = delivery({ id: 'evt_untried', next_try_at: moment(9) })
  await rows.replace({
    deliveries: [...failures.map(({ row }) => row), ...unasked, fine, untried],
    tries: [
      ...failures.flatMap(({ row: { id }, last }) => [
        oneTry({ delivery_id: id, status: 401 }),
        oneTry({ delivery_id: id, ...last }),
      ]),
      ...unasked.map(({ id, merchant_id }) =>
        oneTry({ delivery_id: id, merchant_id, attempt: 3, status: 418 }),
      ),
      oneTry({ delivery_id: fine.id, status: 299 }),
    ],
  })
  const told = async (looked: number): Promise<string[]> => {
    const groups = await groupFailures(rows.db, queue, looked)
    return groups.map(({ status, error, count, last_at }) => `${count} ${status ?? error} ${last_at}`)
  }
  assert.deepEqual(await told(100), [
    `2 404 ${moment(22)}`,
    `2 502 ${moment(12)}`,
    `2 500 ${moment(2)}`,
    `1 waiting: timeout ${moment(23)}`,
    `1 paused: timeout ${moment(13)}`,
    `1 failed: timeout ${moment(3)}`,
  ])
  assert.deepEqual(await told(1), [
    `1 waiting: timeout ${moment(23)}`,
    `1 paused: timeout ${moment(13)}`,
    `1 failed: timeout ${moment(3)}`,
  ])
})

test('the twenty most frequent reasons are listed', async () => {
  const ids = Array.from({ length: 21 }, (_, index) => `evt_${index}`)
  await rows.replace({
    deliveries: ids.map((id) => delivery({ id, state: 'failed' })),
    tries: ids.map((delivery_id, index) => oneTry({ delivery_id, status: 400 + index })),
  })
  assert.equal((await groupFailures(rows.db, queue, 100)).length, 20)
})
