import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { after, before, test } from 'node:test'
import { inTransaction } from '../../src/platform/database/database.ts'
import { lockPayment } from '../../src/core/payments/store.ts'
import { transition } from '../../src/core/payments/transition.ts'
import { Webhook } from 'standardwebhooks'
import { rollWebhookSecret, webhookSecrets } from '../../src/core/notifications/ipn/webhook-secrets.ts'
import { call, openHouse, post, type House } from '../support/house.ts'
import { createPayment, happens } from '../support/pay.ts'
import { openReceiver } from '../support/receiver.ts'
import { waitUntil } from '../support/wait-until.ts'

let house: House
let worker: { stop(): Promise<void> }
before(async () => {
  house = await openHouse()
  worker = house.app.startWorker()
})
after(async () => {
  await worker.stop()
  await house.close()
})

type Listed = {
  id: string
  kind: string
  event: string
  status: string
  attempts: { http_status: number; answer: string }[]
}

async function listed(txRef: string): Promise<Listed[]> {
  const answer = await call(`${house.url}/api/transaction/${txRef}/notifications`, { key: house.secretKey })
  assert.equal(answer.status, 200, answer.text)
  return (answer.json.data as Listed[]).toSorted((one, other) => one.kind.localeCompare(other.kind))
}

test('a paid payment reaches its callback_url once, signed, with the look-up’s own content', async () => {
  const receiver = await openReceiver()
  const payment = await createPayment(house, {
    callback_url: `${receiver.url}?shop=1`,
    meta: { big: 1 },
    customization: { title: 'Tea & “cake” ☕' },
  })
  await happens(house, payment, 'paid')
  const [ipn] = await receiver.first(1)
  assert.ok(ipn)

  const [secret] = await webhookSecrets(house, { merchantId: house.merchantId, mode: 'test' })
  assert.ok(secret)
  const body = new Webhook(secret.secret).verify(ipn.body, ipn.headers) as Record<string, unknown>
  assert.equal(body['event'], 'payment.success')
  assert.equal(ipn.headers['signature'], createHmac('sha256', secret.secret).update(ipn.body).digest('hex'))
  assert.equal(ipn.url, `/ipn?shop=1&tx_ref=${payment.txRef}&status=success`)
  assert.equal(ipn.headers['content-type'], 'application/json')
  const lookUp = await call(`${house.url}/api/transaction/${payment.txRef}`, { key: house.secretKey })
  const { event: _, ...transaction } = body
  assert.deepEqual(transaction, lookUp.json.data)

  await waitUntil(
    'it is noted as delivered',
    async () => (await listed(payment.txRef))[0]?.status === 'delivered',
  )
  const [first, mail] = await listed(payment.txRef)
  assert.equal(first?.id, ipn.headers['webhook-id'])
  assert.deepEqual(
    first?.attempts.map(({ http_status, answer }) => ({ http_status, answer })),
    [{ http_status: 200, answer: 'ok' }],
  )
  assert.deepEqual([mail?.kind, mail?.status], ['mail', 'kept'])
  assert.equal(receiver.received.length, 1)
  await receiver.close()
})

test('a rolled-back change is never announced', async () => {
  const receiver = await openReceiver()
  const payment = await createPayment(house, { callback_url: receiver.url })
  await assert.rejects(
    inTransaction(house.db, async (tx) => {
      const locked = await lockPayment(tx, payment)
      assert.ok(locked && (await transition(house.app.paying, tx, locked, 'paid')).moved)
      throw new Error('the power went')
    }),
    /the power went/,
  )
  assert.deepEqual(await listed(payment.txRef), [])
  await house.app.deliverer.look()
  assert.equal(receiver.received.length, 0)
  await receiver.close()
})

test('the metrics count waiting and sent deliveries, and how long they took', async () => {
  const text = (await call(`${house.url}/metrics`)).text
  assert.match(text, /^florin_delivery_tries_total\{kind="ipn",outcome="delivered"\} [1-9]/m)
  assert.match(text, /^florin_delivery_seconds_count\{kind="ipn"\} [1-9]/m)
  assert.match(text, /^florin_deliveries_waiting \d+$/m)
  assert.match(text, /^florin_deliveries_overdue_seconds [\d.]+$/m)
})

test('during a roll both secrets sign, and after the overlap the old one doesn’t', async () => {
  const receiver = await openReceiver()
  const owner = { merchantId: house.merchantId, mode: 'test' } as const
  const [old] = await webhookSecrets(house, owner)
  assert.ok(old)
  const fresh = await rollWebhookSecret(house, owner, 24)
  await happens(house, await createPayment(house, { callback_url: receiver.url }), 'paid')
  const [ipn] = await receiver.first(1)
  assert.ok(ipn)
  for (const secret of [old.secret, fresh]) new Webhook(secret).verify(ipn.body, ipn.headers)
  assert.equal(ipn.headers['webhook-signature']?.split(' ').length, 2)
  assert.equal(ipn.headers['signature'], createHmac('sha256', fresh).update(ipn.body).digest('hex'))

  const last = await rollWebhookSecret(house, owner, 0)
  await happens(house, await createPayment(house, { callback_url: receiver.url }), 'paid')
  const [, second] = await receiver.first(2)
  assert.ok(second)
  new Webhook(last).verify(second.body, second.headers)
  assert.throws(() => new Webhook(fresh).verify(second.body, second.headers))
  // The first roll's overlap goes on, whatever the second one's is.
  new Webhook(old.secret).verify(second.body, second.headers)
  await receiver.close()
})

test('simultaneous rolls all return a secret that signs', async () => {
  const owner = { merchantId: house.merchantId, mode: 'live' } as const
  for (let round = 0; round < 5; round += 1) {
    const told = await Promise.all([1, 2, 3].map(() => rollWebhookSecret(house, owner, 24)))
    const signing = new Set((await webhookSecrets(house, owner)).map(({ secret }) => secret))
    assert.deepEqual(
      told.filter((secret) => !signing.has(secret)),
      [],
    )
  }
})

test('each end of a payment has its own event, and a late success follows a cancel', async () => {
  const receiver = await openReceiver()
  const payment = await createPayment(house, { callback_url: receiver.url })
  await happens(house, payment, 'cancelled_by_customer')
  await happens(house, payment, 'paid')
  await happens(house, payment, 'refunded_in_full')
  const all = await receiver.first(3)
  const events = all.map(({ body }) => (JSON.parse(body) as { event: string }).event)
  assert.deepEqual(events.toSorted(), ['payment.cancelled', 'payment.refunded', 'payment.success'])
  assert.equal(new Set(all.map(({ headers }) => headers['webhook-id'])).size, 3)
  await receiver.close()
})

test('resend sends the same bytes with the same id', async () => {
  const receiver = await openReceiver()
  const payment = await createPayment(house, { callback_url: receiver.url })
  await happens(house, payment, 'paid')
  const [first] = await receiver.first(1)
  const id = first?.headers['webhook-id'] ?? ''
  await waitUntil('it is delivered', async () => (await listed(payment.txRef))[0]?.status === 'delivered')
  const path = `${house.url}/api/transaction/${payment.txRef}/notifications`
  const again = await post(`${path}/${id}/resend`, {}, house.secretKey)
  assert.equal(again.status, 200, again.text)
  const [, second] = await receiver.first(2)
  assert.equal(second?.headers['webhook-id'], id)
  assert.equal(second?.body, first?.body)

  for (const answer of [
    await post(`${path}/evt_unknown/resend`, {}, house.secretKey),
    await post(`${path}/${id}/resend`, {}, house.liveKey),
    await call(`${house.url}/api/transaction/nothing/notifications`, { key: house.secretKey }),
  ]) {
    assert.equal(answer.status, 404, answer.text)
    assert.equal(answer.json.code, 'not_found')
  }
  assert.equal((await call(path, {})).status, 401)
  await receiver.close()
})

test('without a callback_url a notification is listed, and resend says that there is no URL', async () => {
  const payment = await createPayment(house)
  await happens(house, payment, 'paid')
  const ipn = (await listed(payment.txRef)).find(({ kind }) => kind === 'ipn')
  assert.equal(ipn?.status, 'kept')
  const path = `${house.url}/api/transaction/${payment.txRef}/notifications/${ipn.id}/resend`
  const answer = await post(path, {}, house.secretKey)
  assert.equal(answer.status, 409)
  assert.deepEqual(answer.json, {
    status: 'failed',
    message: 'This payment has no callback_url, so there is nowhere to send it',
    data: null,
    code: 'no_callback_url',
  })
})

test('a sample is sent during the call, which returns its result', async () => {
  const receiver = await openReceiver()
  const answer = await post(
    `${house.url}/api/notifications/test`,
    { callback_url: receiver.url, event: 'payment.refunded' },
    house.secretKey,
  )
  assert.equal(answer.status, 200, answer.text)
  const data = answer.json.data as { delivered: boolean; http_status: number; answer: string; id: string }
  assert.deepEqual([data.delivered, data.http_status, data.answer], [true, 200, 'ok'])
  const [ipn] = receiver.received
  assert.ok(ipn)
  assert.equal(ipn.headers['webhook-id'], data.id)
  const [secret] = await webhookSecrets(house, { merchantId: house.merchantId, mode: 'test' })
  const body = new Webhook(secret?.secret ?? '').verify(ipn.body, ipn.headers) as {
    event: string
    refunded: string
  }
  assert.deepEqual([body.event, body.refunded], ['payment.refunded', '10.00'])

  const live = await post(
    `${house.url}/api/notifications/test`,
    { callback_url: receiver.url },
    house.liveKey,
  )
  assert.equal(live.status, 400)
  assert.equal(live.json.message, 'callback_url must use https in live mode')
  const loopback = receiver.url.replace('http:', 'https:')
  const refused = await post(`${house.url}/api/notifications/test`, { callback_url: loopback }, house.liveKey)
  assert.deepEqual(
    (({ delivered, error }) => ({ delivered, error }))(
      refused.json.data as { delivered: boolean; error: string },
    ),
    { delivered: false, error: 'address_refused' },
  )
  assert.equal(receiver.received.length, 1)
  await receiver.close()
})
