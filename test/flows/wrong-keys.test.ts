import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'

import { createKey, revokeKey } from '../../src/core/merchants/change-keys.ts'
import { makeKey } from '../../src/core/merchants/key-format.ts'
import { call, openHouse, type House } from '../support/house.ts'
import { paymentRequest } from '../support/payment-request.ts'
import { readMetrics } from '../support/search-everything.ts'

// Guessing keys: ten wrong ones a second from one address get their answer. Whoever has a good one is always answered.

let house: House
let now = new Date('2026-11-15T12:00:00Z')
before(async () => {
  house = await openHouse({ settings: { TRUSTED_PROXIES: '127.0.0.1' }, world: { now: () => now } })
})
after(() => house.close())

function from(address: string, key?: string, path = '/api/transactions') {
  return call(house.url + path, {
    headers: { 'x-forwarded-for': address },
    ...(key !== undefined && { key }),
  })
}

async function statuses(address: string, keys: readonly string[], path?: string): Promise<number[]> {
  const answers = []
  for (const key of keys) answers.push((await from(address, key, path)).status)
  return answers
}

const wrong = (count: number): string[] =>
  Array.from({ length: count }, () => makeKey('secret', 'test', house.merchantId))
const times = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value)

test('after ten wrong keys in a second an address must wait before the next, while a valid key isn’t delayed', async () => {
  assert.deepEqual(await statuses('192.0.2.1', wrong(12)), [...times(10, 401), 429, 429])
  const limited = await from('192.0.2.1', wrong(1)[0])
  assert.equal(limited.json.code, 'rate_limited')
  assert.equal(limited.headers.get('retry-after'), '1')
  assert.deepEqual(await statuses('192.0.2.1', times(5, house.secretKey)), times(5, 200))
  assert.equal((await from('192.0.2.1', house.apiKey, '/api/v1/projects')).status, 200)
  // Nobody else waits, and after a moment nor does this one.
  assert.deepEqual(await statuses('192.0.2.2', wrong(1)), [401])
  now = new Date(now.getTime() + 1_000)
  assert.deepEqual(await statuses('192.0.2.1', wrong(11)), [...times(10, 401), 429])
})

test('all calls that take a key count together, whatever is wrong with the key', async () => {
  const revoked = await createKey(house.db, house.merchantId, { kind: 'secret', name: 'old' })
  await revokeKey(house.db, house.merchantId, revoked.id)
  const address = '198.51.100.1'
  assert.deepEqual(
    await statuses(address, ['sk_test_nonsense', revoked.key, house.apiKey, ...wrong(2)]),
    times(5, 401),
  )
  assert.deepEqual(
    await statuses(address, [house.secretKey, 'ak_x', ...wrong(2)], '/api/v1/projects'),
    times(4, 401),
  )
  const form = async (key: string): Promise<number> => {
    const body = new URLSearchParams({
      ...(paymentRequest() as Record<string, string>),
      secret_key: key,
    }).toString()
    const headers = { 'content-type': 'application/x-www-form-urlencoded', 'x-forwarded-for': address }
    return (await call(`${house.url}/ext_transfer`, { method: 'POST', body, headers })).status
  }
  assert.deepEqual([await form('sk_test_nonsense'), await form('sk_test_nonsense')], [401, 429])
  assert.equal(await form(house.secretKey), 303)
})

test('an IPv6 address counts as its /64 network, since everybody has a whole one', async () => {
  const keys = wrong(11)
  const answers = await Promise.all(keys.map(async (key, index) => from(`2001:db8:1:1::${index + 1}`, key)))
  assert.deepEqual(answers.map(({ status }) => String(status)).toSorted(), [...times(10, '401'), '429'])
  assert.deepEqual(await statuses('2001:db8:1:2::1', wrong(1)), [401])
})

test('a request without a key is told so, and doesn’t wait for guessers', async () => {
  assert.deepEqual(await statuses('203.0.113.1', wrong(11)), [...times(10, 401), 429])
  for (let count = 0; count < 3; count += 1) assert.equal((await from('203.0.113.1')).status, 401)
})

test('the metrics count missing keys, wrong keys and waits', async () => {
  const text = await readMetrics(house)
  const count = (reason: string): number =>
    Number(
      new RegExp(`^florin_failed_authentications_total\\{reason="${reason}"\\} (\\d+)$`, 'm').exec(text)?.[1],
    )
  assert.equal(count('missing'), 3)
  assert.ok(count('wrong') >= 50)
  assert.ok(count('limited') >= 6)
})

test('a request’s log line has its address, key and merchant', async () => {
  const lines = house
    .log()
    .split('\n')
    .filter((line) => line.includes('"route"'))
    .map((line) => JSON.parse(line) as Record<string, unknown>)
  const good = lines.find(({ address, status }) => address === '192.0.2.1' && status === 200)
  assert.match(String(good?.['key_id']), /^key_\w{16}$/)
  assert.equal(good?.['merchant'], house.merchantId)
  const bad = lines.find(({ address, status }) => address === '192.0.2.1' && status === 401)
  assert.ok(bad && !('key_id' in bad) && !('merchant' in bad))
  const form = lines.find(({ route, status }) => route === '/ext_transfer' && status === 303)
  assert.equal(form?.['merchant'], house.merchantId)
})

test('an address forged by a proxy breaks no log line', async () => {
  const before_ = house.log().length
  await from('","admin":"yes', house.secretKey)
  await from('x'.repeat(2_000), house.secretKey)
  const lines = house.log().slice(before_).trim().split('\n')
  for (const line of lines) {
    const read = JSON.parse(line) as Record<string, unknown>
    assert.deepEqual([read['address'], read['admin']], ['odd', undefined])
  }
  assert.equal(lines.length, 2)
})
