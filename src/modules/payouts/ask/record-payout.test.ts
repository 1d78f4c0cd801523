import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { makePayoutNetwork } from '../../../../test/support/payout-network.ts'
import { hourMs, openTill, type Till } from '../../../../test/support/till.ts'
import type { ReportedPayout } from '../../../core/networks/payout-reports.ts'
import { sql } from '../../../platform/database/sql.ts'
import { createMerchant } from '../../../core/merchants/create-merchant.ts'
import { listBalances } from '../ledger/ledger-store.ts'
import type { Payout } from '../payout.ts'
import { findById, listHistory } from '../payout-store.ts'
import type { Payouts } from '../payouts.ts'
import { claimFeed, insertFeed, Superseded, type Feed } from './feed-store.ts'
import { completeLines, markUntold, recordPayout } from './record-payout.ts'

let till: Till
let merchantId: number
let payouts: Payouts
let feed: Feed
const accountId = 'acc_fake'

before(async () => {
  till = await openTill()
})
after(() => till.close())
beforeEach(async () => {
  merchantId = await createMerchant(till.db, { name: 'Corner shop', liveEnabled: true })
  payouts = { ...till.paying, connectors: [makePayoutNetwork(till.paying.now).connector] }
  const named = { merchant_id: merchantId, account_id: accountId, connector: 'fake', mode: 'live' } as const
  await insertFeed(till.db, named, till.paying.now())
  feed = await claim()
})

async function claim(): Promise<Feed> {
  const until = new Date(till.paying.now().getTime() + hourMs)
  return (await claimFeed(till.db, { merchantId, accountId }, until)) ?? assert.fail()
}

function reported(changes: Partial<ReportedPayout> = {}): ReportedPayout {
  return {
    reference: 'po_net',
    status: 'on_its_way',
    money: { amountMinor: 1_000n, currency: 'GBP' },
    madeAt: till.paying.now(),
    arrivesOn: '2026-11-20',
    lines: 'ready',
    ...changes,
  }
}
const record = async (changes: Partial<ReportedPayout> = {}): Promise<Payout> =>
  recordPayout(payouts, feed, reported(changes), false)
const now = async ({ id }: Payout): Promise<Payout> =>
  (await findById(till.db, { merchantId, id })) ?? assert.fail()
const statesOf = async ({ id }: Payout): Promise<string> =>
  (await listHistory(till.db, { merchantId, id })).map(({ state }) => state).join(' ')
async function told(): Promise<number> {
  const [row] = await till.db.query<{ count: number }>(sql`
    select count(*)::integer as count from deliveries where merchant_id = ${merchantId} and kind = 'mail'`)
  return row?.count ?? 0
}

test('a worker that was overtaken writes nothing about a payout', async () => {
  const payout = await record()
  const overtaken = feed
  feed = await claim()
  await assert.rejects(recordPayout(payouts, overtaken, reported({ status: 'arrived' }), false), Superseded)
  await assert.rejects(completeLines(payouts, overtaken, payout), Superseded)
  await assert.rejects(markUntold(payouts, overtaken, payout), Superseded)
  assert.deepEqual(await now(payout), payout)
})

test('lines are completed once: what is known keeps its difference, and nobody is told twice', async () => {
  const payout = await record()
  await completeLines(payouts, feed, payout)
  const complete = await now(payout)
  assert.deepEqual([complete.lines, complete.difference_minor, complete.line_count], ['copied', 1_000n, 1])
  const mails = await told()
  till.forward(1)
  await completeLines(payouts, feed, payout)
  await markUntold(payouts, feed, payout)
  assert.deepEqual(await now(payout), complete)
  assert.equal(await told(), mails)
  const unheard = { ...payout, reference: 'none' }
  await completeLines(payouts, feed, unheard)
  await markUntold(payouts, feed, unheard)
})

test('a payout without a list stays without one', async () => {
  const payout = await record()
  await markUntold(payouts, feed, payout)
  const untold = await now(payout)
  assert.deepEqual([untold.lines, untold.line_count, untold.difference_minor], ['untold', 0, 0n])
  await completeLines(payouts, feed, payout)
  assert.deepEqual(await now(payout), untold)
})

test('a report that is known changes nothing, and one that differs in a fact changes that alone', async () => {
  const payout = await record()
  till.forward(1)
  assert.deepEqual(await record(), payout)
  for (const [changes, expected] of [
    [{ arrivesOn: '2026-11-21' }, ['2026-11-21', null, null]],
    [{ bankReference: 'SHOP' }, ['2026-11-20', 'SHOP', null]],
    [{ failure: 'closed' }, ['2026-11-20', null, 'closed']],
  ] as const) {
    const changed = await record(changes)
    assert.deepEqual([changed.arrives_on, changed.bank_reference, changed.failure], expected)
  }
  assert.equal(await statesOf(payout), 'on_its_way', 'its state is the same all along')
})

test('texts of a network are kept up to two hundred letters', async () => {
  const long = 'x'.repeat(201)
  const payout = await record({ bankReference: long, failure: long })
  assert.deepEqual([payout.bank_reference?.length, payout.failure?.length], [200, 200])
})

test('another amount or currency than before changes nothing', async () => {
  const payout = await record()
  for (const money of [
    { amountMinor: 1_001n, currency: 'GBP' },
    { amountMinor: 1_000n, currency: 'EUR' },
  ])
    assert.deepEqual(await record({ money, status: 'arrived' }), payout)
  assert.equal((await record({ status: 'arrived' })).state, 'arrived')
})

test('money moves with the state of its payout, once', async () => {
  const payout = await record({ status: 'announced' })
  const held = async () => {
    const [row] = await listBalances(till.db, { merchantId, mode: 'live' })
    return [row?.held_minor ?? 0n, row?.on_its_way_minor ?? 0n, row?.arrived_minor ?? 0n]
  }
  await record({ status: 'on_its_way' })
  assert.deepEqual(await held(), [-1_000n, 1_000n, 0n])
  for (let times = 0; times < 2; times += 1) await record({ status: 'arrived' })
  assert.deepEqual(await held(), [-1_000n, 0n, 1_000n])
  assert.equal(await statesOf(payout), 'announced on_its_way arrived')
})

test('what a first look finds is no news', async () => {
  await recordPayout(payouts, feed, reported({ status: 'failed' }), true)
  assert.equal(await told(), 0)
  await recordPayout(payouts, feed, reported({ reference: 'later', status: 'failed' }), false)
  assert.ok((await told()) > 0)
})
