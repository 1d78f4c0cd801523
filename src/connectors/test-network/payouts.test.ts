import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { cardOf, cards, dayMs, minuteMs, openTill, type Till } from '../../../test/support/till.ts'
import { createMerchant } from '../../merchants/create-merchant.ts'
import type { PayoutReports, ReportedLine, ReportedPayout } from '../payout-reports.ts'
import { feeOf } from './payouts.ts'

const never = new AbortController().signal
const longAgo = new Date(0)

let till: Till
let merchantId: number
let reports: PayoutReports
before(async () => {
  till = await openTill()
})
after(() => till.close())
beforeEach(async () => {
  till.rewind()
  merchantId = await createMerchant(till.db, { name: 'Corner shop', liveEnabled: true })
  reports = till.network.payoutsTo?.(merchantId) ?? assert.fail()
})

async function pay(card = cards.good): Promise<void> {
  const payment = await till.newPayment('test', merchantId)
  assert.equal((await till.payer.pay(payment, card)).kind, 'paid')
}

async function list(): Promise<ReportedPayout[]> {
  return Array.fromAsync(reports.payouts(longAgo, never))
}

async function linesOf(payout: ReportedPayout): Promise<ReportedLine[]> {
  return Array.fromAsync(reports.payoutLines(payout, never))
}

function sum(lines: readonly ReportedLine[]): bigint {
  return lines.reduce((all, line) => all + line.grossMinor - line.feeMinor - line.taxMinor, 0n)
}

test('a fee is 1.4 % and 20, with a fifth of it as tax', () => {
  assert.deepEqual(feeOf(10_000n), { feeMinor: 160n, taxMinor: 32n })
})

test('what was paid is paid out after midnight, once, and reaches the bank two minutes later', async () => {
  await pay()
  await pay()
  assert.deepEqual(await list(), [])
  assert.equal((await Array.fromAsync(reports.bookings?.(longAgo, never) ?? [])).length, 2)
  till.forward(dayMs)
  const [payout = assert.fail()] = await list()
  assert.equal(payout.status, 'announced')
  const lines = await linesOf(payout)
  assert.deepEqual([lines.length, sum(lines)], [2, payout.money.amountMinor])
  assert.deepEqual(await reports.balance?.(never), [])
  till.forward(minuteMs)
  assert.equal((await list())[0]?.status, 'on_its_way')
  till.forward(minuteMs)
  const end = payout.money.amountMinor % 100n
  assert.equal((await list())[0]?.status, end === 13n ? 'failed' : 'arrived')
  assert.equal((await list()).length, 1)
})

test('a lost dispute is taken out of a later payout with its fee, and less than nothing is not paid out', async () => {
  await pay(cardOf('4000 0000 0000 0259'))
  await till.network.payOutNow?.(merchantId)
  till.forward(1)
  await till.network.payOutNow?.(merchantId)
  const [first] = await list()
  assert.equal((await linesOf(first ?? assert.fail()))[0]?.kind, 'payment')
  till.forward(2 * dayMs)
  assert.equal((await list()).length, 1)
  const [owed] = (await reports.balance?.(never)) ?? []
  assert.ok((owed?.amountMinor ?? 0n) < 0n)
})

test('two that pay out at the same moment pay once', async () => {
  await pay()
  till.forward(1)
  await Promise.allSettled([
    till.network.payOutNow?.(merchantId),
    till.network.payOutNow?.(merchantId),
    till.network.payOutNow?.(merchantId),
  ])
  assert.equal((await list()).length, 1)
})
