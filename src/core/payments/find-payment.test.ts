import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTill, type Till } from '../../../test/support/till.ts'
import { newPayment } from '../../../test/support/twins.ts'
import type { Caller } from '../merchants/authenticate.ts'
import type { PaymentRequest } from './api/read-payment.ts'
import { startedBefore } from './api/started-before.ts'
import { insertPayments } from './create-store.ts'
import { findPayments, makeFindPayment } from './find-payment.ts'
import type { PaymentRow } from './store.ts'

let till: Till
let payment: PaymentRow
before(async () => {
  till = await openTill()
  payment = await till.read(await till.newPayment())
})
after(() => till.close())

test('a payment is found by tx_ref in its own mode only, and odd input finds nothing', async () => {
  const find = makeFindPayment(till.db)
  assert.equal((await find(till.merchantId, 'test', payment.tx_ref)).number, payment.number)
  const notFound = { code: 'not_found', message: 'Transaction not found' }
  await assert.rejects(find(till.merchantId, 'live', payment.tx_ref), notFound)
  for (const odd of ['', 'gone', `${payment.tx_ref}\0`, '\ud800', 'x'.repeat(510), 'x'.repeat(511)])
    await assert.rejects(find(till.merchantId, 'test', odd), notFound, odd.slice(0, 9))
})

test('the longest tx_ref is counted in characters as people count them', async () => {
  const longest = '🙂'.repeat(255)
  const row = newPayment({ merchant_id: till.merchantId, number: '7'.repeat(24), tx_ref: longest })
  await insertPayments(till.db, till.merchantId, [row])
  assert.equal((await makeFindPayment(till.db)(till.merchantId, 'test', longest)).number, row.number)
})

test('the existing ones among many tx_refs are found', async () => {
  const other = await till.read(await till.newPayment())
  const found = await findPayments(till.db, till.merchantId, 'test', [other.tx_ref, 'gone', payment.tx_ref])
  assert.deepEqual([...found.keys()].toSorted(), [other.tx_ref, payment.tx_ref].toSorted())
  assert.equal(found.get(payment.tx_ref)?.number, payment.number)
  assert.equal((await findPayments(till.db, till.merchantId, 'test', [])).size, 0)
})

test('a resent form leads to its own payment, never to someone else’s', async () => {
  const caller = { merchant: { id: till.merchantId }, mode: 'test' } as Caller
  const request = {
    txRef: payment.tx_ref,
    amountMinor: payment.amount_minor,
    currency: payment.currency,
    email: payment.email,
    firstName: payment.first_name,
    lastName: payment.last_name,
  } as PaymentRequest
  const again = async (changes: Partial<PaymentRequest> = {}): Promise<unknown> =>
    startedBefore(makeFindPayment(till.db), caller, { ...request, ...changes }, 'http://pay.example')
  assert.deepEqual(await again(), {
    state: 'pending',
    checkoutUrl: `http://pay.example/payment/${till.merchantId}${payment.number}`,
  })
  for (const changes of [
    { txRef: 'gone' },
    { amountMinor: payment.amount_minor + 1n },
    { currency: 'EUR' },
    { email: 'bob@example.com' },
    { firstName: 'Bob' },
    { lastName: 'Bobson' },
  ])
    assert.equal(await again(changes), undefined, JSON.stringify(Object.keys(changes)))
  const broken = startedBefore(
    async () => {
      throw new Error('No database')
    },
    caller,
    request,
    '',
  )
  await assert.rejects(broken, /No database/)
})
