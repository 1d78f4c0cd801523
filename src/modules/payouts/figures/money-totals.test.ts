import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { feedRow, lineRow, livePayment } from '../../../../test/support/payout-rows.ts'
import {
  insertRows,
  openTwoMerchants,
  paymentNumber,
  type TwoMerchants,
} from '../../../../test/support/rows.ts'
import { inTransaction } from '../../../platform/database/database.ts'
import { readNotReported } from '../../../core/payments/daily-totals/not-reported.ts'
import { bookLines } from '../ask/book-lines.ts'
import { rebuildLineSums } from '../rebuild-sums.ts'
import { readMissingFees, readMoney } from './money-totals.ts'

let two: TwoMerchants
before(async () => {
  two = await openTwoMerchants()
  // 1, 2, 4 and 28 minor units, around the midnights of zones that are off by half and three quarters of an hour.
  const fees = ['18:14:59', '18:15:00', '18:30:00', '23:59:59'].map((at, place) => ({
    reference: at,
    booked_at: `2026-11-02T${at}Z`,
    fee_minor: BigInt(2 ** place),
    tax_minor: place === 3 ? 20n : 0n,
    kind: place === 3 ? 'dispute' : 'payment',
  }))
  const paid = (place: number, at: string, more: object = {}) => ({
    number: paymentNumber(place),
    state: 'success',
    amount_minor: 1_531n,
    paid_at: `2026-11-02T${at}Z`,
    paid_with: `{"network":"bank-${place}"}`,
    ...more,
  })
  const payments = [
    paid(1, '18:14:59'),
    paid(2, '18:15:00', { state: 'refunded', refunded_minor: 1_531n }),
    paid(3, '18:30:00', { state: 'reversed', currency: 'GBP' }),
    paid(4, '18:30:00', { booked: true }),
    { ...paid(5, '18:30:00'), state: 'pending' },
    paid(6, '18:30:00', { mode: 'test' }),
  ]
  for (const merchant_id of [two.own, two.other]) {
    await insertRows(two.db, 'payout_feeds', [feedRow({ merchant_id })])
    await insertRows(two.db, 'payout_lines', [
      ...fees.map((fee) => lineRow({ merchant_id, ...fee })),
      lineRow({ merchant_id, reference: 'test', mode: 'test', booked_at: '2026-11-02T18:30:00Z' }),
    ])
    await insertRows(
      two.db,
      'payments',
      payments.map((payment) => livePayment({ merchant_id, ...payment })),
    )
    await rebuildLineSums(two.db, merchant_id)
  }
})
after(() => two.close())

const of = (timeZone: string, from = '2026-11-01', to = '2026-11-04') =>
  ({ merchantId: two.own, mode: 'live', timeZone, from, to }) as const

for (const [timeZone, fees] of [
  ['UTC', [0n, 35n, 0n, 0n]],
  ['Asia/Kathmandu', [0n, 1n, 34n, 0n]],
  ['Asia/Kolkata', [0n, 3n, 32n, 0n]],
  ['Pacific/Kiritimati', [0n, 0n, 35n, 0n]],
] as const)
  test(`fees with their tax count on the day of their booking in ${timeZone}`, async () => {
    const [euros, ...more] = await readMoney(two.db, of(timeZone))
    assert.deepEqual([euros?.currency, more], ['EUR', []])
    assert.deepEqual(
      euros?.days.map(({ networkFeesMinor }) => networkFeesMinor),
      fees,
    )
    assert.equal(
      euros.days.reduce((sum, { feeTaxMinor }) => sum + feeTaxMinor, 0n),
      20n,
    )
  })

test('paid payments without a booking are counted and named, on the days they were paid', async () => {
  const missing = (networks: string[], currency: string, payments: number) => ({
    currency,
    networks,
    payments,
    amountMinor: BigInt(payments) * 1_531n,
    isWhole: true,
  })
  assert.deepEqual(await readMissingFees(two.db, of('UTC')), [
    missing(['bank-1', 'bank-2'], 'EUR', 2),
    missing(['bank-3'], 'GBP', 1),
  ])
  assert.deepEqual(await readMissingFees(two.db, of('Asia/Kathmandu', '2026-11-01', '2026-11-02')), [
    missing(['bank-1'], 'EUR', 1),
  ])
  const all = { ...of('UTC'), from: '2026-11-01T00:00:00Z', to: '2026-12-01T00:00:00Z' }
  assert.deepEqual(
    (await readNotReported(two.db, all, 2)).map(({ payments, isWhole }) => [payments, isWhole]),
    [
      [1, false],
      [1, false],
    ],
  )
})

test('a payment’s fees are reported once its network has booked it, not by the booking of its refund', async () => {
  const [number, other] = [paymentNumber(1), paymentNumber(2)]
  const line = { type: 'x', currency: 'EUR', grossMinor: 1n, feeMinor: 1n, taxMinor: 0n }
  const at = { bookedAt: new Date('2026-11-03'), availableAt: new Date('2026-11-03') }
  const lines = [
    { ...line, ...at, kind: 'payment', reference: 'new', paymentNumber: number },
    { ...line, ...at, kind: 'refund', reference: 'back', paymentNumber: other },
  ] as const
  const feed = { merchant_id: two.own, account_id: 'acc_stripe', connector: 'stripe', mode: 'live' }
  for (let times = 0; times < 2; times += 1)
    await inTransaction(two.db, async (tx) => bookLines(tx, feed as never, lines, null))
  const [euros] = await readMissingFees(two.db, of('UTC'))
  assert.deepEqual(euros?.networks, ['bank-2'])
  const others = await readMissingFees(two.db, { ...of('UTC'), merchantId: two.other })
  assert.deepEqual(others[0]?.networks, ['bank-1', 'bank-2'])
})
