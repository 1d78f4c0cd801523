import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTill, type Till } from '../../test/support/till.ts'
import { sql } from '../database/sql.ts'
import { Refusal } from '../errors/refusals.ts'
import { bySystem } from '../merchants/audit/audit.ts'
import { cancelPayment } from './cancel-payment.ts'
import { paymentStates, type PaymentState } from './state-machine.ts'
import type { PaymentKey } from './store.ts'

let till: Till
before(async () => {
  till = await openTill()
})
after(() => till.close())

async function newPayment(state: PaymentState): Promise<PaymentKey> {
  const { merchantId, number } = await till.newPayment()
  await till.db.query(sql`
    update payments set state = ${state}, refunded_minor = ${state === 'refunded' ? sql`amount_minor` : sql`0`}
    where merchant_id = ${merchantId} and number = ${number}`)
  return { merchantId, number }
}

const entriesOf = async (subject: string) =>
  till.db.query(sql`
    select action, actor, before, after from audit_log
    where merchant_id = ${till.merchantId} and subject = ${subject}`)

const gone = (word: string): string => `This payment ${word} and can no longer be cancelled`
const reasons: Readonly<Record<PaymentState, string | undefined>> = {
  pending: undefined,
  success: gone('was paid'),
  failed: gone('failed'),
  cancelled: 'This payment was cancelled before',
  expired: gone('expired'),
  refunded: gone('was refunded'),
  reversed: gone('was reversed'),
}

test('a merchant cancels what is pending; of everything else it is told why not, and nothing changes', async () => {
  for (const state of paymentStates) {
    const key = await newPayment(state)
    const payment = await till.read(key)
    const refused = await cancelPayment(till.paying, key, bySystem).then(
      ({ state: now }) => assert.equal(now, 'cancelled'),
      (error: unknown) => error,
    )
    assert.equal(refused instanceof Refusal ? refused.message : undefined, reasons[state], state)
    const entries = await entriesOf(payment.tx_ref)
    if (state === 'pending') {
      assert.equal((await till.read(key)).state, 'cancelled')
      assert.deepEqual(entries, [
        {
          action: 'payment.cancelled',
          actor: 'florin',
          before: { mode: 'test', state: 'pending' },
          after: { mode: 'test', state: 'cancelled' },
        },
      ])
    } else {
      assert.deepEqual(await till.read(key), payment)
      assert.deepEqual(entries, [])
    }
  }
})

test('a customer cancels twice without harm, and no entry says that the merchant did', async () => {
  for (const state of paymentStates) {
    const key = await newPayment(state)
    const { tx_ref: txRef } = await till.read(key)
    const refused = await cancelPayment(till.paying, key, 'customer').then(
      ({ state: now }) => assert.equal(now, 'cancelled'),
      (error: unknown) => error,
    )
    const reason = state === 'cancelled' ? undefined : reasons[state]
    assert.equal(refused instanceof Refusal ? refused.message : undefined, reason, state)
    assert.deepEqual(await entriesOf(txRef), [])
  }
})

test('history tells who cancelled', async () => {
  for (const [by, event] of [
    ['customer', 'cancelled_by_customer'],
    [bySystem, 'cancelled_by_merchant'],
  ] as const) {
    const key = await newPayment('pending')
    await cancelPayment(till.paying, key, by)
    const history = await till.db.query(sql`
      select event from payment_history where merchant_id = ${key.merchantId} and number = ${key.number}`)
    assert.deepEqual(history.at(-1), { event })
  }
})
