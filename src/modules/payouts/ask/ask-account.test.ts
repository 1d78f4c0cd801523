import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { checkPayouts } from '../../../../test/support/check-payouts.ts'
import { insertCharge } from '../../../../test/support/dispute-desk.ts'
import { makePayoutNetwork, type PayoutNetwork } from '../../../../test/support/payout-network.ts'
import { dayMs, hourMs, minuteMs, openTill, type Till } from '../../../../test/support/till.ts'
import { inTransaction } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'
import { createMerchant } from '../../../core/merchants/create-merchant.ts'
import { listBalances } from '../ledger/ledger-store.ts'
import { listLinesOfPayments } from '../line-store.ts'
import type { Payout } from '../payout.ts'
import { listHistory, listPayouts } from '../payout-store.ts'
import type { Payouts } from '../payouts.ts'
import { askAccount } from './ask-account.ts'
import { askDueAccounts } from './ask-due.ts'
import { bookLines } from './book-lines.ts'
import { checkBalance } from './check-balance.ts'
import { claimFeed, hurryFeed, insertFeed, lockFeed, Superseded, type Feed } from './feed-store.ts'
import { hurryAccount } from './follow-accounts.ts'

const accountId = 'acc_fake'
let till: Till
let merchantId: number
let network: PayoutNetwork
let payouts: Payouts

before(async () => {
  till = await openTill()
})
after(() => till.close())
beforeEach(async () => {
  // Each test has a merchant of its own: entries can't be deleted.
  merchantId = await createMerchant(till.db, { name: 'Corner shop', liveEnabled: true })
  network = makePayoutNetwork(till.paying.now)
  payouts = { ...till.paying, connectors: [network.connector] }
  await insertFeed(
    till.db,
    { merchant_id: merchantId, account_id: accountId, connector: 'fake', mode: 'live' },
    till.paying.now(),
  )
})

async function claim(): Promise<Feed> {
  const until = new Date(till.paying.now().getTime() + hourMs)
  return (await claimFeed(till.db, { merchantId, accountId }, until)) ?? assert.fail()
}

async function ask(): Promise<boolean> {
  const isAnswered = await askAccount(payouts, await claim())
  await checkPayouts(till.db, { merchantId, accountId }, network)
  return isAnswered
}

async function stored(): Promise<Payout> {
  const [payout] = await listPayouts(till.db, { merchantId, mode: 'live', limit: 10 })
  return payout ?? assert.fail('no payout')
}

async function balance() {
  const [found] = await listBalances(till.db, { merchantId, mode: 'live' })
  return found ?? assert.fail('no balance')
}

async function told(): Promise<string[]> {
  const rows = await till.db.query<{ event: string }>(sql`
    select event from deliveries where merchant_id = ${merchantId} and kind = 'mail' order by created_at, event`)
  return rows.map(({ event }) => event)
}

test('a payout is copied with its lines, each linked to our payment, and the money moves with it', async () => {
  const { number, charge } = await insertCharge(till, { merchantId, accountId })
  network.book({ chargeReference: charge })
  network.book({ kind: 'fee', type: 'monthly', grossMinor: 0n, feeMinor: 50n, taxMinor: 10n })
  await ask()
  assert.equal((await balance()).held_minor, 904n)
  const payout = network.payOut() ?? assert.fail()
  await ask()
  assert.deepEqual([(await stored()).state, (await stored()).line_count], ['announced', 2])
  assert.deepEqual([(await balance()).held_minor, (await balance()).on_its_way_minor], [0n, 904n])
  network.change(payout.reference, { status: 'arrived', bankReference: 'TRACE1' })
  await ask()
  assert.equal((await stored()).bank_reference, 'TRACE1')
  assert.equal((await balance()).arrived_minor, 904n)
  const [line] = await listLinesOfPayments(till.db, merchantId, [number])
  assert.deepEqual([line?.payout_id, line?.fee_minor], [(await stored()).id, 30n])
})

test('a payout that bounces after arriving is returned, its money is held again, and the merchant gets an e-mail', async () => {
  network.book()
  await ask()
  const { reference } = network.payOut() ?? assert.fail()
  for (const status of ['announced', 'arrived', 'failed', 'arrived', 'failed'] as const) {
    network.change(reference, { status })
    await ask()
  }
  const payout = await stored()
  assert.equal(payout.state, 'returned')
  assert.deepEqual(
    (await listHistory(till.db, { merchantId, id: payout.id })).map(({ state }) => state),
    ['announced', 'arrived', 'returned', 'arrived', 'returned'],
  )
  assert.deepEqual([(await balance()).held_minor, (await balance()).arrived_minor], [964n, 0n])
  assert.deepEqual(await told(), ['payout.failed', 'payout.failed'])
})

test('an old report that arrives late changes nothing', async () => {
  network.book()
  const { reference } = network.payOut() ?? assert.fail()
  network.change(reference, { status: 'arrived' })
  await ask()
  network.change(reference, { status: 'announced' })
  await ask()
  assert.equal((await stored()).state, 'arrived')
})

test('lines that don’t add up get a line for the difference, and a person is told', async () => {
  network.book()
  const { reference, money } = network.payOut() ?? assert.fail()
  network.change(reference, { money: { ...money, amountMinor: money.amountMinor + 7n } })
  await ask()
  const { difference_minor: difference, line_count: count } = await stored()
  assert.deepEqual([difference, count], [7n, 2])
  assert.deepEqual(await told(), ['payout.difference'])
  assert.match(till.log(), /lines of a payout do not add up/)
})

test('lines wait until the network has its list, and a payout without one says so', async () => {
  network.book()
  const { reference } = network.payOut({ lines: 'later' }) ?? assert.fail()
  await ask()
  assert.equal((await stored()).lines, 'waiting')
  network.change(reference, { lines: 'ready' })
  await ask()
  assert.equal((await stored()).lines, 'copied')
  till.forward(minuteMs)
  network.book()
  network.payOut({ lines: 'never' })
  await ask()
  assert.equal((await stored()).lines, 'untold')
})

test('a superseded worker may write nothing', async () => {
  const feed = await claim()
  await claim()
  const write = inTransaction(till.db, async (tx) => {
    await lockFeed(tx, feed)
    await bookLines(tx, feed, [network.book()], null)
  })
  await assert.rejects(write, Superseded)
  await askAccount(payouts, feed)
  await assert.rejects(balance(), /no balance/)
})

test('a network that fails halfway is asked again in a quarter of an hour, and nothing is doubled', async () => {
  for (let count = 0; count < 4; count += 1) network.book()
  network.payOut()
  let left = 3
  network.interrupt = () => {
    if ((left -= 1) === 0) throw new Error('connection reset')
  }
  assert.equal(await ask(), false)
  network.interrupt = () => {}
  await hurryFeed(till.db, { merchantId, accountId }, new Date(till.paying.now().getTime() + 15 * minuteMs))
  assert.equal(await askDueAccounts(payouts), 0)
  till.forward(15 * minuteMs)
  assert.equal(await askDueAccounts(payouts), 1)
  await checkPayouts(till.db, { merchantId, accountId }, network)
  assert.equal((await stored()).line_count, 4)
})

test('a callback makes an account due at once', async () => {
  await ask()
  assert.equal(await askDueAccounts(payouts), 0)
  const of = { merchant_id: merchantId, account_id: accountId, connector: 'fake' }
  assert.equal(await hurryAccount(payouts, of), true)
  assert.equal(await hurryAccount(payouts, { ...of, connector: 'unheard-of' }), false)
  assert.equal(await askDueAccounts(payouts), 1)
})

test('the network’s earlier money is the opening balance; later differences are reported once', async () => {
  network.lies = 500n
  network.book()
  await ask()
  assert.deepEqual([(await balance()).held_minor, (await balance()).difference_minor], [1_464n, 0n])
  till.forward(dayMs)
  await ask()
  assert.deepEqual(await told(), [])
  network.lies = 497n
  for (let night = 0; night < 2; night += 1) {
    till.forward(dayMs)
    await ask()
  }
  assert.equal((await balance()).difference_minor, -3n)
  assert.deepEqual(await told(), ['balance.difference'])
})

test('a balance is compared at once when somebody asks, after what is new was copied', async () => {
  const of = { merchant_id: merchantId, account_id: accountId, connector: 'fake' }
  const figures = { currency: 'GBP', isFirst: false }
  network.lies = 500n
  assert.deepEqual(await checkBalance(payouts, of), {
    kind: 'done',
    balances: [{ currency: 'GBP', thereMinor: 500n, hereMinor: 0n, isFirst: true }],
  })
  network.book()
  assert.deepEqual(await checkBalance(payouts, of), {
    kind: 'done',
    balances: [{ ...figures, thereMinor: 1_464n, hereMinor: 1_464n }],
  })
  network.lies = 497n
  assert.deepEqual(await checkBalance(payouts, of), {
    kind: 'done',
    balances: [{ ...figures, thereMinor: 1_461n, hereMinor: 1_464n }],
  })
  assert.deepEqual(await told(), ['balance.difference'])
  network.interrupt = () => {
    throw new Error('connection reset')
  }
  assert.deepEqual(await checkBalance(payouts, of), { kind: 'no_answer', problem: 'connection reset' })
  assert.equal(await checkBalance(payouts, { ...of, connector: 'unheard-of' }), undefined)
})

test('an account that books while it is read is not compared, and no opening balance is made up', async () => {
  const of = { merchant_id: merchantId, account_id: accountId, connector: 'fake' }
  network.interrupt = (at) => {
    if (at === 'balance') network.book()
  }
  assert.deepEqual(await checkBalance(payouts, of), { kind: 'done', balances: 'moving' })
  network.interrupt = () => {}
  await ask()
  assert.equal((await balance()).held_minor, network.held())
  const [opening] = await till.db.query(sql`
    select source from entries where merchant_id = ${merchantId} and source like 'opening:%'`)
  assert.equal(opening, undefined)
})

test('a balance is compared by the last of two who ask at once', async () => {
  const of = { merchant_id: merchantId, account_id: accountId, connector: 'fake' }
  let isFirst = true
  network.interrupt = (at) => {
    if (at === 'balance' && isFirst) {
      isFirst = false
      void claim()
    }
  }
  const look = await checkBalance(payouts, of)
  assert.equal(look?.kind, 'done')
})

test('entries can’t be changed or deleted, amounts in a line can’t be changed, and an entry adds up to zero', async () => {
  network.book()
  await ask()
  for (const statement of [
    sql`update entries set held_minor = held_minor where merchant_id = ${merchantId}`,
    sql`delete from entries where merchant_id = ${merchantId}`,
    sql`update payout_lines set fee_minor = 0, net_minor = gross_minor - tax_minor where merchant_id = ${merchantId}`,
  ])
    await assert.rejects(till.db.query(statement), /never changed/)
  const unequal = sql`
    insert into entries (merchant_id, account_id, source, mode, currency, at, held_minor, sales_minor)
    values (${merchantId}, 'acc_1', 'x', 'live', 'GBP', now(), 5, -4)`
  await assert.rejects(till.db.query(unequal), /entries_sum_is_zero/)
})
