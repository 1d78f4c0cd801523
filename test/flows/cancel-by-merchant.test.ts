import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Payable } from '../../src/core/payments/attempts/pay.ts'
import { call, openHouse, post, type House } from '../support/house.ts'
import { paymentRequest } from '../support/payment-request.ts'

let house: House

before(async () => {
  house = await openHouse()
})
after(() => house.close())

type Made = { txRef: string; key: Payable }

async function make(): Promise<Made> {
  const request = paymentRequest()
  const created = await post(`${house.url}/api/payment`, request, house.secretKey)
  const url: string = created.json.data['checkout_url']
  const key: Payable = { merchantId: house.merchantId, number: url.slice(-24), mode: 'test' }
  return { txRef: String(request['tx_ref']), key }
}

async function cancel(txRef: string, key = house.secretKey): ReturnType<typeof call> {
  return call(`${house.url}/api/transaction/${txRef}/cancel`, { method: 'POST', key })
}

const card = {
  number: '4242424242424242',
  expiryMonth: 12,
  expiryYear: 2040,
  cvc: '123',
  name: 'Ada Lovelace',
}

test('a pending payment is cancelled, and the answer shows it', async () => {
  const { txRef } = await make()
  const answer = await cancel(txRef)
  assert.equal(answer.status, 200)
  assert.equal(answer.json.message, 'Payment cancelled')
  assert.equal(answer.json.data['status'], 'cancelled')
  const found = await call(`${house.url}/api/transaction/${txRef}`, { key: house.secretKey })
  assert.deepEqual(found.json.data, answer.json.data)
})

test('a cancelled, paid or pending payment is 409 with the reason', async () => {
  const twice = await make()
  await cancel(twice.txRef)
  const paid = await make()
  await house.app.payer.pay(paid.key, card)
  const paying = await make()
  await house.app.payer.pay(paying.key, { ...card, number: '4000000000003220' })
  const rows: [string, string][] = [
    [twice.txRef, 'This payment is already cancelled'],
    [paid.txRef, 'This payment was paid and can no longer be cancelled'],
    [paying.txRef, 'This payment is being paid right now; try again shortly'],
  ]
  for (const [txRef, message] of rows) {
    const answer = await cancel(txRef)
    assert.equal(answer.status, 409, answer.text)
    assert.deepEqual(answer.json, { status: 'failed', message, data: null, code: 'not_cancellable' })
  }
})

test('a merchant can’t cancel another’s payment', async () => {
  const { txRef } = await make()
  assert.equal((await cancel(txRef, house.liveKey)).status, 404)
  assert.equal((await cancel('no-such-order')).status, 404)
  assert.equal((await call(`${house.url}/api/transaction/${txRef}/cancel`, { method: 'POST' })).status, 401)
})
