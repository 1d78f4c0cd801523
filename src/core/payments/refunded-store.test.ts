import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  insertRows,
  openTwoMerchants,
  paymentNumber,
  paymentRow,
  type TwoMerchants,
} from '../../../test/support/rows.ts'
import { inTransaction, type Transaction } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import { addRefunded, countRequest } from './refunded-store.ts'
import { lockPayment, type LockedPayment } from './store.ts'

let merchants: TwoMerchants
const numbers = [paymentNumber(1), paymentNumber(2)] as const
before(async () => {
  merchants = await openTwoMerchants()
  const { db, own, other } = merchants
  await insertRows(
    db,
    'payments',
    [own, other].flatMap((merchant_id) =>
      numbers.map((number) => paymentRow({ merchant_id, number, state: 'success' })),
    ),
  )
})
after(() => merchants.close())

async function withLocked<T>(
  merchantId: number,
  number: string,
  work: (tx: Transaction, payment: LockedPayment) => Promise<T>,
): Promise<T> {
  return inTransaction(merchants.db, async (tx) => {
    const payment = await lockPayment(tx, { merchantId, number })
    assert.ok(payment)
    return work(tx, payment)
  })
}

/** Of each merchant's first and second payment: how many refunds, and how much went back. */
async function refundedOf(merchantId: number): Promise<unknown[]> {
  return merchants.db.query(sql`
    select refunds, refunded_minor from payments where merchant_id = ${merchantId} order by number`)
}

test('refunds are counted and summed only on their own payment', async () => {
  const nothing = { refunds: 0, refunded_minor: 0n }
  for (const [own] of merchants.both) {
    assert.deepEqual(await refundedOf(own), [nothing, nothing])
    const [first, second] = numbers
    const count = async (number: string): Promise<number> => withLocked(own, number, countRequest)
    const add = async (number: string, amount: bigint): Promise<bigint> => {
      const row = await withLocked(own, number, async (tx, payment) => addRefunded(tx, payment, amount))
      assert.deepEqual([row.merchant_id, row.number], [own, number])
      return row.refunded_minor
    }
    assert.deepEqual([await count(first), await count(first), await count(second)], [1, 2, 1])
    assert.deepEqual(
      [await add(first, 700n), await add(second, 50n), await add(first, -200n)],
      [700n, 50n, 500n],
    )
    assert.deepEqual(await refundedOf(own), [
      { refunds: 2, refunded_minor: 500n },
      { refunds: 1, refunded_minor: 50n },
    ])
  }
})
