import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import type { Account } from '../../core/networks/hosted.ts'
import { callbackEvents, readCallback } from './callback.ts'

const secret = 'whsec_test'
const account: Account = { id: 'acc_1', credentials: { webhook_secret: secret }, sandbox: false }
const now = new Date('2026-11-15T12:00:00Z')
const seconds = now.getTime() / 1_000

function event(changes: object = {}): string {
  const object = {
    id: 'cs_1',
    metadata: { florin_merchant: '12345678', florin_payment: '9'.repeat(24), florin_key: 'k' },
  }
  return JSON.stringify({
    id: 'evt_1',
    type: 'checkout.session.completed',
    livemode: true,
    data: { object },
    ...changes,
  })
}

function signature(body: string, time = seconds, key = secret): string {
  return createHmac('sha256', key).update(`${time}.${body}`).digest('hex')
}

function read(body: string, header: string | string[] | undefined, by = account) {
  return readCallback(by, Buffer.from(body), { 'stripe-signature': header }, now)
}

test('a signed event is a hint to look up an order by all its ids', () => {
  const body = event()
  assert.deepEqual(read(body, `t=${seconds},v1=${signature(body)}`), [
    {
      eventId: 'evt_1',
      about: 'order',
      reference: 'cs_1',
      merchantId: 12_345_678,
      paymentNumber: '9'.repeat(24),
      idempotencyKey: 'k',
    },
  ])
})

test('while a secret is being replaced, any of several signatures is accepted, in any order', () => {
  const body = event()
  const other = signature(body, seconds, 'whsec_other')
  for (const header of [
    `t=${seconds},v1=${other},v1=${signature(body)}`,
    `t=${seconds},v1=${signature(body)},v1=${other},v0=${'0'.repeat(64)}`,
    `v1=${signature(body)}, t=${seconds}`,
  ]) {
    assert.equal(read(body, header)?.length, 1, header)
  }
})

test('a timestamp may be off by 300 s either way, and no more', () => {
  const body = event()
  for (const offset of [-300, 0, 300]) {
    const time = seconds + offset
    assert.equal(read(body, `t=${time},v1=${signature(body, time)}`)?.length, 1, String(offset))
  }
  for (const offset of [-301, 301, -86_400, 86_400]) {
    const time = seconds + offset
    assert.equal(read(body, `t=${time},v1=${signature(body, time)}`), undefined, String(offset))
  }
})

test('a callback not signed with this account’s secret is refused', () => {
  const body = event()
  const good = signature(body)
  const forged: (string | string[] | undefined)[] = [
    undefined,
    '',
    'v1=',
    `v1=${good}`,
    `t=${seconds}`,
    `t=${seconds},v0=${good}`,
    `t=${seconds},v1=${good.toUpperCase()}`,
    `t=${seconds},v1=${good.slice(1)}`,
    `t=${seconds},v1=${signature(body, seconds, 'whsec_other')}`,
    `t=${seconds + 1},v1=${good}`,
    `t=${seconds}.0,v1=${good}`,
    `t=1e9,v1=${good}`,
    `t=-${seconds},v1=${good}`,
    [`t=${seconds},v1=${good}`],
  ]
  for (const header of forged) assert.equal(read(body, header), undefined, String(header))
  assert.equal(read(`${body} `, `t=${seconds},v1=${good}`), undefined, 'a byte more')
  const header = `t=${seconds},v1=${signature(body, seconds, '')}`
  assert.equal(read(body, header, { ...account, credentials: {} }), undefined, 'an account without a secret')
  assert.equal(read(body, header, { ...account, credentials: { webhook_secret: '' } }), undefined)
})

test('a signed body that is no event is refused, and irrelevant events give no hints', () => {
  for (const body of ['', 'null', '[]', '1', '"text"', '{', '{}', '{"id":1,"type":2}']) {
    assert.equal(read(body, `t=${seconds},v1=${signature(body)}`), undefined, body)
  }
  for (const changes of [
    { type: 'payment_intent.succeeded' },
    { type: 'constructor' },
    { data: {} },
    { data: null },
    { data: { object: { id: 7 } } },
    { livemode: false },
  ]) {
    const body = event(changes)
    assert.deepEqual(read(body, `t=${seconds},v1=${signature(body)}`), [], body)
  }
})

test('ids that aren’t ours are left out', () => {
  for (const metadata of [null, 7, {}, { florin_merchant: '1e9', florin_payment: 1, florin_key: [] }]) {
    const body = event({ type: 'refund.updated', data: { object: { id: 're_1', metadata } } })
    assert.deepEqual(read(body, `t=${seconds},v1=${signature(body)}`), [
      { eventId: 'evt_1', about: 'refund', reference: 're_1' },
    ])
  }
})

test('every event we subscribe to is understood', () => {
  for (const type of callbackEvents) {
    const body = event({ type, data: { object: { id: 'x_1', metadata: { florin_saved: 'true' } } } })
    assert.equal(read(body, `t=${seconds},v1=${signature(body)}`)?.length, 1, type)
  }
  assert.equal(callbackEvents.length, 21)
})

test('an intent counts for a charge of a saved card only, as all others are known by their session', () => {
  for (const metadata of [null, undefined, 7, { florin_key: 'key-1' }]) {
    const body = event({ type: 'payment_intent.succeeded', data: { object: { id: 'pi_1', metadata } } })
    assert.deepEqual(read(body, `t=${seconds},v1=${signature(body)}`), [])
  }
  const metadata = { florin_merchant: '7', florin_payment: '1', florin_key: 'key-1', florin_saved: 'true' }
  const body = event({ type: 'payment_intent.succeeded', data: { object: { id: 'pi_1', metadata } } })
  assert.deepEqual(read(body, `t=${seconds},v1=${signature(body)}`), [
    {
      eventId: 'evt_1',
      about: 'order',
      reference: 'pi_1',
      merchantId: 7,
      paymentNumber: '1',
      idempotencyKey: 'key-1',
    },
  ])
})
