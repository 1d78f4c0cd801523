import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { openTill, type Till } from '../../../test/support/till.ts'
import { inTransaction } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import { listHistory } from './history-store.ts'
import type { PaymentEvent, PaymentState } from './state-machine.ts'
import { lockPayments, type PaymentKey, type PaymentRow } from './store.ts'
import { customerOf, transition, transitionAll } from './transition.ts'

let till: Till
before(async () => {
  till = await openTill()
})
after(() => till.close())

/** Moves payments in one commit; says of each whether it moved, and the state that it is in. */
async function move(
  ...moves: readonly (readonly [PaymentKey, PaymentEvent])[]
): Promise<[boolean, PaymentState][]> {
  return inTransaction(till.db, async (tx) => {
    const numbers = moves.map(([{ number }]) => number)
    const locked = await lockPayments(tx, till.merchantId, numbers)
    const changes = moves.flatMap(([{ number }, event]) => {
      const payment = locked.get(number)
      return payment ? [{ payment, event }] : []
    })
    const results = await transitionAll(till.paying, tx, till.merchantId, changes)
    return results.map(({ moved, payment }): [boolean, PaymentState] => [moved, payment.state])
  })
}

const eventsOf = async (key: PaymentKey): Promise<string[]> =>
  (await listHistory(till.db, key)).map(({ event }) => event)

async function announced({ number }: PaymentKey): Promise<string[]> {
  const rows = await till.db.query<{ event: string }>(sql`
    select distinct event from deliveries
    where merchant_id = ${till.merchantId} and number = ${number} order by event`)
  return rows.map(({ event }) => event)
}

test('a forbidden move changes nothing, and each is reported', async () => {
  const [one, other] = [await till.newPayment(), await till.newPayment()]
  assert.deepEqual(await move(), [])
  assert.deepEqual(await move([one, 'refunded_in_full'], [other, 'reversed_by_bank']), [
    [false, 'pending'],
    [false, 'pending'],
  ])
  assert.deepEqual([await eventsOf(one), await announced(one)], [[], []])
  const { payment } = await inTransaction(till.db, async (tx) => {
    const locked = (await lockPayments(tx, till.merchantId, [one.number])).get(one.number)
    assert.ok(locked)
    return transition(till.paying, tx, locked, 'given_back_by_bank')
  })
  assert.equal(payment.state, 'pending')
})

test('payments in one commit each move as allowed, in the requested order', async () => {
  const payments = [await till.newPayment(), await till.newPayment(), await till.newPayment('live')] as const
  const [one, other, live] = payments
  const countedBefore = till.counted().length
  assert.deepEqual(await move([other, 'paid'], [one, 'refunded_in_full'], [live, 'ran_out_of_time']), [
    [true, 'success'],
    [false, 'pending'],
    [true, 'expired'],
  ])
  // Listeners of a commit do their work in the turn after it.
  await setImmediate()
  assert.deepEqual(till.counted().slice(countedBefore), ['test success', 'live expired'])
  const told = await Promise.all(payments.map(announced))
  assert.deepEqual(told, [[], ['payment.success'], ['payment.expired']])
  assert.deepEqual(await Promise.all(payments.map(eventsOf)), [[], ['paid'], ['ran_out_of_time']])
})

test('a rolled-back move isn’t counted', async () => {
  const payment = await till.newPayment()
  const countedBefore = till.counted().length
  const undone = inTransaction(till.db, async (tx) => {
    const locked = (await lockPayments(tx, till.merchantId, [payment.number])).get(payment.number)
    assert.ok(locked)
    assert.equal((await transition(till.paying, tx, locked, 'paid')).moved, true)
    throw new Error('not to be')
  })
  await assert.rejects(undone, /not to be/)
  await setImmediate()
  assert.deepEqual([till.counted().length - countedBefore, await eventsOf(payment)], [0, []])
})

test('an e-mail about a payment has its existing details and no others', async () => {
  const plain = await till.read(await till.newPayment())
  const bare = {
    email: plain.email,
    firstName: plain.first_name,
    language: null,
    amountMinor: plain.amount_minor,
    refundedMinor: 0n,
    currency: plain.currency,
    reference: plain.reference,
    txRef: plain.tx_ref,
    receiptUrl: `http://pay.example/payment/${till.merchantId}${plain.number}`,
  }
  const without: PaymentRow = { ...plain, title: null, invoice_number: null, items: null }
  assert.deepEqual(customerOf(without, 'http://pay.example'), bare)
  const items = [
    { name: 'A', quantity: 3, unit_minor: '400', tax_rate: '20' },
    { name: 'B', quantity: 1, unit_minor: '-100' },
  ]
  const whole: PaymentRow = {
    ...plain,
    title: 'Chairs',
    invoice_number: 'INV-7',
    items: JSON.stringify(items),
  }
  const paidWith = { network: 'bank', method: null, card: null }
  assert.deepEqual(customerOf(whole, 'http://pay.example', paidWith), {
    ...bare,
    title: 'Chairs',
    invoiceNumber: 'INV-7',
    items: [
      { name: 'A', quantity: 3, totalMinor: '1200' },
      { name: 'B', quantity: 1, totalMinor: '-100' },
    ],
    taxes: [{ rate: '20', taxMinor: '200' }],
    paidWith,
  })
})
