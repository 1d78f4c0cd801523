import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { changesBy, undone } from '../../../../test/support/notification-changes.ts'
import {
  moment,
  neighbour,
  openNotificationRows,
  origins,
  own,
  receiver,
  type NotificationRows,
  type StoredReceiver,
} from '../../../../test/support/notification-rows.ts'
import type { Transaction } from '../../../platform/database/database.ts'
import {
  anyFailingSince,
  listFailing,
  listPaused,
  pauseOne,
  pauseReceivers,
  unpauseReceiver,
} from './receiver-store.ts'

let rows: NotificationRows
before(async () => {
  rows = await openNotificationRows()
})
after(() => rows.close())

const since = new Date(moment(0))
const now = new Date(moment(60))
const queue = { merchantId: own, mode: 'test', origin: origins.one } as const
const name = `own test ${origins.one}`
const failing = { failing_since: moment(0), last_failed_at: moment(10) }
const paused = { paused_at: moment(5) }

/** Receivers that differ from the one of the queue in one part of their key. */
const elsewhere: readonly Partial<StoredReceiver>[] = [
  { merchant_id: neighbour },
  { mode: 'live' },
  { origin: origins.two },
]

function everywhere(one: Partial<StoredReceiver>): StoredReceiver[] {
  return [{}, ...elsewhere].map((key) => receiver({ ...one, ...key }))
}

type Change = { readonly result: unknown; readonly changes: unknown }

async function changeOf(
  receivers: readonly StoredReceiver[],
  work: (tx: Transaction) => Promise<unknown>,
): Promise<Change> {
  await rows.replace({ receivers })
  return undone(rows.db, async (tx) => {
    let result: unknown
    const changes = await changesBy(tx, async () => {
      result = await work(tx)
    })
    return { result, changes }
  })
}

test('only this queue’s receiver is paused, once, after failing long enough', async () => {
  const pause = async (tx: Transaction): Promise<unknown> => pauseReceivers(tx, own, [queue], since, now)
  assert.deepEqual(await changeOf(everywhere(failing), pause), {
    result: [{ ...queue, failingSince: moment(0), pausedAt: moment(60) }],
    changes: { [name]: { paused_at: moment(60) } },
  })
  const spared = [{}, { ...failing, failing_since: moment(1) }, { ...failing, ...paused }]
  for (const one of spared)
    assert.deepEqual(await changeOf([receiver(one)], pause), { result: [], changes: {} }, JSON.stringify(one))
})

test('the check for receivers to pause finds the same ones that pausing does', async () => {
  const isFound = async (one: Partial<StoredReceiver>): Promise<boolean> => {
    await rows.replace({ receivers: [receiver(one)] })
    return anyFailingSince(rows.db, own, [queue], since)
  }
  assert.equal(await isFound(failing), true)
  const spared = [
    {},
    { ...failing, failing_since: moment(1) },
    { ...failing, ...paused },
    ...elsewhere.map((key) => ({ ...failing, ...key })),
  ]
  for (const one of spared) assert.equal(await isFound(one), false, JSON.stringify(one))
})

test('a person can pause any receiver, and learns whether it was already paused', async () => {
  const pause = async (tx: Transaction): Promise<unknown> => pauseOne(tx, queue, now)
  const at = { paused_at: moment(60) }
  const changed = { result: true, changes: { [name]: at } }
  assert.deepEqual(await changeOf(everywhere({}), pause), changed)
  assert.deepEqual(await changeOf(everywhere(failing), pause), changed)
  assert.deepEqual(await changeOf(everywhere({}).slice(1), pause), {
    result: true,
    changes: { [name]: receiver(at) },
  })
  assert.deepEqual(await changeOf(everywhere(paused), pause), { result: false, changes: {} })
})

test('resuming clears one receiver’s record, and leaves a receiver that wasn’t paused unchanged', async () => {
  const resume = async (tx: Transaction): Promise<unknown> => unpauseReceiver(tx, queue)
  assert.deepEqual(await changeOf(everywhere({ ...failing, ...paused }), resume), {
    result: true,
    changes: { [name]: { paused_at: null, failing_since: null, last_failed_at: null } },
  })
  assert.deepEqual(await changeOf(everywhere(failing), resume), { result: false, changes: {} })
})

test('paused receivers of a merchant and mode are listed by origin', async () => {
  await rows.replace({
    receivers: [
      ...['https://c.example', 'https://a.example'].map((origin) => receiver({ origin, ...paused })),
      receiver({ origin: 'https://b.example', ...failing }),
      receiver({ origin: 'https://b.example', mode: 'live', ...paused }),
      receiver({ origin: 'https://d.example', merchant_id: neighbour, ...paused }),
    ],
  })
  assert.deepEqual(await listPaused(rows.db, { merchantId: own, mode: 'test' }), [
    { ...queue, origin: 'https://a.example', failingSince: null, pausedAt: moment(5) },
    { ...queue, origin: 'https://c.example', failingSince: null, pausedAt: moment(5) },
  ])
})

test('troubled receivers are the paused and the long failing, longest first', async () => {
  const at = (origin: string, one: Partial<StoredReceiver>): StoredReceiver =>
    receiver({ origin: `https://${origin}.example`, last_failed_at: moment(10), ...one })
  await rows.replace({
    receivers: [
      at('a', { failing_since: moment(0) }),
      at('b', { failing_since: moment(-1) }),
      at('c', { failing_since: moment(0) }),
      at('d', { paused_at: moment(5) }),
      at('e', { paused_at: moment(4), failing_since: moment(3) }),
      at('quiet', {}),
      at('new', { failing_since: moment(1) }),
      at('live', { mode: 'live', paused_at: moment(5) }),
      at('neighbour', { merchant_id: neighbour, paused_at: moment(5) }),
    ],
  })
  const found = async (limit: number): Promise<string> => {
    const listed = await listFailing(rows.db, { merchantId: own, mode: 'test', since, limit })
    return listed.map(({ origin }) => new URL(origin).hostname.replace('.example', '')).join(' ')
  }
  assert.equal(await found(10), 'e d b a c')
  assert.equal(await found(2), 'e d')
})
