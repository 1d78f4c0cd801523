import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { cards, openTill, type Till } from '../../../../test/support/till.ts'
import type { DisputeStatus } from '../../networks/connector.ts'
import { sql } from '../../../platform/database/sql.ts'
import { findCharge } from './find-charge.ts'
import { listOfPayment } from './disputed-store.ts'

let till: Till
before(async () => {
  till = await openTill()
})
after(() => till.close())

/** What a network says of a dispute, as far as it helps to find the charge. */
function saying(chargeReference: string, order?: DisputeStatus['order']): DisputeStatus {
  return { chargeReference, ...(order && { order }) } as DisputeStatus
}

test('a disputed charge is found by its exact reference at its account, never by our ids alone', async () => {
  const payment = await till.newPayment()
  await till.payer.pay(payment, cards.good)
  const other = await till.newPayment()
  await till.payer.pay(other, cards.good)
  const [attempt] = await listOfPayment(till.db, payment)
  const [neighbour] = await listOfPayment(till.db, other)
  assert.ok(attempt?.connector_reference && neighbour?.connector_reference)
  const { merchantId, number: paymentNumber } = payment
  const at = { merchantId, connector: attempt.connector, accountId: attempt.account_id }
  const order = { merchantId, paymentNumber, idempotencyKey: attempt.idempotency_key }
  const found = { kind: 'found', number: paymentNumber }
  const notOurs = { kind: 'not_ours' }
  const find = async (reference: string, where = at, named = order) =>
    findCharge(till.db, where, saying(reference, named))

  assert.deepEqual(await find(attempt.connector_reference), found)
  assert.deepEqual(await find('another charge'), notOurs, 'the payment is named, the charge is not its own')
  assert.deepEqual(await find(neighbour.connector_reference), notOurs)
  assert.deepEqual(await find(attempt.connector_reference, { ...at, connector: 'stripe' }), notOurs)
  assert.deepEqual(await find(attempt.connector_reference, { ...at, accountId: 'acc_other' }), notOurs)

  const move = async (state: string): Promise<void> =>
    void (await till.db.query(sql`
      update attempts set state = ${state}, next_check_at = case when ${state} = 'declined' then null else started_at end
      where merchant_id = ${merchantId} and number = ${paymentNumber}`))
  await move('submitted')
  assert.deepEqual(await find(attempt.connector_reference), { kind: 'not_yet' })
  const renamed = { ...order, idempotencyKey: 'another key' }
  assert.deepEqual(await find(attempt.connector_reference, at, renamed), notOurs)
  await move('declined')
  assert.deepEqual(await find(attempt.connector_reference), notOurs, 'what was declined took no money')
})
