import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import type { Account } from '../../core/networks/hosted.ts'
import { readCallback } from './callback.ts'

const account: Account = { id: 'acc_2', credentials: { webhook_secret: 'secret' }, sandbox: true }

function read(body: string, signature: string | string[] | undefined = sign(body), by = account) {
  return readCallback(by, Buffer.from(body), { 'webhook-signature': signature })
}

function sign(body: string, secret = 'secret'): string {
  return createHmac('sha256', secret).update(body).digest('hex')
}

const names = { florin_merchant: '12345678', florin_payment: '9'.repeat(24), florin_key: 'k' }
const events = [
  {
    id: 'EV1',
    resource_type: 'billing_requests',
    action: 'fulfilled',
    links: { billing_request: 'BRQ1' },
    resource_metadata: names,
  },
  {
    id: 'EV2',
    resource_type: 'payments',
    action: 'confirmed',
    links: { payment: 'PM1' },
    resource_metadata: names,
  },
  { id: 'EV3', resource_type: 'refunds', action: 'bounced', links: { refund: 'RF1' } },
  { id: 'EV4', resource_type: 'mandates', action: 'created', links: { mandate: 'MD1' } },
]

test('one GoCardless callback gives hints for many events and ignores irrelevant ones', () => {
  const ours = { merchantId: 12_345_678, paymentNumber: '9'.repeat(24), idempotencyKey: 'k' }
  assert.deepEqual(read(JSON.stringify({ events })), [
    { eventId: 'EV1', about: 'order', reference: 'BRQ1', ...ours },
    { eventId: 'EV2', about: 'order', ...ours },
    { eventId: 'EV3', about: 'refund', reference: 'RF1' },
  ])
})

test('a mandate that ended is asked about, and a payment that failed or came back also as a dispute', () => {
  const of = (resource_type: string, action: string) => ({
    id: `EV-${action}`,
    resource_type,
    action,
    links: { payment: 'PM1', mandate: 'MD1' },
  })
  for (const action of ['cancelled', 'failed', 'expired', 'consumed', 'blocked'])
    assert.deepEqual(read(JSON.stringify({ events: [of('mandates', action)] })), [
      { eventId: `EV-${action}`, about: 'method', reference: 'MD1' },
    ])
  for (const action of ['charged_back', 'chargeback_cancelled', 'failed', 'late_failure_settled'])
    assert.deepEqual(read(JSON.stringify({ events: [of('payments', action)] })), [
      { eventId: `EV-${action}`, about: 'order' },
      { eventId: `EV-${action}/back`, about: 'dispute', reference: 'PM1' },
    ])
})

test('a callback not signed with this account’s secret is refused', () => {
  const body = JSON.stringify({ events })
  const good = sign(body)
  for (const forged of [
    '',
    good.toUpperCase(),
    good.slice(2),
    `${good}00`,
    sign(body, 'other'),
    sign(`${body} `),
    [good],
  ]) {
    assert.equal(read(body, forged), undefined, String(forged))
  }
  assert.equal(readCallback(account, Buffer.from(body), {}), undefined)
  assert.equal(read(body, sign(body, ''), { ...account, credentials: { webhook_secret: '' } }), undefined)
})

test('a signed body without a list of events is refused, and malformed events are skipped', () => {
  for (const body of ['', 'null', '{}', '{"events":{}}', '{']) assert.equal(read(body), undefined, body)
  const broken = [
    {},
    { id: 'EV1' },
    { id: 7, resource_type: 'payments' },
    { id: 'EV2', resource_type: 'constructor' },
  ]
  assert.deepEqual(read(JSON.stringify({ events: broken })), [])
  assert.deepEqual(read(JSON.stringify({ events: [null, 7] })), [])
})
