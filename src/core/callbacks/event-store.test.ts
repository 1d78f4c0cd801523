import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { insertRows, openTwoMerchants, storedRows, type TwoMerchants } from '../../../test/support/rows.ts'
import { inTransaction } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import { findMerchantsWithDueEvents, findMerchantsWithEndedEvents } from './due-look-store.ts'
import {
  claimEvents,
  deleteEnded,
  findLastReceived,
  finishEvents,
  insertEvents,
  putOffEvent,
  type EventRow,
  type ReceivedEvent,
} from './event-store.ts'

// Two merchants and two accounts whose events have the same names: each is one account's of one merchant.

let two: TwoMerchants
const now = new Date('2026-11-15T12:00:00Z')
const before1 = new Date(now.getTime() - 1)
const after1 = new Date(now.getTime() + 1)

before(async () => {
  two = await openTwoMerchants()
})
after(() => two.close())

beforeEach(async () => {
  await two.db.query(sql`truncate callback_events`)
  for (const own of [two.own, two.other]) {
    const waiting = (account: string, name: string, about: string) => ({
      merchant_id: own,
      account_id: account,
      event_id: name,
      connector: 'stripe',
      about,
      received_at: now,
      next_try_at: now,
    })
    await insertRows(two.db, 'callback_events', [
      waiting('acc_1', 'a', 'order'),
      waiting('acc_2', 'a', 'order'),
      waiting('acc_1', 'b', 'refund'),
      { ...waiting('acc_1', 'c', 'order'), state: 'done', next_try_at: null, finished_at: now },
      { ...waiting('acc_2', 'c', 'order'), state: 'unknown', next_try_at: null, finished_at: before1 },
    ])
  }
})

async function changedBy(count: number, change: (own: number) => Promise<unknown>): Promise<void> {
  for (const [own, other] of two.both) {
    const read = async (whose: number): Promise<string[]> => storedRows(two.db, 'callback_events', whose)
    const [mine, theirs] = [await read(own), await read(other)]
    await change(own)
    assert.deepEqual(await read(other), theirs)
    const left = await read(own)
    assert.equal(mine.filter((row) => !left.includes(row)).length, count)
  }
}

const nameOf = ({ merchant_id, account_id, event_id }: EventRow): string =>
  `${merchant_id} ${account_id} ${event_id}`

test('an event is new only once per account and merchant', async () => {
  const event = (account: string, name: string): ReceivedEvent => ({
    account_id: account,
    event_id: name,
    connector: 'stripe',
    about: 'order',
    number: null,
    idempotency_key: null,
    reference: null,
    received_at: now,
  })
  for (const [own] of two.both) {
    const fresh = await insertEvents(two.db, own, [
      event('acc_1', 'a'),
      event('acc_3', 'a'),
      event('acc_1', 'x'),
    ])
    assert.deepEqual(fresh.map(({ account_id, event_id }) => `${account_id} ${event_id}`).toSorted(), [
      'acc_1 x',
      'acc_3 a',
    ])
  }
})

test('a claim takes due events of handled kinds, for this merchant only and once per lease', async () => {
  for (const [own] of two.both) {
    const claim = { abouts: ['order'], now, leaseMs: 60_000, max: 10 } as const
    assert.deepEqual(await claimEvents(two.db, own, { ...claim, now: before1 }), [])
    const claimed = await claimEvents(two.db, own, claim)
    assert.deepEqual(claimed.map(nameOf).toSorted(), [`${own} acc_1 a`, `${own} acc_2 a`])
    assert.ok(claimed.every(({ tries }) => tries === 1))
    assert.deepEqual(await claimEvents(two.db, own, { ...claim, now: new Date(now.getTime() + 59_999) }), [])
    const later = { ...claim, now: new Date(now.getTime() + 60_000), max: 1 }
    const again = await claimEvents(two.db, own, later)
    assert.deepEqual(
      again.map(({ tries }) => tries),
      [2],
      'of two accounts’ events of the same name, one',
    )
  }
})

test('a claim skips events locked by another worker', async () => {
  await inTransaction(two.db, async (tx) => {
    await tx.query(sql`
      select from callback_events
      where merchant_id = ${two.own} and account_id = 'acc_1' and event_id = 'a' for update`)
    const claimed = await claimEvents(two.db, two.own, { abouts: ['order'], now, leaseMs: 60_000, max: 10 })
    assert.deepEqual(claimed.map(nameOf), [`${two.own} acc_2 a`])
  })
})

test('merchants are found while they have a due event of a handled kind', async () => {
  const look = { handled: ['refund'], now, max: 10 } as const
  assert.deepEqual(new Set(await findMerchantsWithDueEvents(two.db, look)), new Set([two.own, two.other]))
  assert.deepEqual(await findMerchantsWithDueEvents(two.db, { ...look, now: before1 }), [])
  assert.deepEqual(await findMerchantsWithDueEvents(two.db, { ...look, handled: ['dispute'] }), [])
  await claimEvents(two.db, two.own, { abouts: ['refund'], now, leaseMs: 60_000, max: 10 })
  assert.deepEqual(await findMerchantsWithDueEvents(two.db, look), [two.other])
})

test('finishing or postponing changes only this account’s waiting event', async () => {
  const key = (own: number, event = 'a') => ({ merchant_id: own, account_id: 'acc_1', event_id: event })
  await changedBy(1, async (own) => putOffEvent(two.db, key(own), after1))
  await changedBy(1, async (own) =>
    finishEvents(two.db, own, [{ ...key(own), state: 'given_up', finished_at: now }]),
  )
  await changedBy(0, async (own) => putOffEvent(two.db, key(own), now))
  await changedBy(0, async (own) =>
    finishEvents(two.db, own, [{ ...key(own, 'c'), state: 'given_up', finished_at: after1 }]),
  )
})

test('old finished events are deleted, waiting ones never', async () => {
  for (const [own] of two.both) assert.equal(await deleteEnded(two.db, own, before1, 10), 0)
  assert.deepEqual(await findMerchantsWithEndedEvents(two.db, { before: before1, max: 10 }), [])
  assert.equal((await findMerchantsWithEndedEvents(two.db, { before: now, max: 10 })).length, 2)
  await changedBy(1, async (own) => deleteEnded(two.db, own, now, 10))
  await changedBy(1, async (own) => deleteEnded(two.db, own, after1, 10))
  await changedBy(0, async (own) => deleteEnded(two.db, own, new Date('2027-01-01'), 10))
})

test('deleting is limited to a number of events, oldest first', async () => {
  const older = new Date(now.getTime() - 2)
  const ended = { connector: 'stripe', about: 'order', state: 'done', next_try_at: null, finished_at: older }
  await insertRows(two.db, 'callback_events', [
    { ...ended, merchant_id: two.other, account_id: 'acc_9', event_id: 'z', received_at: older },
  ])
  await changedBy(1, async (own) => deleteEnded(two.db, own, after1, 1))
  const left = await storedRows(two.db, 'callback_events', two.own)
  assert.ok(!left.some((row) => row.includes('"unknown"')))
})

test('the last callback of an account ignores other accounts', async () => {
  for (const [own] of two.both) {
    const at = new Date(now.getTime() + own)
    await two.db.query(sql`
      update callback_events set received_at = ${at}
      where merchant_id = ${own} and account_id = 'acc_1' and event_id = 'b'`)
    assert.equal(Date.parse((await findLastReceived(two.db, own, 'acc_1')) ?? ''), at.getTime())
    assert.equal(Date.parse((await findLastReceived(two.db, own, 'acc_2')) ?? ''), now.getTime())
    assert.equal(await findLastReceived(two.db, own, 'acc_3'), undefined)
  }
})
