import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { call, openHouse, post, type House } from '../support/house.ts'
import { createPayment } from '../support/pay.ts'
import { cardOf } from '../support/till.ts'
import { waitUntil } from '../support/wait-until.ts'

// What Prometheus reads of money: outcomes by connector, and what nobody knows the end of.

let house: House
before(async () => {
  house = await openHouse({ world: { role: 'florin server' } })
})
after(() => house.close())

async function figure(name: string): Promise<number> {
  const { text } = await call(`${house.url}/metrics`)
  const line = text.split('\n').find((one) => one.startsWith(`${name} `))
  return line === undefined ? NaN : Number(line.slice(name.length + 1))
}

async function pay(number: string): Promise<string> {
  const payment = await createPayment(house)
  await house.app.payer.pay({ ...payment, mode: 'test' }, cardOf(number), undefined)
  return payment.txRef
}

test('payments, attempts and refunds are counted by outcome and connector, once committed', async () => {
  const txRef = await pay('4242424242424242')
  await pay('4000000000000002')
  await pay('4000000000005043')
  await post(`${house.url}/api/transaction/${txRef}/refund`, { refund_ref: 'r-1' }, house.secretKey)
  for (const [name, count] of [
    ['florin_payments_total{mode="test",state="success"}', 1],
    ['florin_payments_total{mode="test",state="refunded"}', 1],
    ['florin_attempts_total{mode="test",connector="test-network",outcome="succeeded"}', 1],
    ['florin_attempts_total{mode="test",connector="test-network",outcome="declined"}', 1],
    ['florin_attempts_total{mode="test",connector="test-network",outcome="unknown"}', 1],
    ['florin_refunds_total{mode="test",connector="test-network",outcome="succeeded"}', 1],
  ] as const)
    await waitUntil(name, async () => (await figure(name)) === count)
  assert.ok((await figure('florin_batch_size_count')) > 0)
  assert.ok((await figure('florin_database_wait_seconds_count')) > 0)
  const { text } = await call(`${house.url}/metrics`)
  assert.match(
    text,
    /^florin_build_info\{version="\d+\.\d+\.\d+(\+[\da-f]{7})?",node="[\d.]+",role="florin server"\} 1$/m,
  )
})

test('attempts with an unknown outcome are counted, with the age of the oldest', async () => {
  const other = await openHouse({ databaseUrl: house.databaseUrl })
  try {
    const { text } = await call(`${other.url}/metrics`)
    assert.match(text, /^florin_attempts_unknown 1$/m)
    assert.match(text, /^florin_attempts_unknown_oldest_seconds \d/m)
  } finally {
    await other.close()
  }
})

test('on loopback metrics answer only to the machine’s own names', async () => {
  const { server } = house.app
  const asked = async (host: string): Promise<number> =>
    (await server.inject({ url: '/metrics', headers: { host } })).statusCode
  for (const host of ['localhost', '127.0.0.1:8080', '[::1]:8080', 'florin.localhost'])
    assert.equal(await asked(host), 200, host)
  for (const host of ['evil.example', '127.0.0.1.evil.example:8080', 'localhost.evil.example'])
    assert.equal(await asked(host), 404, host)
})
