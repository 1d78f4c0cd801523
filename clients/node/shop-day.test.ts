import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openHouse } from '../../test/support/house.ts'
import { openBreaking, openShopDay, openWrongTls, startKillable, type ShopDay } from '../shop-day.ts'
import { AuthenticationError, ConnectionError, Florin, RateLimitError } from './src/index.ts'

// The client through the days of a shop. clients/php/shop-day.test.ts is the same in PHP.

let day: ShopDay
let florin: Florin
let count = 0

before(async () => {
  day = await openShopDay()
  florin = new Florin(day.house.secretKey, { baseUrl: day.house.url })
})
after(() => day.close())

function newPayment() {
  count += 1
  const customer = { email: 'ada@example.com', first_name: 'Ada' }
  const callback_url = day.receiver.url
  return {
    tx_ref: `day-${process.pid}-${count}`,
    amount_minor: 1050,
    currency: 'GBP',
    callback_url,
    ...customer,
  }
}

test('a payment is created, paid, reported by a webhook, found and refunded', async () => {
  const order = newPayment()
  const { checkout_url } = await florin.payments.create(order)
  await day.pay(checkout_url)
  const { body, headers, secret } = await day.delivered()
  const event = await florin.webhooks.verify(body, headers, secret)
  assert.ok(event.event === 'payment.success')
  assert.deepEqual([event.tx_ref, event.amount_minor], [order.tx_ref, 1050])
  const payment = await florin.payments.get(order.tx_ref)
  assert.deepEqual([payment.status, payment.amount_minor], ['success', 1050])
  const half = await florin.payments.refund(order.tx_ref, { amount_minor: 525, currency: 'GBP' })
  assert.deepEqual([half.status, half.amount_minor], ['success', 525])
  await florin.payments.refund(order.tx_ref)
  assert.equal((await florin.payments.get(order.tx_ref)).status, 'refunded')
})

test('listing projects follows the pages, and each page has the total', async () => {
  const projects = new Florin(day.house.apiKey, { baseUrl: day.house.url }).projects
  for (let made = 0; made < 12; made += 1) await projects.create({ project: `Shop ${made}` })
  const names = []
  for await (const { project } of projects.list({ per_page: 10, sort_by: 'project' })) names.push(project)
  assert.equal(new Set(names).size, 12)
  assert.equal((await projects.list().page()).meta.total, 12)
})

test('every page of a list carries the totals', async () => {
  await florin.payments.create(newPayment())
  const { meta } = await florin.payments.list({ totals: true, limit: 1 }).page()
  assert.ok((meta.totals ?? []).some(({ currency }) => currency === 'GBP'))
})

test('a revoked key is an AuthenticationError that is not retried', async () => {
  const client = new Florin(await day.revokedKey(), {
    baseUrl: day.house.url,
    wait: async () => assert.fail('it was retried'),
  })
  await assert.rejects(client.payments.get('x'), AuthenticationError)
})

test('a rate-limited call waits as long as the server asks, then succeeds', async (t) => {
  const house = await openHouse({ settings: { RATE_LIMIT_PER_SECOND: '1', RATE_LIMIT_BURST: '1' } })
  t.after(() => house.close())
  const pauses: number[] = []
  const client = new Florin(house.secretKey, {
    baseUrl: house.url,
    maxRetries: Infinity,
    wait: async (ms) => void pauses.push(ms),
  })
  await Promise.all(Array.from({ length: 3 }, () => client.account.get()))
  assert.ok(pauses.length > 0 && pauses.every((ms) => ms >= 1000), String(pauses.slice(0, 9)))
  const impatient = new Florin(house.secretKey, { baseUrl: house.url, maxRetries: 0 })
  const tried = await Promise.allSettled(Array.from({ length: 30 }, () => impatient.account.get()))
  const refused = tried.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []))
  assert.ok(refused.length > 0)
  for (const error of refused)
    assert.ok(error instanceof RateLimitError && Number(error.retryAfterSeconds) >= 1)
})

test('a payment is created only once even if the server is killed and restarted', async (t) => {
  const server = await startKillable(day.house)
  t.after(() => server.kill())
  const client = new Florin(day.house.secretKey, { baseUrl: server.url, wait: () => server.restart() })
  await client.payments.create(newPayment())
  await server.kill()
  const order = newPayment()
  const { checkout_url } = await client.payments.create(order)
  assert.equal((await client.payments.get(order.tx_ref)).checkout_url, checkout_url)
})

test('a response that breaks off in the middle is retried', async (t) => {
  const breaking = await openBreaking(day.house, 2)
  t.after(() => breaking.close())
  const options = { baseUrl: breaking.url, wait: async () => {} }
  assert.equal((await new Florin(day.house.secretKey, options).account.get()).mode, 'test')
  assert.equal(breaking.received.length, 3)
})

test('the key is never sent without TLS or to an untrusted certificate', async (t) => {
  const { plain, unknown } = await openWrongTls(day.house)
  t.after(() => unknown.close())
  for (const baseUrl of [plain, unknown.url]) {
    const client = new Florin(day.house.secretKey, { baseUrl, maxRetries: 1, wait: async () => {} })
    await assert.rejects(client.payments.create(newPayment()), (error) => {
      assert.ok(error instanceof ConnectionError)
      assert.ok(!`${error.stack} ${String(error.cause)}`.includes(day.house.secretKey))
      return true
    })
  }
  assert.equal(unknown.received.length, 0)
})

test('a proxy’s error page in place of Florin’s response is a ConnectionError', async () => {
  const client = new Florin(day.house.secretKey, {
    baseUrl: day.house.url,
    fetch: async () => new Response('<h1>Sign in</h1>'),
  })
  await assert.rejects(client.account.get(), ConnectionError)
})
