import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  authority,
  certificate,
  certificateOfAnother,
  certificateOfItself,
} from '../../../test/support/networks/paypal-certificate.ts'
import { openPayPal } from '../../../test/support/networks/open-networks.ts'
import type { Account } from '../../core/networks/hosted.ts'
import { trusted } from './certificates.ts'

let world: Awaited<ReturnType<typeof openPayPal>>
before(async () => {
  world = await openPayPal()
})
after(() => world.close())

const never = new AbortController().signal
const customId = `12345678.${'9'.repeat(24)}.key-1`
const ours = { merchantId: 12_345_678, paymentNumber: '9'.repeat(24), idempotencyKey: 'key-1' }
const body = JSON.stringify({
  id: 'WH-1',
  event_type: 'CHECKOUT.ORDER.APPROVED',
  resource: { id: 'ORDER1', purchase_units: [{ custom_id: customId }] },
})

async function hear(text: string, headers: Record<string, string>, account: Account = world.account) {
  await world.connector.prepareCallback?.(account, headers, never)
  return world.connector.readCallback(account, Buffer.from(text), headers, world.now())
}

const hint = { eventId: 'WH-1', about: 'order', reference: 'ORDER1', ...ours }

test('a callback that PayPal signed is read with a certificate that was fetched once', async () => {
  const readBefore = world.network.books.certificatesRead
  for (let times = 0; times < 3; times += 1)
    assert.deepEqual(await hear(body, world.network.sign(body, 'WEBHOOK1')), [hint])
  assert.ok(world.network.books.certificatesRead - readBefore <= 1)
})

test('a callback is refused when anything that was signed differs, or the time is over', async () => {
  const { network } = world
  const good = network.sign(body, 'WEBHOOK1')
  const ago = (ms: number): string => `${new Date(world.now().getTime() - ms).toISOString().slice(0, 19)}Z`
  assert.notEqual(await hear(body, network.sign(body, 'WEBHOOK1', ago(290_000))), undefined)
  for (const headers of [
    network.sign(body, 'ANOTHER'),
    network.sign(`${body} `, 'WEBHOOK1'),
    network.sign(body, 'WEBHOOK1', ago(302_000)),
    network.sign(body, 'WEBHOOK1', ago(-302_000)),
    { ...good, 'paypal-transmission-id': 'other' },
    { ...good, 'paypal-transmission-time': ago(1_000) },
    { ...good, 'paypal-transmission-sig': 'AAAA' },
    { ...good, 'paypal-auth-algo': 'SHA1withRSA' },
    {},
  ])
    assert.equal(await hear(body, headers), undefined)
  const unknown = { ...world.account, credentials: { ...world.account.credentials, webhook_id: '' } }
  assert.equal(await hear(body, network.sign(body, ''), unknown), undefined)
})

test('a certificate is fetched from PayPal’s own host alone, and seldom for addresses that have none', async () => {
  const { network } = world
  const good = network.sign(body, 'WEBHOOK1')
  const own = good['paypal-cert-url'] ?? ''
  for (const url of [
    own.replace('127.0.0.1', 'localhost'),
    own.replace('http:', 'https:'),
    `${own}?x=1`,
    own.replace('/v1/', '/v2/'),
    own.replace('http://', 'http://user@'),
    'https://api.paypal.com.evil.example/v1/notifications/certs/CERT-360caa42-fca2a594',
    'not a url',
  ])
    assert.equal(await hear(body, { ...good, 'paypal-cert-url': url }), undefined, url)
  const requests = network.requests.length
  const isNone = (index: number): string => own.replace(/CERT-.*/, `CERT-00000000-0000000${index}`)
  for (let index = 0; index < 9; index += 1)
    assert.equal(await hear(body, { ...good, 'paypal-cert-url': isNone(index) }), undefined)
  assert.equal(network.requests.length - requests, 5)
})

test('a certificate must be PayPal’s, in time, and lead to somebody who is trusted', () => {
  const now = new Date()
  assert.ok(trusted(`${certificate}\n${authority}`, [authority], now))
  assert.ok(trusted(certificate, [authority], now), 'the host vouches for one that comes alone')
  assert.equal(trusted(`${certificateOfAnother}\n${authority}`, [authority], now), undefined)
  assert.equal(trusted(`${certificate}\n${certificateOfAnother}`, [authority], now), undefined)
  assert.equal(trusted(`${certificate}\n${authority}`, [], now), undefined)
  assert.equal(trusted(`${certificate}\n${authority}`, [authority], new Date(0)), undefined)
  assert.equal(trusted('<html>', [authority], now), undefined)
  assert.equal(trusted(certificateOfItself, [authority], now), undefined)
  assert.equal(
    trusted('-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----', [authority], now),
    undefined,
  )
})

test('each event says what to ask about, and others are of no interest', async () => {
  const related = { supplementary_data: { related_ids: { order_id: 'ORDER1' } } }
  const events: [string, object, object][] = [
    ['PAYMENT.CAPTURE.COMPLETED', { id: 'CAP1', custom_id: customId, ...related }, hint],
    [
      'CHECKOUT.PAYMENT-APPROVAL.REVERSED',
      { order_id: 'ORDER1', purchase_units: [{ custom_id: customId }] },
      hint,
    ],
    ['PAYMENT.CAPTURE.REFUNDED', { id: 'REF1' }, { eventId: 'WH-1', about: 'refund', reference: 'REF1' }],
    [
      'CUSTOMER.DISPUTE.CREATED',
      { dispute_id: 'PP-1' },
      { eventId: 'WH-1', about: 'dispute', reference: 'PP-1' },
    ],
  ]
  for (const [event_type, resource, expected] of events) {
    const text = JSON.stringify({ id: 'WH-1', event_type, resource })
    assert.deepEqual(await hear(text, world.network.sign(text, 'WEBHOOK1')), [expected], event_type)
  }
  for (const [text, expected] of [
    ['{"id":"WH-1","event_type":"VAULT.PAYMENT-TOKEN.CREATED","resource":{}}', []],
    ['{"id":"WH-1","event_type":"constructor","resource":{}}', []],
    ['{"id":7}', undefined],
    ['null', undefined],
    ['{', undefined],
  ] as const)
    assert.deepEqual(await hear(text, world.network.sign(text, 'WEBHOOK1')), expected, text)
})
