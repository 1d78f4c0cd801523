import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { currencyCodes, decimalsOf as decimalsOfServer } from '../../src/platform/money/currencies.ts'
import { createKey } from '../../src/core/merchants/change-keys.ts'
import { freePort } from '../../test/support/free-port.ts'
import { call, openHouse, type House } from '../../test/support/house.ts'
import { paidPayment } from '../../test/support/refunds.ts'
import { openReceiver, type Received } from '../../test/support/receiver.ts'
import { decimalsOf, toDecimal } from './src/amounts.ts'
import {
  AuthenticationError,
  ConflictError,
  ConnectionError,
  Florin,
  FlorinError,
  InvalidRequestError,
  NotFoundError,
  RateLimitError,
  ServerError,
} from './src/index.ts'
import { operations } from './src/types.ts'
import { typesOf, type OpenApi } from './write-types.ts'

// The client against a real Florin.

let house: House
let florin: Florin
let count = 0

before(async () => {
  house = await openHouse()
  florin = new Florin(house.secretKey, { baseUrl: house.url })
})
after(() => house.close())

function newPayment(given: { tx_ref?: string; callback_url?: string } = {}) {
  count += 1
  return {
    tx_ref: `client-${process.pid}-${count}`,
    amount_minor: 1050,
    currency: 'GBP',
    email: 'ada@example.com',
    first_name: 'Ada',
    ...given,
  }
}

test('the types are those of /openapi.json, and every call has a method', async () => {
  const document = (await call(`${house.url}/openapi.json`)).json as unknown as OpenApi
  const committed = readFileSync(new URL('src/types.ts', import.meta.url), 'utf8')
  assert.equal(committed, typesOf(document), 'run npm run client-types')
  const program = readFileSync(new URL('src/florin.ts', import.meta.url), 'utf8')
  const missing = Object.keys(operations).filter((id) => !program.includes(`('${id}'`))
  assert.deepEqual(missing, [])
})

test('a key identifies its merchant', async () => {
  const account = await florin.account.get()
  assert.equal(account.mode, 'test')
})

test('a payment is created, looked up and cancelled', async () => {
  const payment = newPayment()
  const { checkout_url } = await florin.payments.create(payment)
  assert.match(checkout_url, /\/payment\/\d{32}$/)
  const found = await florin.payments.get(payment.tx_ref)
  assert.deepEqual([found.status, found.amount, found.amount_minor], ['pending', '10.50', 1050])
  assert.equal((await florin.payments.cancel(payment.tx_ref)).status, 'cancelled')
})

test('a list is read across all its pages, up to an optional limit', async () => {
  for (let made = 0; made < 5; made += 1) await florin.payments.create(newPayment())
  const seen = []
  for await (const { tx_ref } of florin.payments.list({ limit: 2, currency: 'gbp' })) seen.push(tx_ref)
  assert.ok(seen.length >= 5, String(seen.length))
  assert.equal(new Set(seen).size, seen.length)
  assert.equal((await florin.payments.list({ limit: 2 }).toArray(3)).length, 3)
  const { data, nextCursor } = await florin.payments.list({ limit: 2 }).page()
  assert.deepEqual([data.length, typeof nextCursor], [2, 'string'])
})

test('a refund without a reference gets one, and can be found by it', async () => {
  const { txRef } = await paidPayment(house)
  const refund = await florin.payments.refund(txRef, { amount_minor: 100, currency: 'GBP' })
  assert.equal(refund.amount, '1.00')
  assert.equal((await florin.refunds.get(refund.refund_ref)).refund_ref, refund.refund_ref)
  assert.equal((await florin.payments.refunds(txRef).toArray(10)).length, 1)
  assert.match(await florin.refunds.exportCsv({ tx_ref: txRef }), /1\.00/)
})

test('an endpoint is registered, found and deleted', async (t) => {
  const receiver = await openReceiver()
  t.after(() => receiver.close())
  const { id } = await florin.endpoints.create({ url: receiver.url })
  assert.equal((await florin.endpoints.get(id)).url, receiver.url)
  assert.deepEqual(
    (await florin.endpoints.list().toArray(5)).map((one) => one.id),
    [id],
  )
  await florin.endpoints.delete(id)
  assert.ok((await failureOf(florin.endpoints.get(id))) instanceof NotFoundError)
})

test('a webhook from Florin is verified by both schemes', async (t) => {
  const receiver = await openReceiver()
  t.after(() => receiver.close())
  const { id, secret } = await florin.endpoints.create({ url: receiver.url })
  assert.equal((await florin.endpoints.test(id, {})).delivered, true)
  const [{ body, headers }] = (await receiver.first(1)) as [Received]
  const event = await florin.webhooks.verify(body, headers, secret)
  assert.equal(event.event, 'payment.success')
  await florin.webhooks.verify(body, headers, secret, { scheme: 'signature' })
  await assert.rejects(florin.webhooks.verify(`${body} `, headers, secret), /No signature matches/)
  const inAnHour = new Date(Date.now() + 3_600_000)
  await assert.rejects(
    florin.webhooks.verify(body, headers, secret, { now: inAnHour }),
    /s old, more than the 300 s allowed/,
  )
})

test('a call signed by the client is verified like a real webhook', async () => {
  const secret = `whsec_${btoa('a secret of thirty-two bytes ...')}`
  const { body, headers } = await florin.webhooks.sign({ event: 'payment.success', tx_ref: 'a' }, secret)
  assert.deepEqual(
    await florin.webhooks.verify(new TextEncoder().encode(body), new Headers(headers), secret),
    {
      event: 'payment.success',
      tx_ref: 'a',
    },
  )
  await assert.rejects(florin.webhooks.verify(body, {}, secret), /webhook-id header is missing/)
})

test('every kind of failure has its own class, with status, code and request id but without the key', async () => {
  const payment = newPayment()
  await florin.payments.create(payment)
  const taken = await failureOf(florin.payments.create({ ...payment, amount_minor: 1 }))
  assert.ok(taken instanceof ConflictError)
  assert.deepEqual([taken.status, taken.code, taken.existing?.status], [409, 'tx_ref_taken', 'pending'])
  assert.ok((await failureOf(florin.payments.get('no-such-payment'))) instanceof NotFoundError)
  const wrong = await failureOf(florin.payments.create({ ...payment, tx_ref: 'x', email: 'nobody' }))
  assert.ok(wrong instanceof InvalidRequestError)
  assert.ok(wrong.errors['email'], wrong.message)
  assert.ok(wrong.requestId)
  const { key, id } = await createKey(house.db, house.merchantId, { kind: 'secret', mode: 'test', name: 'x' })
  assert.ok(id)
  const refused = await failureOf(
    new Florin(`${key.slice(0, -1)}!`, { baseUrl: house.url }).payments.get('x'),
  )
  assert.ok(refused instanceof AuthenticationError)
  assert.ok(!JSON.stringify([refused, refused.message, refused.stack]).includes(key.slice(8, 30)))
})

async function failureOf(promise: Promise<unknown>): Promise<FlorinError> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  assert.ok(error instanceof FlorinError, String(error))
  return error
}

/** Fails as often as `failing` has something to say, then calls the real server. */
function unreliable(failing: (Response | Error)[]) {
  const pauses: number[] = []
  const keys = new Set<string>()
  const client = new Florin(house.secretKey, {
    baseUrl: house.url,
    wait: async (ms) => void pauses.push(ms),
    fetch: async (input, init) => {
      keys.add(new Headers(init?.headers).get('idempotency-key') ?? '')
      const answer = failing.shift()
      if (answer instanceof Error) throw answer
      return answer ?? fetch(input, init)
    },
  })
  return { client, pauses, keys }
}

test('timeouts, 429 and 503 are retried with the same key and growing pauses, or as Retry-After says', async () => {
  const answers = [
    new TypeError('fetch failed'),
    new Response('{}', { status: 503 }),
    new Response('{}', { status: 429, headers: { 'retry-after': '7' } }),
  ]
  const { client, pauses, keys } = unreliable(answers)
  const payment = newPayment()
  await client.payments.create(payment)
  assert.equal(keys.size, 1)
  assert.equal(pauses.length, 3)
  assert.ok((pauses[0] ?? 0) >= 375 && (pauses[0] ?? 0) <= 625, String(pauses[0]))
  assert.ok((pauses[1] ?? 0) >= 750 && (pauses[1] ?? 0) <= 1_250, String(pauses[1]))
  assert.equal(pauses[2], 7_000)
})

test('a payment isn’t created twice when the first response is lost', async () => {
  const payment = newPayment()
  let isFirst = true
  const client = new Florin(house.secretKey, {
    baseUrl: house.url,
    wait: async () => {},
    fetch: async (input, init) => {
      const answer = await fetch(input, init)
      if (!isFirst) return answer
      isFirst = false
      throw new TypeError('terminated')
    },
  })
  const { checkout_url } = await client.payments.create(payment)
  assert.equal((await florin.payments.get(payment.tx_ref)).checkout_url, checkout_url)
})

test('a call that isn’t idempotent is not retried after a lost response', async () => {
  const { client, pauses } = unreliable([new TypeError('fetch failed')])
  const failed = await failureOf(client.notifications.sendTest({ callback_url: 'http://127.0.0.1:1/' }))
  assert.ok(failed instanceof ConnectionError)
  assert.deepEqual(pauses, [])
})

test('after the last retry the error says what happened', async () => {
  const overloaded = Array.from({ length: 4 }, () => new Response('busy', { status: 503 }))
  const down = await failureOf(unreliable(overloaded).client.payments.get('x'))
  assert.ok(down instanceof ServerError)
  assert.equal(down.message, 'Florin answered 503')
  const limited = Array.from(
    { length: 4 },
    () => new Response('{}', { status: 429, headers: { 'retry-after': '2' } }),
  )
  const slow = await failureOf(unreliable(limited).client.payments.get('x'))
  assert.ok(slow instanceof RateLimitError)
  assert.equal(slow.retryAfterSeconds, 2)
  const nobody = new Florin(house.secretKey, {
    baseUrl: `http://127.0.0.1:${await freePort()}`,
    maxRetries: 0,
  })
  assert.match(
    (await failureOf(nobody.payments.get('x'))).message,
    /^No answer from http:\/\/127\.0\.0\.1:\d+: .*ECONNREFUSED/,
  )
})

test('amounts are whole minor units or text, never floats', async () => {
  for (const code of currencyCodes) assert.equal(decimalsOf(code), decimalsOfServer(code), code)
  assert.equal(toDecimal(5, 'GBP'), '0.05')
  assert.equal(toDecimal(123456n, 'KWD'), '123.456')
  assert.equal(toDecimal(100, 'JPY'), '100')
  const { amount_minor: _, ...rest } = newPayment()
  await assert.rejects(florin.payments.create({ ...rest, amount_minor: 10.5 }), /whole number/)
  await assert.rejects(florin.payments.create({ ...rest, amount: 10.5 } as never), /must be text/)
  await florin.payments.create({ ...rest, amount: '10.50' })
})

test('a redirect never takes the key to another server', async (t) => {
  const receiver = await openReceiver((_, response) => {
    response.writeHead(302, { location: `${house.url}/api/transactions` })
    response.end()
  })
  t.after(() => receiver.close())
  const client = new Florin(house.secretKey, { baseUrl: receiver.url, maxRetries: 0 })
  assert.ok((await failureOf(client.payments.get('x'))) instanceof ConnectionError)
})
