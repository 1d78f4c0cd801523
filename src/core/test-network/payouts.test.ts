import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { insertRows } from '../../../test/support/rows.ts'
import { cardOf, cards, dayMs, minuteMs, openTill, type Till } from '../../../test/support/till.ts'
import { createMerchant } from '../merchants/create-merchant.ts'
import type { PayoutReports, ReportedLine, ReportedPayout } from '../networks/payout-reports.ts'
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

test('a fee is 1.4 % plus 20, a fifth of it tax', () => {
  assert.deepEqual(feeOf(10_000n), { feeMinor: 160n, taxMinor: 32n })
})

test('payments are paid out once after midnight, and reach the bank two minutes later', async () => {
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

test('a lost dispute and its fee are deducted from a later payout, and a negative balance is not paid out', async () => {
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

/** A payout whose amount ends in these two digits, made now. */
async function payoutEndingIn(digits: string): Promise<void> {
  const payout = { merchant_id: merchantId, reference: `tp_${digits}`, currency: 'GBP' }
  const amount_minor = BigInt(`10${digits}`)
  await insertRows(till.db, 'test_network.payouts', [{ ...payout, amount_minor, made_at: till.paying.now() }])
}

for (const [digits, times] of [
  ['12', ['announced', 'on_its_way', 'arrived', 'arrived']],
  ['13', ['announced', 'on_its_way', 'failed account_closed', 'failed account_closed']],
  ['14', ['announced', 'on_its_way', 'arrived', 'failed returned_by_bank']],
] as const)
  test(`a payout whose amount ends in ${digits} is ${times.join(', then ')}`, async () => {
    await payoutEndingIn(digits)
    const state = async (): Promise<string> => {
      const [payout] = await list()
      return [payout?.status, payout?.failure].filter((word) => word !== undefined).join(' ')
    }
    const seen: string[] = [await state()]
    for (let minute = 1; minute < times.length; minute += 1) {
      till.forward(minuteMs - 1)
      assert.equal(await state(), times[minute - 1], 'a millisecond before')
      till.forward(1)
      seen.push(await state())
    }
    assert.deepEqual(seen, times)
    const isBack = times.at(-1)?.startsWith('failed') === true
    const balance = isBack ? [{ currency: 'GBP', amountMinor: BigInt(`10${digits}`) }] : []
    assert.deepEqual(await reports.balance?.(never), balance, 'what failed is with the network again')
  })

test('a dispute takes the money with a fee when it is opened, and one that is won gives it back without the fee', async () => {
  await pay(cardOf('4000 0000 0000 2685'))
  const booked = async (): Promise<string[]> => {
    const lines = await Array.fromAsync(reports.bookings?.(longAgo, never) ?? [])
    return lines.map(({ type, grossMinor, feeMinor }) => `${type} ${grossMinor} ${feeMinor}`)
  }
  const charge = `charge 123450 ${feeOf(123_450n).feeMinor}`
  for (const [ms, lines] of [
    [4_999, [charge]],
    [1, [charge, 'dispute -123450 1500']],
    [59_999, [charge, 'dispute -123450 1500']],
    [1, [charge, 'dispute -123450 1500', 'dispute_won 123450 0']],
  ] as const) {
    till.forward(ms)
    assert.deepEqual(await booked(), lines)
  }
})

test('a payout holds what was booked before midnight, by currency, and lines say when they could be paid out', async () => {
  await pay()
  const [line = assert.fail()] = await Array.fromAsync(reports.bookings?.(longAgo, never) ?? [])
  const midnight = Math.floor(till.paying.now().getTime() / dayMs) * dayMs + dayMs
  assert.equal(line.availableAt.getTime(), midnight)
  till.forward(midnight - till.paying.now().getTime() - 1)
  assert.equal((await list()).length, 0)
  till.forward(1)
  const [payout = assert.fail()] = await list()
  assert.equal(payout.arrivesOn, new Date(midnight + 2 * minuteMs).toISOString().slice(0, 10))
  assert.match(payout.bankReference ?? '', /^TEST-[0-9A-F]{8}$/)
})

test('two simultaneous payout runs pay once', async () => {
  await pay()
  till.forward(1)
  await Promise.allSettled([
    till.network.payOutNow?.(merchantId),
    till.network.payOutNow?.(merchantId),
    till.network.payOutNow?.(merchantId),
  ])
  assert.equal((await list()).length, 1)
})
