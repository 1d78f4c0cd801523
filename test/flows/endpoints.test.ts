import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { sql } from '../../src/platform/database/sql.ts'
import { call, openHouse, post, type Answer, type House } from '../support/house.ts'
import { createPayment, happens } from '../support/pay.ts'
import { answerWith, openReceiver, type Receiver } from '../support/receiver.ts'
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

type Endpoint = { id: string; url: string | null; events: string[]; status: string; secret: string }

async function ask(method: string, path: string, body?: object, key = house.secretKey): Promise<Answer> {
  return call(`${house.url}/api/endpoints${path}`, {
    method,
    key,
    ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  })
}

async function create(fields: object, key = house.secretKey): Promise<Endpoint> {
  const answer = await ask('POST', '', fields, key)
  assert.equal(answer.status, 201, answer.text)
  return answer.json.data
}

async function remove(...endpoints: Endpoint[]): Promise<void> {
  for (const { id } of endpoints) assert.equal((await ask('DELETE', `/${id}`)).status, 200)
}

type Row = { id: string; state: string; target: string; endpoint_id: string | null }

async function deliveriesOf({ number }: { number: string }): Promise<Row[]> {
  return house.db.query<Row>(sql`
    select id, state, target, endpoint_id from deliveries
    where merchant_id = ${house.merchantId} and number = ${number} and kind = 'ipn' order by id`)
}

function at(receiver: Receiver, name: string): string {
  return new URL(name, receiver.url).href
}

test('endpoints get every payment, with or without callback_url, each with its own signature and the same webhook-id', async () => {
  const receiver = await openReceiver()
  const all = await create({ url: at(receiver, '/all') })
  const failures = await create({ url: at(receiver, '/failures'), events: ['payment.failed'] })
  const payment = await createPayment(house, { callback_url: receiver.url })
  await happens(house, payment, 'paid')
  const heard = await receiver.first(2)
  assert.deepEqual(heard.map(({ url }) => url).toSorted(), [
    '/all',
    `/ipn?tx_ref=${payment.txRef}&status=success`,
  ])
  assert.equal(new Set(heard.map(({ headers }) => headers['webhook-id'])).size, 1)
  const toEndpoint = heard.find(({ url }) => url === '/all')
  assert.ok(toEndpoint)
  const body = new Webhook(all.secret).verify(toEndpoint.body, toEndpoint.headers) as { event: string }
  assert.equal(body.event, 'payment.success')
  const toCallback = heard.find(({ url }) => url !== '/all')
  assert.ok(toCallback)
  assert.throws(() => new Webhook(all.secret).verify(toCallback.body, toCallback.headers))
  await happens(house, await createPayment(house), 'attempts_used_up')
  const later = (await receiver.first(4)).slice(2)
  assert.deepEqual(later.map(({ url }) => url).toSorted(), ['/all', '/failures'])
  await remove(all, failures)
  await receiver.close()
})

test('a live payment without callback_url reaches only live endpoints', async () => {
  const ofTest = await create({ url: 'http://127.0.0.1:1/test' })
  const ofLive = await create({ url: 'https://shop.example/hook' }, house.liveKey)
  const payment = await createPayment(house, {}, house.liveKey)
  await happens(house, payment, 'cancelled_by_merchant')
  const rows = await deliveriesOf(payment)
  assert.deepEqual(
    rows.map(({ target, endpoint_id }) => [target, endpoint_id]),
    [['https://shop.example/hook', ofLive.id]],
  )
  assert.equal((await ask('GET', `/${ofLive.id}`)).status, 404)
  assert.equal((await ask('DELETE', `/${ofLive.id}`, undefined, house.liveKey)).status, 200)
  const [left] = await deliveriesOf(payment)
  assert.ok(left?.state === 'skipped' || left?.state === 'waiting')
  await remove(ofTest)
})

test('thirteen simultaneous requests leave ten endpoints, each with its own URL', async () => {
  const answers = await Promise.all(
    Array.from({ length: 13 }, async (_, place) =>
      ask('POST', '', { url: `http://127.0.0.1:1/${place % 12}` }),
    ),
  )
  const made = answers.filter(({ status }) => status === 201)
  assert.equal(made.length, 10)
  for (const { status, json } of answers.filter(({ status: code }) => code !== 201)) {
    assert.equal(status, 409)
    assert.ok(['too_many_endpoints', 'endpoint_taken'].includes(json.code ?? ''), json.message)
  }
  const first = await ask('GET', '?limit=6')
  const { data, meta } = first.json as unknown as { data: Endpoint[]; meta: { next_cursor: string } }
  const second = await ask('GET', `?limit=6&cursor=${meta.next_cursor}`)
  const rest = second.json.data as Endpoint[]
  assert.equal(new Set([...data, ...rest].map(({ url }) => url)).size, 10)
  assert.equal(first.text.includes('whsec_'), false)
  await remove(...data, ...rest)
})

test('a rolled secret signs beside the old one until the overlap ends', async () => {
  const receiver = await openReceiver()
  const endpoint = await create({ url: receiver.url })
  const rolled = await ask('POST', `/${endpoint.id}/roll-secret`, { overlap_hours: 1 })
  const { secret } = rolled.json.data as { secret: string }
  assert.notEqual(secret, endpoint.secret)
  assert.equal((await ask('POST', `/${endpoint.id}/test`)).json.message, 'Sample received')
  const [both] = await receiver.first(1)
  assert.ok(both)
  for (const one of [secret, endpoint.secret]) new Webhook(one).verify(both.body, both.headers)
  assert.equal((await ask('POST', `/${endpoint.id}/roll-secret`, { overlap_hours: 0 })).status, 200)
  assert.equal((await ask('POST', `/${endpoint.id}/roll-secret`, { overlap_hours: 73 })).status, 400)
  await happens(house, await createPayment(house), 'paid')
  const [, later] = await receiver.first(2)
  assert.ok(later)
  new Webhook(endpoint.secret).verify(later.body, later.headers)
  assert.throws(() => new Webhook(secret).verify(later.body, later.headers))
  await remove(endpoint)
  await receiver.close()
})

test('events during an endpoint’s pause are sent when it is resumed, even to a new URL', async () => {
  const receiver = await openReceiver()
  const endpoint = await create({ url: at(receiver, '/old') })
  const paused = await ask('POST', `/${endpoint.id}/pause`)
  assert.equal((paused.json.data as Endpoint).status, 'paused')
  const payment = await createPayment(house)
  await happens(house, payment, 'paid')
  const state = async () => (await deliveriesOf(payment)).find(({ endpoint_id: id }) => id !== null)
  assert.equal((await state())?.state, 'paused')
  const changed = await ask('PATCH', `/${endpoint.id}`, { url: at(receiver, '/new') })
  assert.equal((changed.json.data as Endpoint).status, 'paused')
  assert.equal((await ask('POST', `/${endpoint.id}/resume`)).json.message, 'Endpoint resumed')
  const [heard] = await receiver.first(1)
  assert.equal(heard?.url, '/new')
  await waitUntil('it is noted as delivered', async () => (await state())?.state === 'delivered')
  await remove(endpoint)
  await receiver.close()
})

test('a failing endpoint doesn’t make another URL of its host fail', async () => {
  const receiver = await openReceiver(
    (request, response) => void response.writeHead(request.url === '/dead' ? 500 : 200).end(),
  )
  const dead = await create({ url: at(receiver, '/dead') })
  const alive = await create({ url: at(receiver, '/alive') })
  await happens(house, await createPayment(house, { callback_url: receiver.url }), 'paid')
  const statusOf = async ({ id }: Endpoint) => ((await ask('GET', `/${id}`)).json.data as Endpoint).status
  await waitUntil('one fails', async () => (await statusOf(dead)) === 'failing')
  assert.equal(await statusOf(alive), 'active')
  await remove(dead, alive)
  await receiver.close()
})

test('410 ends a notification to an endpoint, and it can be resent by hand', async () => {
  const receiver = await openReceiver(answerWith(410))
  const endpoint = await create({ url: receiver.url })
  const payment = await createPayment(house)
  await happens(house, payment, 'paid')
  const ended = async () => (await deliveriesOf(payment)).find(({ state }) => state === 'failed')
  await waitUntil('it has ended', async () => (await ended()) !== undefined)
  const notifications = `${house.url}/api/transaction/${payment.txRef}/notifications`
  const again = await post(`${notifications}/${(await ended())?.id ?? ''}/resend`, {}, house.secretKey)
  assert.equal(again.status, 200, again.text)
  await receiver.first(2)
  await remove(endpoint)
  await receiver.close()
})

test('florin listen is an endpoint that fetches its notifications and reports the answers', async () => {
  const listen = `${house.url}/api/notifications/listen`
  const started = await post(listen, {}, house.secretKey)
  const { endpoint, now } = started.json.data as { endpoint: Endpoint; now: string }
  assert.deepEqual([endpoint.url, endpoint.status], [null, 'listening'])
  const payment = await createPayment(house)
  await happens(house, payment, 'paid')
  const asked = new URLSearchParams({ since: now, endpoint: endpoint.id, wait: '0' })
  const found = await call(`${listen}?${asked.toString()}`, { key: house.secretKey })
  const [one, ...more] = (found.json.data as { notifications: { id: string; event: string }[] }).notifications
  assert.equal(one?.event, 'payment.success')
  assert.deepEqual(more, [])
  const answer = { endpoint: endpoint.id, id: one.id, http_status: 200, ms: 5 }
  assert.equal((await post(`${listen}/answer`, answer, house.secretKey)).status, 200)
  const noted = (await deliveriesOf(payment)).find(({ id }) => id === one.id)
  assert.equal(noted?.state, 'delivered')
  await remove(endpoint)
  const gone = await call(`${listen}?${asked.toString()}`, { key: house.secretKey })
  assert.equal(gone.status, 404)
})
