import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { insertRows, paymentNumber, paymentRow, type Values } from '../../../test/support/rows.ts'
import { openTill, type Till } from '../../../test/support/till.ts'
import { createMerchant } from '../../merchants/create-merchant.ts'
import { makeSumList } from './list-totals.ts'

let till: Till
before(async () => {
  till = await openTill()
})
after(() => till.close())

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
    { ...paid, refunded_minor: 50n },
    { state: 'failed' },
    { ...paid, currency: 'JPY', amount_minor: 500n, charge_minor: 7n },
    { ...paid, mode: 'live' },
  )
  const sum = makeSumList(till.db)
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

test('too many payments to count are refused with advice, and so is a third count at once', async () => {
  const merchantId = await shopWith({}, {}, {})
  const filter = { merchantId, mode: 'test' } as const
  await assert.rejects(makeSumList(till.db, 2)(filter), {
    code: 'validation_failed',
    message: 'totals covers at most 2 payments: narrow the list with created_from and created_to',
  })
  const sum = makeSumList(till.db, 3)
  const asked = await Promise.allSettled([sum(filter), sum(filter), sum(filter)])
  assert.deepEqual(
    asked.map(({ status }) => status),
    ['fulfilled', 'fulfilled', 'rejected'],
  )
  assert.equal((await sum(filter)).length, 1, 'and then again')
})
