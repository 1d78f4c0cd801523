import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { createTestDatabase, type TestDatabase } from '../../../../test/support/database.ts'
import { moment } from '../../../../test/support/notification-rows.ts'
import {
  changedDeliveries,
  deliveryTwins,
  emptyTwinDeliveries,
  insertTwinDeliveries,
  insertTwinTries,
  storedDelivery,
  tryName,
  type StoredDelivery,
} from '../../../../test/support/twin-deliveries.ts'
import { waitUntil } from '../../../../test/support/wait-until.ts'
import { countWaiting } from '../../../../test/support/who-waits.ts'
import { Database, inTransaction, type Transaction } from '../../../platform/database/database.ts'
import {
  countSendable,
  findDelivery,
  listFiltered,
  measureMerchant,
  restartNext,
  type BulkPosition,
} from './bulk-store.ts'
import { exactly } from '../receiver-of.ts'
import { deliveryStates, type DeliveryFilter } from './delivery-filter.ts'

// Deliveries that differ from the first one in one thing each.

let home: TestDatabase
let db: Database
const changes: readonly Partial<StoredDelivery>[] = [
  {},
  {},
  { kind: 'mail' },
  { mode: 'live' },
  ...deliveryStates.map((state) => ({ state })),
  { event: 'payment.refunded' },
  { origin: 'https://other.example' },
  { target: '' },
  { body: '' },
  { origin: 'https://busy.example' },
  { origin: 'https://busy.example' },
]
/** Two of each moment, so that the id decides. */
const all = changes.map((change, index) =>
  storedDelivery(`evt_${String((index * 3) % changes.length).padStart(2, '0')}`, {
    created_at: moment(Math.floor(index / 2)),
    ...change,
  }),
)
const untried = all[0]

before(async () => {
  home = await createTestDatabase()
  db = new Database(home.url)
})
after(async () => {
  await db.close()
  await home.drop()
})
beforeEach(fill)

async function fill(): Promise<void> {
  await emptyTwinDeliveries(db)
  await insertTwinDeliveries(db, all.toReversed())
  await insertTwinTries(
    db,
    all.filter((one) => one !== untried).map(({ id }) => id),
  )
}

const placeOf = ({ created_at, id }: BulkPosition): string => `${created_at} ${id}`

function fits(
  one: StoredDelivery,
  { kind, state, event, receiver, since, until, mode }: Partial<DeliveryFilter>,
) {
  return (
    one.mode === (mode ?? 'test') &&
    (kind === undefined || one.kind === kind) &&
    (state === undefined || one.state === state) &&
    (event === undefined || one.event === event) &&
    (receiver === undefined || receiver.names.includes(one.origin)) &&
    (since === undefined || one.created_at >= since) &&
    (until === undefined || one.created_at < until)
  )
}

/** The oldest first. */
function wanted(filter: Partial<DeliveryFilter>): StoredDelivery[] {
  return all
    .filter((one) => fits(one, filter))
    .toSorted((one, other) => (placeOf(one) < placeOf(other) ? -1 : 1))
}

function sendable({ state = 'failed', ...filter }: Partial<DeliveryFilter>): StoredDelivery[] {
  return wanted({ ...filter, state, kind: 'ipn' }).filter(({ target, body }) => target !== '' && body !== '')
}

const questions: readonly Partial<DeliveryFilter>[] = [
  {},
  { mode: 'live' },
  { state: 'delivered' },
  { event: 'payment.refunded' },
  { receiver: exactly('https://other.example') },
  { since: moment(3) },
  { until: moment(3) },
  { since: moment(1), until: moment(7), receiver: exactly('https://shop.example') },
]

test('deliveries are found by every filter, newest first, with their last result', async () => {
  for (const merchantId of deliveryTwins) {
    for (const question of [...questions, { kind: 'mail' }, { state: 'waiting' }] as const) {
      const found = await listFiltered(db, { merchantId, mode: 'test', ...question }, 100)
      const expected = wanted(question).map((one) => [
        one.id,
        one === untried ? null : tryName(merchantId, one.id, merchantId + 1),
      ])
      const name = JSON.stringify(question)
      assert.deepEqual(
        found.map(({ id, error }) => [id, error]),
        expected.toReversed(),
        name,
      )
      const few = await listFiltered(db, { merchantId, mode: 'test', ...question }, 2)
      assert.deepEqual(few, found.slice(0, 2), name)
    }
  }
})

test('a delivery is found by its id, for one merchant', async () => {
  const [own, other] = deliveryTwins
  const [{ id }] = all as [StoredDelivery]
  await inTransaction(db, async (tx) => restarted(tx, { merchantId: other }))
  assert.equal((await findDelivery(db, { merchantId: own, id }))?.state, 'failed')
  assert.equal((await findDelivery(db, { merchantId: other, id }))?.state, 'waiting')
  assert.equal(await findDelivery(db, { merchantId: own, id: 'evt_nobodys' }), undefined)
})

test('resendable deliveries are counted by receiver, most first', async () => {
  for (const merchantId of deliveryTwins) {
    for (const question of questions) {
      const counts = new Map<string, number>()
      for (const { origin } of sendable(question)) counts.set(origin, (counts.get(origin) ?? 0) + 1)
      const expected = [...counts]
        .map(([origin, count]) => ({ origin, count }))
        .toSorted((one, other) => other.count - one.count || (one.origin < other.origin ? -1 : 1))
      const found = await countSendable(db, { merchantId, mode: 'test', ...question })
      assert.deepEqual(found, expected, JSON.stringify(question))
    }
  }
})

const beforeAll: BulkPosition = { created_at: '0001-01-01T00:00:00Z', id: '' }
const now = moment(59)

type FilterOptions = Partial<DeliveryFilter> & {
  readonly merchantId: number
  behind?: BulkPosition
  limit?: number
}

async function restarted(
  tx: Transaction,
  { behind = beforeAll, limit = 100, ...wish }: FilterOptions,
): Promise<string[]> {
  const places = await restartNext(tx, { mode: 'test', ...wish }, behind, new Date(now), limit)
  return places.map(({ id }) => id)
}

test('the resent deliveries are those counted, oldest first, and nothing else changes', async () => {
  for (const merchantId of deliveryTwins) {
    for (const question of questions) {
      await fill()
      const ids = sendable(question).map(({ id }) => id)
      const changed = await changedDeliveries(db, async () => {
        const found = await inTransaction(db, async (tx) => restarted(tx, { merchantId, ...question }))
        assert.deepEqual(found, ids, JSON.stringify(question))
      })
      assert.deepEqual(changed, ids.map((id) => `${merchantId} ${id}`).toSorted(), JSON.stringify(question))
    }
  }
})

test('a resent delivery restarts its schedule now', async () => {
  const [merchantId] = deliveryTwins
  await inTransaction(db, async (tx) => restarted(tx, { merchantId, state: 'delivered' }))
  const [one] = await listFiltered(db, { merchantId, mode: 'test', kind: 'ipn', state: 'waiting' }, 1)
  assert.equal(one?.next_try_at, now)
})

test('the next page starts after the cursor, ordered by time and id', async () => {
  const [merchantId] = deliveryTwins
  const places = sendable({})
  for (const [index, behind] of places.entries()) {
    await fill()
    const next = await inTransaction(db, async (tx) => restarted(tx, { merchantId, behind, limit: 2 }))
    assert.deepEqual(
      next,
      places.slice(index + 1, index + 3).map(({ id }) => id),
    )
  }
})

test('a resend waits for another one of the same delivery, then skips it', async () => {
  const [merchantId] = deliveryTwins
  const ids = sendable({}).map(({ id }) => id)
  let second: Promise<string[]> | undefined
  await inTransaction(db, async (tx) => {
    assert.deepEqual(await restarted(tx, { merchantId }), ids)
    second = inTransaction(db, async (other) => restarted(other, { merchantId }))
    await waitUntil('the second one waits', async () => (await countWaiting(db)) === 1)
  })
  assert.deepEqual(await second, [])
})

test('a merchant’s backlog is its waiting and paused deliveries', async () => {
  const [own, other] = deliveryTwins
  const soon = { state: 'waiting', created_at: moment(-1) } as const
  await insertTwinDeliveries(db, [storedDelivery('evt_soon', soon)])
  const backlog = { waiting: 2, paused: 1, oldest_due_at: soon.created_at }
  assert.deepEqual(await measureMerchant(db, own), backlog)
  await inTransaction(db, async (tx) => restarted(tx, { merchantId: other, state: 'delivered' }))
  assert.deepEqual(await measureMerchant(db, own), backlog)
  assert.deepEqual(await measureMerchant(db, other), { ...backlog, waiting: 3 })
})
