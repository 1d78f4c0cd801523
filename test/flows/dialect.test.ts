import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createKey, type KeyRequest } from '../../src/core/merchants/change-keys.ts'
import { call, openHouse, post, type House } from '../support/house.ts'
import { createPayment, happens } from '../support/pay.ts'
import { paymentRequest } from '../support/payment-request.ts'
import { answerWith, openReceiver } from '../support/receiver.ts'
import { waitUntil } from '../support/wait-until.ts'

// The dialect of a key: what its payments and look-ups do for plugins that were written for other services.

let house: House
let worker: { stop(): Promise<void> }
let familyKey: string

before(async () => {
  house = await openHouse()
  worker = house.app.startWorker()
  const request = { kind: 'secret', name: 'Plugin', dialect: 'family' } as const
  familyKey = (await createKey(house.db, house.merchantId, request)).key
})
after(async () => {
  await worker.stop()
  await house.close()
})

const create = async (fields: Record<string, unknown> = {}) => createPayment(house, fields, familyKey)

async function lookUp(txRef: string, key = familyKey) {
  const { status, json } = await call(`${house.url}/api/transaction/${txRef}`, { key })
  const data = json.data as { status: string; tx_ref: string } | null
  return [status, json.status, json.message, data?.status]
}

test('the envelope of a look-up with the dialect says success only for a paid payment', async () => {
  const events = [
    [undefined, 'pending', 'Payment is pending'],
    ['cancelled_by_customer', 'cancelled', 'Payment is cancelled'],
    ['ran_out_of_time', 'expired', 'Payment is expired'],
    ['attempts_used_up', 'failed', 'Payment failed'],
  ] as const
  for (const [event, status, message] of events) {
    const payment = await create()
    if (event) await happens(house, payment, event)
    assert.deepEqual(await lookUp(payment.txRef), [200, 'failed', message, status])
    assert.deepEqual(await lookUp(payment.txRef, house.secretKey), [
      200,
      'success',
      'Payment details',
      status,
    ])
  }
  const payment = await create()
  await happens(house, payment, 'paid')
  assert.deepEqual(await lookUp(payment.txRef), [200, 'success', 'Payment details', 'success'])
  await happens(house, payment, 'reversed_by_bank')
  assert.deepEqual(await lookUp(payment.txRef), [200, 'failed', 'Payment is reversed', 'reversed'])
  assert.deepEqual(await lookUp('unknown'), [404, 'failed', 'Transaction not found', undefined])
})

test('the dialect of the key decides, whoever created the payment', async () => {
  const payment = await createPayment(house)
  assert.deepEqual((await lookUp(payment.txRef))[1], 'failed')
})

test('an unpaid payment’s look-up has the same data in both dialects', async () => {
  const { txRef } = await create()
  const of = async (key: string) => (await call(`${house.url}/api/transaction/${txRef}`, { key })).json.data
  assert.deepEqual(await of(familyKey), await of(house.secretKey))
})

// An unencoded reference such as 42/notifications leads a careless plugin to another call than the look-up.
test('no GET of the API but the look-up of a paid payment says success to a key with the dialect', async () => {
  const [paid, unpaid] = [await create(), await create()]
  await happens(house, paid, 'paid')
  const { json: document } = await call(`${house.url}/openapi.json`)
  const { paths } = document as unknown as { paths: Record<string, { get?: object }> }
  const gets = Object.keys(paths).filter((path) => paths[path]?.get)
  const seen = new Set<string>()
  for (const path of gets)
    for (const { txRef } of [paid, unpaid]) {
      const url = `${house.url}${path.replace('{tx_ref}', txRef)}?${/listen$|warnings$/.test(path) ? 'wait=0' : ''}`
      const { json, status } = await call(url, { key: familyKey })
      const isPaidLookUp = path === '/api/transaction/{tx_ref}' && txRef === paid.txRef
      assert.equal(json.status === 'success', isPaidLookUp, `${path} ${txRef}`)
      if (json.status === 'ok') seen.add(path)
      const plain = await call(url, { key: house.secretKey })
      assert.deepEqual([plain.status, plain.json.status === 'ok'], [status, false], path)
      assert.deepEqual(Object.keys(plain.json), Object.keys(json), path)
    }
  for (const path of ['/api/transactions', '/api/transaction/{tx_ref}/notifications'])
    assert.ok(seen.has(path), path)
  const account = await call(`${house.url}/api/account`, { key: familyKey })
  const { status, data } = account.json as { status: string; data: { mode: string } }
  assert.deepEqual([status, data.mode], ['ok', 'test'])
  assert.equal((await call(`${house.url}/api/account`, { key: house.apiKey })).json.status, 'success')
})

test('a notification is posted once, with the payment in its query and a second name for its signature', async () => {
  const receiver = await openReceiver()
  const { txRef, ...payment } = await create({ callback_url: `${receiver.url}?shop=7` })
  await happens(house, { ...payment }, 'paid')
  const [ipn] = await receiver.first(1)
  assert.deepEqual(
    [ipn?.method, ipn?.url],
    ['POST', `/ipn?shop=7&tx_ref=${txRef}&trx_ref=${txRef}&status=success`],
  )
  assert.equal(ipn?.headers['x-chapa-signature'], ipn?.headers['signature'])
  await waitUntil('it is delivered', async () => (await sent(txRef)) === 'delivered 200')
  assert.equal(receiver.received.length, 1)
  await receiver.close()
})

test('a receiver that knows only GET gets one in the same try; other payments keep to POST', async () => {
  const receiver = await openReceiver((request, response, received) =>
    answerWith(request.method === 'GET' ? 200 : 405)(request, response, received),
  )
  const { txRef, ...payment } = await create({ callback_url: receiver.url })
  await happens(house, { ...payment }, 'paid')
  await waitUntil('it is delivered', async () => (await sent(txRef)) === 'delivered 200')
  const url = `/ipn?tx_ref=${txRef}&trx_ref=${txRef}&status=success`
  assert.deepEqual(
    receiver.received.map((one) => [one.method, one.url, one.headers['signature'] !== undefined]),
    [
      ['POST', url, true],
      ['GET', url, false],
    ],
  )
  const plain = await createPayment(house, { callback_url: receiver.url })
  await happens(house, plain, 'paid')
  await waitUntil('it is tried', async () => (await sent(plain.txRef)) === 'waiting 405')
  assert.deepEqual(
    receiver.received.slice(2).map(({ method }) => method),
    ['POST'],
  )
  await receiver.close()
})

// A customer left the first payment open and paid the order with a second one. The plugin would take the end of the first,
// or a reversal, for the end of the order.
test('a callback_url of the dialect hears of nothing but success; endpoints hear of everything', async () => {
  const receiver = await openReceiver((request, response, received) =>
    answerWith(request.url === '/all' ? 405 : 200)(request, response, received),
  )
  const url = receiver.url.replace('/ipn', '/all')
  const made = await post(`${house.url}/api/endpoints`, { url }, house.secretKey)
  assert.equal(made.status, 201, made.text)
  const payment = await create({ callback_url: receiver.url })
  await happens(house, await create({ callback_url: receiver.url }), 'cancelled_by_customer')
  await happens(house, payment, 'paid')
  await happens(house, payment, 'reversed_by_bank')
  const sentTo = (path: string) => receiver.received.filter((one) => one.url.split('?')[0] === path)
  const eventsAt = (path: string) => [
    ...new Set(sentTo(path).map(({ body }) => (JSON.parse(body) as { event: string }).event)),
  ]
  const all = ['payment.cancelled', 'payment.reversed', 'payment.success']
  await waitUntil('the endpoint has all', async () => eventsAt('/all').length === all.length)
  assert.deepEqual(eventsAt('/all').toSorted(), all)
  assert.deepEqual(eventsAt('/ipn'), ['payment.success'])
  for (const { method, headers } of sentTo('/all'))
    assert.deepEqual([method, headers['x-chapa-signature']], ['POST', undefined])
  await receiver.close()
})

const plugins = { amount: '1,234.50', first_name: undefined, last_name: '', email: undefined }
const customer = { email: 'ada@example.com', last_name: 'Lovelace' }

async function shown(txRef: string): Promise<unknown[]> {
  const { json } = await call(`${house.url}/api/transaction/${txRef}`, { key: house.secretKey })
  const { amount_minor, email, first_name, last_name } = json.data as Record<string, unknown>
  return [amount_minor, email, first_name, last_name]
}
const read = [123_450, 'ada@example.com', '', 'Lovelace']

test('with the dialect a nested customer, thousands separators and missing names are accepted', async () => {
  assert.deepEqual(await shown((await create({ ...plugins, customer })).txRef), read)
  const body = new URLSearchParams({
    tx_ref: 'form-encoded',
    currency: 'GBP',
    amount: '1,234.50',
    'customer[email]': customer.email,
    'customer[last_name]': customer.last_name,
  }).toString()
  const asForm = { 'content-type': 'application/x-www-form-urlencoded' }
  assert.equal((await post(`${house.url}/api/payment`, body, familyKey, asForm)).status, 201)
  assert.deepEqual(await shown('form-encoded'), read)
  const { status, json } = await post(
    `${house.url}/api/payment`,
    paymentRequest({ ...plugins, customer }),
    house.secretKey,
  )
  assert.deepEqual([status, Object.keys(json.errors ?? {})], [400, ['amount', 'first_name']])
})

test('a web form of a plugin names its form key public_key, which needs the dialect', async () => {
  const keyOf = async (request: Partial<KeyRequest>) =>
    (
      await createKey(house.db, house.merchantId, {
        kind: 'form',
        name: 'Form',
        bounds: { hosts: ['shop.example.com'] },
        ...request,
      })
    ).key
  const send = async (fields: Record<string, string>) =>
    post(`${house.url}/ext_transfer`, new URLSearchParams(fields).toString(), undefined, {
      'content-type': 'application/x-www-form-urlencoded',
      accept: 'application/json',
    })
  const fields = {
    tx_ref: 'web-form',
    currency: 'GBP',
    amount: '1,234.50',
    'customer[email]': customer.email,
    last_name: 'Lovelace',
  }
  for (const public_key of [await keyOf({}), familyKey, house.secretKey])
    assert.equal((await send({ ...fields, public_key })).status, 401)
  assert.equal((await send({ ...fields, public_key: await keyOf({ dialect: 'family' }) })).status, 303)
  assert.deepEqual(await shown('web-form'), read)
})

/** How the notification to the callback_url is doing: its state, and the last answer. */
async function sent(txRef: string): Promise<string> {
  const answer = await call(`${house.url}/api/transaction/${txRef}/notifications`, { key: house.secretKey })
  const rows = answer.json.data as { kind: string; status: string; attempts: { http_status: number }[] }[]
  const ipn = rows.find(({ kind }) => kind === 'ipn')
  return `${ipn?.status} ${ipn?.attempts.at(-1)?.http_status}`
}
