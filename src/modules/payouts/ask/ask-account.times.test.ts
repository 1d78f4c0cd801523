import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { makePayoutNetwork, type PayoutNetwork } from '../../../../test/support/payout-network.ts'
import { dayMs, hourMs, minuteMs, openTill, type Till } from '../../../../test/support/till.ts'
import { sql } from '../../../platform/database/sql.ts'
import { createMerchant } from '../../../core/merchants/create-merchant.ts'
import { listLinesOfPayments } from '../line-store.ts'
import { listPayouts } from '../payout-store.ts'
import type { Payouts } from '../payouts.ts'
import { askAccount } from './ask-account.ts'
import { askDueAccounts } from './ask-due.ts'
import { checkBalance } from './check-balance.ts'
import { claimFeed, insertFeed } from './feed-store.ts'
import { lookNow } from './look-now.ts'

// How far back a network is asked, how often, and when its balance is compared again.

const accountId = 'acc_fake'
let till: Till
let merchantId: number
let network: PayoutNetwork
let payouts: Payouts

before(async () => {
  till = await openTill()
})
after(() => till.close())
beforeEach(() => open('live'))

async function open(mode: 'live' | 'test'): Promise<void> {
  merchantId = await createMerchant(till.db, { name: 'Corner shop', liveEnabled: true })
  network = makePayoutNetwork(till.paying.now)
  payouts = { ...till.paying, connectors: [{ ...network.connector, mode }] }
  const feed = { merchant_id: merchantId, account_id: accountId, connector: 'fake', mode }
  await insertFeed(till.db, feed, till.paying.now())
}

async function ask(): Promise<void> {
  const feed = await claimFeed(till.db, { merchantId, accountId }, till.paying.now())
  assert.ok(feed)
  assert.equal(await askAccount(payouts, feed), true)
}

const ago = (ms: number): Date => new Date(till.paying.now().getTime() - ms)
const references = async (mode: 'live' | 'test' = 'live'): Promise<string> =>
  (await listPayouts(till.db, { merchantId, mode, limit: 9 })).map(({ reference }) => reference).join(' ')

/** A payout of a given age. */
function payOutAt(madeAt: Date): void {
  network.book({ bookedAt: madeAt })
  const payout = network.payOut() ?? assert.fail()
  network.change(payout.reference, { madeAt })
}

async function lineCount(): Promise<number> {
  const [row] = await till.db.query<{ count: number }>(sql`
    select count(*)::integer as count from payout_lines where merchant_id = ${merchantId}`)
  return row?.count ?? 0
}

async function nextCheck(): Promise<number> {
  const [row] = await till.db.query<{ at: string }>(sql`
    select next_check_at as at from payout_feeds where merchant_id = ${merchantId}`)
  return Date.parse(row?.at ?? '') - till.paying.now().getTime()
}

test('the first look asks for payouts of 180 days, and later ones for those of 40', async () => {
  payOutAt(ago(180 * dayMs + 1))
  payOutAt(ago(180 * dayMs))
  await ask()
  assert.equal(await references(), 'po_2')
  payOutAt(ago(40 * dayMs + 1))
  payOutAt(ago(40 * dayMs))
  await ask()
  assert.equal(await references(), 'po_4 po_2')
})

test('the first look asks for bookings of 30 days, and later ones from an hour before the last', async () => {
  network.book({ bookedAt: ago(30 * dayMs + 1) })
  network.book({ bookedAt: ago(30 * dayMs) })
  await ask()
  assert.equal(await lineCount(), 1)
  network.book({ bookedAt: ago(hourMs + 1) })
  network.book({ bookedAt: ago(hourMs) })
  till.forward(dayMs)
  await ask()
  assert.equal(await lineCount(), 2)
  assert.deepEqual(await listLinesOfPayments(till.db, merchantId, ['1']), [])
})

test('a live network is asked every hour, as it sends callbacks', async () => {
  await ask()
  assert.equal(await nextCheck(), hourMs)
  network.book()
  network.payOut()
  await ask()
  assert.equal(await nextCheck(), hourMs)
})

test('a test network is asked every half minute while a payout is open, otherwise at midnight', async () => {
  await open('test')
  await ask()
  const midnight = dayMs - (till.paying.now().getTime() % dayMs)
  assert.equal(await nextCheck(), midnight)
  network.book()
  const { reference } = network.payOut() ?? assert.fail()
  await ask()
  assert.equal(await nextCheck(), minuteMs / 2)
  network.change(reference, { status: 'arrived' })
  await ask()
  assert.equal(await nextCheck(), midnight)
})

test('a balance is compared again after twenty hours, counted from the last comparison', async () => {
  let compared = 0
  network.interrupt = (at) => {
    if (at === 'balance') compared += 1
  }
  await ask()
  const first = compared
  till.forward(20 * hourMs - 1)
  await ask()
  assert.equal(compared, first)
  const of = { merchant_id: merchantId, account_id: accountId, connector: 'fake' }
  assert.equal((await checkBalance(payouts, of))?.kind, 'done')
  const asked = compared
  assert.ok(asked > first, 'a person who asks does not wait')
  till.forward(20 * hourMs - 1)
  await ask()
  assert.equal(compared, asked)
  till.forward(1)
  await ask()
  assert.ok(compared > asked)
})

for (const [what, look] of [
  ['a round of the worker', async () => askDueAccounts(payouts)],
  ['a person who looks now', async () => lookNow(payouts, { merchantId, mode: 'live' })],
  [
    'a person who compares the balance',
    async () => checkBalance(payouts, { merchant_id: merchantId, account_id: accountId, connector: 'fake' }),
  ],
] as const)
  test(`${what} holds the account for 45 minutes: longer than a look may take`, async () => {
    // Those of earlier tests may be due as well, and be asked first.
    await till.db.query(sql`delete from payout_feeds where merchant_id <> ${merchantId}`)
    network.book()
    let held: Promise<number> | undefined
    // The network waits for it: the account is released as soon as the look ends.
    network.interrupt = async () => {
      held ??= nextCheck()
      await held
    }
    await look()
    assert.equal(await held, 45 * minuteMs)
  })
