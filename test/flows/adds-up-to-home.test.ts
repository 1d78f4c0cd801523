import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { bySystem } from '../../src/core/audit/audit.ts'
import { inTransaction } from '../../src/platform/database/database.ts'
import { sql } from '../../src/platform/database/sql.ts'
import { openDispute, recordAnswer } from '../../src/modules/disputes/record-answer.ts'
import { findDispute } from '../../src/modules/disputes/find-dispute.ts'
import { addDays, dayAt } from '../../src/core/merchants/brand/end-of-day.ts'
import { enableCurrency } from '../../src/core/merchants/create-merchant.ts'
import { netOf } from '../../src/platform/money/money-words.ts'
import { lockPayment, type PaymentKey } from '../../src/core/payments/store.ts'
import { transition } from '../../src/core/payments/transition.ts'
import { lookNow } from '../../src/modules/payouts/ask/look-now.ts'
import { exportPeriod } from '../../src/modules/payouts/bookkeeping/export.ts'
import { moneyOf, readMoney, sumMoney } from '../../src/modules/payouts/figures/money-totals.ts'
import { rebuildLineSums } from '../../src/modules/payouts/rebuild-sums.ts'
import { rebuildTotals } from '../../src/core/payments/daily-totals/rebuild-totals.ts'
import { applyStatus } from '../../src/modules/refunds/apply-status.ts'
import { requestRefund } from '../../src/modules/refunds/request-refund.ts'
import { recounts } from '../../src/app/modules.ts'
import { openHouse, type House } from '../support/house.ts'
import { createPayment } from '../support/pay.ts'
import { paidPayment, refundingOf } from '../support/refunds.ts'
import { readCsv } from '../support/read-csv.ts'
import { cards } from '../support/till.ts'

// The file of movements against Home: every column adds up to Home's figure, for each period, currency and time zone.

let house: House
before(async () => {
  house = await openHouse({ settings: { RATE_LIMIT_BURST: '1000' } })
  for (const currency of ['EUR', 'JPY']) await enableCurrency(house.db, house.merchantId, currency)
})
after(() => house.close())

let drawn = 0

async function refundSome(key: PaymentKey, amountMinor: bigint, bounces = false): Promise<void> {
  const refunding = refundingOf(house.app)
  const payment = await inTransaction(house.db, async (tx) => lockPayment(tx, key))
  assert.ok(payment)
  drawn += 1
  const asked = { refundRef: `back-${drawn}`, amountMinor, reason: undefined }
  const { refund } = await requestRefund(refunding, payment, asked, bySystem)
  const of = { ...key, id: refund.id }
  const connector = 'test_network'
  await applyStatus(refunding, of, { kind: 'succeeded', refundReference: `r-${refund.id}`, connector })
  if (bounces)
    await applyStatus(refunding, of, { kind: 'failed', reason: 'expired_or_canceled_card', connector })
}

/** `won`: the bank gives the money back afterwards. */
async function dispute({ merchantId, number }: PaymentKey, amountMinor: bigint, won = false): Promise<void> {
  const reference = `dp_${number}`
  const status = {
    kind: 'under_review',
    moneyTaken: true,
    disputeReference: reference,
    chargeReference: reference,
    money: { amountMinor, currency: 'GBP' },
    reason: 'fraudulent',
  } as const
  const asked = { merchantId, connector: 'test', accountId: 'test', reference }
  await openDispute(house.app.paying, { asked, number, status })
  if (!won) return
  const [row] = await house.db.query<{ id: string }>(sql`
    select id from disputes where merchant_id = ${merchantId} and reference = ${reference}`)
  const opened = await findDispute(house.db, { merchantId, mode: 'test', id: row?.id ?? '' })
  const news = { ...status, kind: 'won', moneyTaken: false } as const
  await recordAnswer(house.app.paying, opened, { ask: 2, status: news })
}

async function payLate(): Promise<void> {
  const key = await createPayment(house, { amount: '31.00' })
  await inTransaction(house.db, async (tx) => {
    const payment = await lockPayment(tx, key)
    assert.ok(payment)
    const { payment: expired } = await transition(house.app.paying, tx, payment, 'ran_out_of_time')
    await transition(house.app.paying, tx, expired, 'paid')
  })
}

/** One story of each kind, with amounts that tell them apart. */
async function storiesHappen(): Promise<void> {
  const paid = async (amount: string, currency = 'GBP') => paidPayment(house, 'good', { amount, currency })
  await paid('1000.00')
  await paid('200.00', 'EUR')
  await refundSome(await paid('3000', 'JPY'), 1_000n)
  await refundSome(await paid('40.00'), 4_000n)
  const partly = await paid('50.00')
  await refundSome(partly, 500n)
  await refundSome(partly, 700n, true)
  await refundSome(await paid('60.00'), 6_000n, true)
  await dispute(await paid('70.00'), 7_000n)
  const both = await paid('80.00')
  await refundSome(both, 3_000n)
  await dispute(both, 5_000n)
  await dispute(await paid('90.00'), 2_500n, true)
  await payLate()
  const never = await createPayment(house, { amount: '9.99' })
  await house.app.payer.pay({ ...never, mode: 'test' }, cards.declined)
  await lookNow(house.app.paying, { merchantId: house.merchantId, mode: 'test' })
}

/** Each thing that happened is moved into the past, to another time of another day, as far as its number says. */
async function spreadOverDays(): Promise<void> {
  const by = (place: string) => `interval '7 hours 13 minutes' * (${place})`
  const statements = [
    `update payments set paid_at = paid_at - ${by('right(number, 1)::integer')},
       updated_at = updated_at - ${by('right(number, 1)::integer')}`,
    `update payment_history set at = at - ${by('right(number, 1)::integer')}`,
    `update refunds set updated_at = updated_at - ${by('ascii(right(id, 1)) % 11')}`,
    `update refund_history set at = at - ${by('ascii(right(refund_id, 1)) % 11')}`,
    `alter table payout_lines disable trigger payout_lines_never_change`,
    `update payout_lines set booked_at = booked_at - ${by('ascii(right(reference, 1)) % 11')}`,
    `alter table payout_lines enable trigger payout_lines_never_change`,
  ]
  for (const text of statements) await house.db.query({ text, values: [], name: undefined })
}

type Sums = Record<string, Record<string, bigint>>
const names = ['gross', 'refunds', 'disputes', 'network_fees', 'net'] as const

async function onHome(timeZone: string, from: string, to: string): Promise<Sums> {
  const { merchantId, db } = house
  const totals = await readMoney(db, { merchantId, mode: 'test', timeZone, from, to })
  const sums = totals.map(({ currency, days }): [string, Record<string, bigint>] => {
    const money = moneyOf(sumMoney(days))
    const { grossMinor: gross, refundsMinor: refunds, disputesMinor: disputes, networkFeesMinor } = money
    return [currency, { gross, refunds, disputes, network_fees: networkFeesMinor, net: netOf(money) }]
  })
  return Object.fromEntries(sums.filter(([, sum]) => Object.values(sum).some((minor) => minor !== 0n)))
}

async function inFile(timeZone: string, from: string, to: string, currency = ''): Promise<Sums> {
  const { merchantId, db } = house
  const period = { merchantId, mode: 'test', timeZone, from, to, currency } as const
  const { pieces } = await exportPeriod(db, 'movements', period, { by: bySystem, now: new Date() })
  const text = Buffer.concat(await Array.fromAsync(pieces)).toString()
  const [head = [], ...rows] = readCsv(text)
  const sums: Sums = {}
  for (const row of rows) {
    const cell = (name: string): string => row[head.indexOf(name)] ?? ''
    assert.ok(cell('date') >= from && cell('date') <= to, `${cell('date')} is in the period`)
    const sum = (sums[cell('currency')] ??= Object.fromEntries(names.map((name) => [name, 0n])))
    for (const name of names) sum[name] = (sum[name] ?? 0n) + BigInt(cell(name).replace('.', ''))
  }
  return sums
}

const zones = ['UTC', 'Asia/Kolkata', 'Asia/Kathmandu', 'America/St_Johns', 'Pacific/Kiritimati'] as const

async function compare(timeZone: string): Promise<void> {
  const today = dayAt(new Date(), timeZone)
  for (const [from, to] of [
    ...[0, 1, 2, 3, 4].map((back) => [addDays(today, -back), addDays(today, -back)]),
    [addDays(today, -2), addDays(today, -1)],
    [addDays(today, -30), addDays(today, 1)],
  ] as [string, string][]) {
    const wanted = await onHome(timeZone, from, to)
    assert.deepEqual(await inFile(timeZone, from, to), wanted, `${timeZone}, ${from} to ${to}`)
    for (const currency of ['GBP', 'EUR', 'JPY'])
      assert.deepEqual(
        (await inFile(timeZone, from, to, currency))[currency],
        wanted[currency],
        `${timeZone}, ${from} to ${to}, ${currency}`,
      )
  }
}

test('the file of movements adds up to Home as things happen', async () => {
  await storiesHappen()
  await compare('UTC')
  const day = dayAt(new Date(), 'UTC')
  const { GBP: pounds } = await inFile('UTC', addDays(day, -1), day)
  assert.deepEqual(
    [pounds?.['gross'], pounds?.['refunds'], pounds?.['disputes']],
    [142_100n, 7_500n, 12_000n],
  )
  assert.ok((pounds?.['network_fees'] ?? 0n) > 0n)
})

test('the file of movements adds up to Home for every period, currency and time zone', async () => {
  await spreadOverDays()
  await rebuildTotals(house.db, house.merchantId, recounts)
  await rebuildLineSums(house.db, house.merchantId)
  for (const zone of zones) await compare(zone)
})
