import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { insertRows, paymentNumber, paymentRow, type Values } from '../../../../test/support/rows.ts'
import { openTill, type Till } from '../../../../test/support/till.ts'
import { sql } from '../../../platform/database/sql.ts'
import { createMerchant } from '../../merchants/create-merchant.ts'
import { makeSumList } from './list-totals.ts'

let till: Till
before(async () => {
  till = await openTill()
})
after(() => till.close())

const fees = () => sql`select case found.currency when 'GBP' then 11 end`

async function shopWith(...payments: Values[]): Promise<number> {
  const merchant_id = await createMerchant(till.db, { name: 'Sums' })
  const rows = payments.map((payment, index) =>
    paymentRow({ merchant_id, number: paymentNumber(index + 1), ...payment }),
  )
  await insertRows(till.db, 'payments', rows)
  return merchant_id
}

test('a list is summed by currency and status, for the requested mode and filter', async () => {
  const paid = { state: 'success', amount_minor: 123_450n, charge_minor: 34n }
  const merchantId = await shopWith(
    paid,
    { ...paid, refunded_minor: 50n, booked: true },
    { state: 'failed' },
    { ...paid, currency: 'JPY', amount_minor: 500n, charge_minor: 7n },
    { ...paid, mode: 'live' },
  )
  const sum = makeSumList(till.db, fees)
  const pounds = {
    currency: 'GBP',
    status: 'success',
    count: 2,
    amount: '2,469.00',
    amount_minor: 246_900,
    charge: '0.68',
    charge_minor: 68,
    refunded: '0.50',
    refunded_minor: 50,
    gross: '2,469.00',
    gross_minor: 246_900,
    refunds: '0.50',
    refunds_minor: 50,
    disputes: '0.00',
    disputes_minor: 0,
    network_fees: '0.22',
    network_fees_minor: 22,
    net: '2,468.28',
    net_minor: 246_828,
    fees_not_reported_count: 1,
    fees_not_reported: '1,234.50',
    fees_not_reported_minor: 123_450,
  }
  const all = await sum({ merchantId, mode: 'test' })
  assert.deepEqual(
    all.map(({ currency, status, count, amount }) => [currency, status, count, amount]),
    [
      ['GBP', 'failed', 1, '10.00'],
      ['GBP', 'success', 2, '2,469.00'],
      ['JPY', 'success', 1, '500.00'],
    ],
  )
  assert.deepEqual(await sum({ merchantId, mode: 'test', state: 'success', currency: 'GBP' }), [pounds])
  assert.deepEqual(await sum({ merchantId, mode: 'test', txRef: 'none' }), [])
})

test('what a bank took is as much as the payment’s page says, and a payment that failed has no gross', async () => {
  const dispute = (facts: object) => ({ state: 'reversed', dispute: JSON.stringify(facts) })
  const merchantId = await shopWith(
    dispute({ money_taken: true, currency: 'GBP', amount_minor: 700, taken_minor: 700 }),
    dispute({ money_taken: true, currency: 'GBP', amount_minor: 40 }),
    dispute({ money_taken: true, currency: 'USD', amount_minor: 40 }),
    { state: 'failed' },
  )
  const sums = await makeSumList(till.db, fees)({ merchantId, mode: 'test' })
  assert.deepEqual(
    sums.map(({ status, gross_minor, disputes_minor, net_minor }) => [
      status,
      gross_minor,
      disputes_minor,
      net_minor,
    ]),
    [
      ['failed', 0, 0, -11],
      ['reversed', 3_000, 1_740, 1_227],
    ],
  )
})

test('too many payments to count are refused with advice, and so is a third count at once', async () => {
  const merchantId = await shopWith({}, {}, {})
  const filter = { merchantId, mode: 'test' } as const
  await assert.rejects(makeSumList(till.db, fees, 2)(filter), {
    code: 'validation_failed',
    message: 'totals covers at most 2 payments: narrow the list with created_from and created_to',
  })
  const sum = makeSumList(till.db, fees, 3)
  const asked = await Promise.allSettled([sum(filter), sum(filter), sum(filter)])
  assert.deepEqual(
    asked.map(({ status }) => status),
    ['fulfilled', 'fulfilled', 'rejected'],
  )
  assert.equal((await sum(filter)).length, 1, 'and then again')
})
