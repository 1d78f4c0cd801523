import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { feedRow } from '../../../../test/support/payout-rows.ts'
import { insertRows, openTwoMerchants, storedRows, type TwoMerchants } from '../../../../test/support/rows.ts'
import { waitUntil } from '../../../../test/support/wait-until.ts'
import { countWaiting } from '../../../../test/support/who-waits.ts'
import { inTransaction } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'
import { findMerchantsToAsk } from './due-look-store.ts'
import {
  claimDueFeeds,
  claimFeed,
  endAsk,
  hurryFeed,
  insertFeed,
  listFeeds,
  lockFeed,
  noteComparison,
  noteFailure,
  Superseded,
} from './feed-store.ts'

// Two merchants whose accounts have the same names: whatever is claimed or noted is the one merchant's alone.

let two: TwoMerchants
const now = new Date('2026-11-18T12:00:00Z')
const later = (seconds: number): Date => new Date(now.getTime() + seconds * 1_000)
const day = 86_400

before(async () => {
  two = await openTwoMerchants()
})
after(() => two.close())
beforeEach(async () => {
  for (const merchant_id of [two.own, two.other]) {
    await two.db.query(sql`delete from payout_feeds where merchant_id = ${merchant_id}`)
    await insertRows(two.db, 'payout_feeds', [
      feedRow({ merchant_id, account_id: 'a', next_check_at: now }),
      feedRow({ merchant_id, account_id: 'b', next_check_at: later(-1) }),
      feedRow({ merchant_id, account_id: 'c', next_check_at: later(1) }),
      feedRow({ merchant_id, account_id: 'd', next_check_at: later(day), mode: 'test' }),
    ])
  }
})

const key = (accountId: string) => ({ merchantId: two.own, accountId })
const claim = async (max = 10, at = now) => claimDueFeeds(two.db, two.own, { now: at, leaseMs: 60_000, max })
const names = (feeds: readonly { readonly account_id: string }[]): string =>
  feeds
    .map(({ account_id }) => account_id)
    .toSorted()
    .join(' ')
const read = async (account: string) =>
  (await listFeeds(two.db, { merchantId: two.own, mode: 'live' })).find(
    ({ account_id }) => account_id === account,
  )
async function nextCheck(account: string): Promise<Date> {
  const [row] = await two.db.query<{ at: string }>(sql`
    select next_check_at as at from payout_feeds where merchant_id = ${two.own} and account_id = ${account}`)
  return new Date(row?.at ?? 0)
}

test('due accounts are claimed once, longest waiting first, until their lease is over', async () => {
  const theirs = await storedRows(two.db, 'payout_feeds', two.other)
  assert.equal(names(await claim(1)), 'b')
  assert.equal(names(await claim()), 'a')
  assert.equal(names(await claim()), '')
  assert.equal(names(await claim(10, later(59))), 'c')
  assert.equal(names(await claim(10, later(60))), 'a b')
  assert.deepEqual(await storedRows(two.db, 'payout_feeds', two.other), theirs)
})

test('a check further ahead than two days was put off by a wrong clock, and is due', async () => {
  const putOff = async (at: Date) =>
    two.db.query(sql`
      update payout_feeds set next_check_at = ${at} where merchant_id = ${two.own} and account_id = 'd'`)
  await putOff(later(2 * day))
  assert.equal(names(await claim()), 'a b')
  await putOff(later(2 * day + 1))
  assert.equal(names(await claim()), 'd')
})

test('merchants with a due account are found, longest waiting first', async () => {
  const find = async (at: Date, max = 10) => findMerchantsToAsk(two.db, { now: at, max })
  assert.deepEqual(await find(later(-2)), [])
  assert.deepEqual(
    (await find(later(-1))).toSorted((a, b) => a - b),
    [two.own, two.other],
  )
  await two.db.query(sql`
    update payout_feeds set next_check_at = ${later(-9)} where merchant_id = ${two.other} and account_id = 'b'`)
  assert.deepEqual(await find(now), [two.other, two.own])
  assert.deepEqual(await find(now, 1), [two.other])
})

test('only the last who claimed an account may write', async () => {
  const first = await claimFeed(two.db, key('c'), later(60))
  const second = await claimFeed(two.db, key('c'), later(90))
  assert.ok(first && second)
  assert.equal(await claimFeed(two.db, key('none'), now), undefined)
  assert.deepEqual(await nextCheck('c'), later(90))
  await assert.rejects(
    inTransaction(two.db, async (tx) => lockFeed(tx, first)),
    Superseded,
  )
  await inTransaction(two.db, async (tx) => lockFeed(tx, second))
  await endAsk(two.db, first, { nextCheckAt: later(1), readUntil: now })
  await noteFailure(two.db, first, { now, nextCheckAt: later(2), problem: 'late' })
  assert.deepEqual(await nextCheck('c'), later(90))
  await endAsk(two.db, second, { nextCheckAt: later(3), readUntil: now })
  assert.deepEqual(await nextCheck('c'), later(3))
})

test('an account fails from its first failure on, and a success ends that', async () => {
  const theirs = await storedRows(two.db, 'payout_feeds', two.other)
  const feed = await claimFeed(two.db, key('a'), later(60))
  assert.ok(feed)
  await noteFailure(two.db, feed, { now, nextCheckAt: later(60), problem: 'no answer' })
  await noteFailure(two.db, feed, { now: later(30), nextCheckAt: later(90), problem: 'busy' })
  const failing = await read('a')
  assert.deepEqual([new Date(failing?.failing_since ?? 0), failing?.problem], [now, 'busy'])
  assert.equal((await read('b'))?.failing_since, null)
  await endAsk(two.db, feed, { nextCheckAt: later(1), readUntil: now })
  const well = await read('a')
  assert.deepEqual([well?.failing_since, well?.problem, new Date(well?.read_until ?? 0)], [null, null, now])
  await inTransaction(two.db, async (tx) => noteComparison(tx, feed, now))
  assert.deepEqual([(await read('a'))?.compared_at !== null, (await read('b'))?.compared_at], [true, null])
  assert.deepEqual(await storedRows(two.db, 'payout_feeds', two.other), theirs)
})

test('a callback makes a known account due, and an account is followed once', async () => {
  assert.equal(await hurryFeed(two.db, key('c'), later(-5)), true)
  assert.deepEqual([await nextCheck('c'), await nextCheck('a')], [later(-5), now])
  assert.equal(await hurryFeed(two.db, key('none'), now), false)
  const feed = { merchant_id: two.own, account_id: 'a', connector: 'other', mode: 'live' } as const
  await insertFeed(two.db, feed, later(500))
  assert.equal((await read('a'))?.connector, 'stripe')
  assert.deepEqual(await nextCheck('a'), now)
})

test('who claims an account waits for a write that began before', async () => {
  const feed = await claimFeed(two.db, key('a'), later(60))
  assert.ok(feed)
  let second: ReturnType<typeof claimFeed> | undefined
  await inTransaction(two.db, async (tx) => {
    await lockFeed(tx, feed)
    second = claimFeed(two.db, key('a'), later(90))
    await waitUntil('the second waits', async () => (await countWaiting(two.db)) === 1)
  })
  assert.equal((await second)?.asks, feed.asks + 1n)
})
