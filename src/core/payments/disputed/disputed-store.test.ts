import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  attemptRow,
  insertRows,
  openTwoMerchants,
  paymentNumber,
  paymentRow,
  storedRows,
  type TwoMerchants,
} from '../../../../test/support/rows.ts'
import { inTransaction } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'
import type { AttemptRow } from '../attempts/attempt-store.ts'
import { lockPayment } from '../store.ts'
import { findByCharge, findPaidBack, listOfPayment, setDispute } from './disputed-store.ts'

let merchants: TwoMerchants
const numbers = [paymentNumber(2), paymentNumber(1)] as const
const [second, first] = numbers
const attemptNumbers = [6, 5, 4, 3, 2, 1] as const

// Written backwards, so that what is read in order was put in order. The sixth attempts share no reference.
before(async () => {
  merchants = await openTwoMerchants()
  const { db, own, other } = merchants
  const payments = [own, other].flatMap((merchant_id) => numbers.map((number) => ({ merchant_id, number })))
  await insertRows(
    db,
    'payments',
    payments.map((payment) => paymentRow({ ...payment, state: 'success' })),
  )
  await insertRows(
    db,
    'attempts',
    payments.flatMap((payment) =>
      attemptNumbers.map((attempt) =>
        attemptRow({
          ...payment,
          attempt,
          state: 'declined',
          charge_reference: attempt === 6 ? `alone-${payment.number}` : 'shared',
        }),
      ),
    ),
  )
})
after(() => merchants.close())

function attemptNames(rows: readonly AttemptRow[]): unknown[] {
  return rows.map((row) => [row.merchant_id, row.number, row.attempt])
}

test('a dispute is recorded on its own payment only', async () => {
  const { db } = merchants
  for (const [own, other] of merchants.both) {
    const rows = await storedRows(db, 'payments', other)
    const written = await inTransaction(db, async (tx) => {
      const payment = await lockPayment(tx, { merchantId: own, number: first })
      assert.ok(payment)
      return setDispute(tx, payment, '{"id":"dsp_1"}')
    })
    assert.equal(written.dispute, '{"id":"dsp_1"}')
    const disputed = await db.query(sql`
      select number from payments where merchant_id = ${own} and dispute is not null`)
    assert.deepEqual(disputed, [{ number: first }])
    assert.deepEqual(await storedRows(db, 'payments', other), rows)
  }
})

test('attempts are found by charge or payment, for their merchant, in order, ten at most', async () => {
  const { db } = merchants
  for (const [own] of merchants.both) {
    const charged = async (reference: string): Promise<unknown[]> =>
      attemptNames(await findByCharge(db, own, reference))
    const inOrder = (number: string): unknown[] =>
      attemptNumbers.toReversed().map((attempt) => [own, number, attempt])
    assert.deepEqual(await charged('shared'), [...inOrder(first).slice(0, 5), ...inOrder(second).slice(0, 5)])
    assert.deepEqual(await charged(`alone-${second}`), [[own, second, 6]])
    assert.deepEqual(await charged('nobody’s'), [])
    await insertRows(db, 'attempts', [
      attemptRow({
        merchant_id: own,
        number: second,
        attempt: 7,
        state: 'declined',
        charge_reference: 'shared',
      }),
    ])
    assert.equal((await charged('shared')).length, 10)
    assert.deepEqual(
      attemptNames(await listOfPayment(db, { merchantId: own, number: first })),
      inOrder(first),
    )
  }
})

test('paid and refunded amounts are read for one merchant’s payments', async () => {
  const { db } = merchants
  for (const [own, other] of merchants.both) {
    await db.query(sql`update payments set refunded_minor = 7 where merchant_id = ${own}`)
    await db.query(sql`update payments set refunded_minor = 8 where merchant_id = ${other}`)
    const found = await findPaidBack(db, own, [first, paymentNumber(9)])
    assert.deepEqual(
      found.map(({ number, refunded_minor }) => [number, refunded_minor]),
      [[first, 7n]],
    )
  }
})
