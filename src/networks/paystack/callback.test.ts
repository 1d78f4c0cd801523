import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import type { Account, Hint } from '../../core/networks/hosted.ts'
import { readCallback } from './callback.ts'

const secret = 'sk_test_callback'
const account: Account = { id: 'acc_1', credentials: { secret_key: secret }, sandbox: true }

function sign(body: string, key = secret, algorithm = 'sha512'): string {
  return createHmac(algorithm, key).update(body).digest('hex')
}

function read(body: string, signature: string | undefined = sign(body)): readonly Hint[] | undefined {
  return readCallback(account, Buffer.from(body), { 'x-paystack-signature': signature })
}

const metadata = { florin_merchant: '12345678', florin_payment: '1'.repeat(24), florin_key: 'key-1' }
const charge = JSON.stringify({ event: 'charge.success', data: { id: 1, reference: 'key-1', metadata } })

test('a charge event names the order to look up, by our key and our ids', () => {
  const [hint, ...others] = read(charge) ?? []
  assert.deepEqual(others, [])
  const { eventId, ...more } = hint ?? assert.fail()
  assert.match(eventId, /^charge\.success\/key-1\/[0-9a-f]{32}$/)
  assert.deepEqual(more, {
    about: 'order',
    reference: 'key-1',
    merchantId: 12_345_678,
    paymentNumber: '1'.repeat(24),
    idempotencyKey: 'key-1',
  })
})

test('metadata may come as text, and another program’s text names nothing', () => {
  const hintOf = (text: string): Partial<Hint> => {
    const data = { id: 1, reference: 'key-1', metadata: text }
    return read(JSON.stringify({ event: 'charge.success', data }))?.[0] ?? {}
  }
  assert.equal(hintOf(JSON.stringify(metadata)).paymentNumber, '1'.repeat(24))
  for (const text of ['', 'order 7', '"7"', 'null'])
    assert.deepEqual([hintOf(text).paymentNumber, hintOf(text).idempotencyKey], [undefined, 'key-1'], text)
})

test('identical bytes are the same event, different bytes a new one', () => {
  assert.equal(read(charge)?.[0]?.eventId, read(charge)?.[0]?.eventId)
  assert.notEqual(read(charge)?.[0]?.eventId, read(`${charge} `)?.[0]?.eventId)
})

test('refund and dispute events carry their ids, and other events give no hints', () => {
  const about = (event: string, data: object = { id: 7 }): unknown => {
    const hints = read(JSON.stringify({ event, data }))
    return hints?.map((hint) => [hint.about, hint.reference])
  }
  assert.deepEqual(about('refund.processed'), [['refund', '7']])
  assert.deepEqual(about('refund.failed', {}), [['refund', undefined]])
  assert.deepEqual(about('charge.dispute.create'), [['dispute', '7']])
  assert.deepEqual(about('charge.dispute.resolve'), [['dispute', '7']])
  assert.deepEqual(about('charge.success', {}), [])
  assert.deepEqual(about('transfer.success'), [])
})

test('a body not signed byte for byte with the secret key is refused', () => {
  assert.equal(read(charge, ''), undefined)
  assert.equal(read(charge, sign(charge, 'sk_test_of_somebody_else')), undefined)
  assert.equal(read(charge, sign(charge, secret, 'sha256')), undefined)
  assert.equal(read(`${charge} `, sign(charge)), undefined)
  assert.equal(read(charge, sign(charge).toUpperCase()), undefined)
  const twice = [sign(charge), sign(charge)]
  assert.equal(readCallback(account, Buffer.from(charge), { 'x-paystack-signature': twice }), undefined)
  const keyless = { ...account, credentials: {} }
  const headers = { 'x-paystack-signature': sign(charge, '') }
  assert.equal(readCallback(keyless, Buffer.from(charge), headers), undefined)
})

test('a signed body that is no event gives no hints', () => {
  for (const body of [
    '',
    'null',
    '[]',
    '{}',
    '{"event":1,"data":{}}',
    '{"event":"charge.success"}',
    'nonsense',
  ])
    assert.equal(read(body), undefined, body)
})
