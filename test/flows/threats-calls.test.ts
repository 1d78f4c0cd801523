import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { readConfig } from '../../src/platform/settings/config.ts'
import { ConfigMistakes } from '../../src/platform/settings/kinds.ts'
import type { Operation } from '../../src/platform/http/openapi/openapi.ts'
import { createKey, revokeKey } from '../../src/core/merchants/change-keys.ts'
import { createMerchant } from '../../src/core/merchants/create-merchant.ts'
import { paymentOperations } from '../../src/core/payments/api/operations.ts'
import { notificationOperations } from '../../src/core/notifications/operations.ts'
import { projectOperations } from '../../src/core/projects/operations.ts'
import { makeStillClock } from '../support/clock.ts'
import { newLink, stateOf } from '../support/customer.ts'
import { call, openHouse, post, type House } from '../support/house.ts'
import { dumpTables } from '../support/search-everything.ts'
import { waitUntil } from '../support/wait-until.ts'

// The threat table, the rows that concern every call.

let house: House
before(async () => {
  house = await openHouse({ settings: { MISS_LIMIT_PER_SECOND: '100000' } })
})
after(() => house.close())

test('stolen tables hold no key, and guessing one learns nothing from the answer', async () => {
  const fresh = await createKey(house.db, house.merchantId, {
    kind: 'secret',
    mode: 'test',
    name: 'to revoke',
  })
  const unknown = await createKey(house.db, house.merchantId, {
    kind: 'secret',
    mode: 'test',
    name: 'unknown',
  })
  await revokeKey(house.db, house.merchantId, fresh.id)
  await revokeKey(house.db, house.merchantId, unknown.id)
  const typo = `${house.secretKey.slice(0, -1)}${house.secretKey.endsWith('0') ? '1' : '0'}`
  const ask = (key: string) => call(`${house.url}/api/transaction/none`, { key })
  await waitUntil('revoked', async () => (await ask(fresh.key)).status === 401)

  const answers = await Promise.all([fresh.key, typo, 'sk_test_', 'nonsense'].map(ask))
  for (const answer of answers) {
    assert.deepEqual([answer.status, answer.text], [401, answers[0]?.text])
    assert.equal(answer.headers.get('www-authenticate'), 'Bearer')
  }
  const tables = await dumpTables(house)
  for (const key of [house.secretKey, house.liveKey, house.apiKey, fresh.key])
    assert.ok(!tables.includes(key))
})

/** Every operation that names something of a merchant by its address. */
const named = [
  ...paymentOperations,
  ...notificationOperations([]),
  ...projectOperations('http://127.0.0.1'),
].filter(({ path }) => path.includes('{'))

test('no operation finds another merchant’s or the other mode’s data', async () => {
  const stranger = await createMerchant(house.db, { name: 'Stranger', liveEnabled: true })
  const keys: Record<string, string[]> = { secret: [house.liveKey], api: [] }
  for (const mode of ['test', 'live'] as const) {
    keys['secret']?.push((await createKey(house.db, stranger, { kind: 'secret', mode, name: mode })).key)
  }
  keys['api']?.push((await createKey(house.db, stranger, { kind: 'api', name: 'api' })).key)

  const link = await newLink(house, { project: await newProject('Garden') })
  assert.ok(named.length >= 6)
  for (const operation of named) {
    for (const key of keys[operation.key] ?? []) {
      const answer = await send(operation, key, link.txRef)
      assert.equal(answer.status, 404, `${operation.method} ${operation.path}: ${answer.text}`)
    }
  }
  assert.equal(await stateOf(house, link), 'pending', 'and nobody cancelled it')
  assert.equal((await call(`${house.url}/api/v1/projects/Garden`, { key: house.apiKey })).status, 200)
})

async function newProject(project: string): Promise<string> {
  const created = await post(`${house.url}/api/v1/projects`, { project }, house.apiKey)
  return (created.json.data as { id: string }).id
}

async function send({ method, path, body }: Operation, key: string, txRef: string) {
  const address = path
    .replace('{tx_ref}', txRef)
    .replace('{project}', 'Garden')
    .replaceAll(/\{[^}]+\}/g, 'evt_of_somebody_else')
  return call(`${house.url}${address}`, {
    method: method.toUpperCase(),
    key,
    ...(body && {
      body: JSON.stringify({ project: 'Taken over' }),
      headers: { 'content-type': 'application/json' },
    }),
  })
}

async function missFrom(at: House, forwarded: string): Promise<number> {
  const headers = { 'x-forwarded-for': forwarded }
  return (await call(`${at.url}/payment/${'1'.repeat(32)}`, { headers })).status
}

const missesPerSecond = 1
const asked = 20
const world = { now: makeStillClock().now }

/** How many of twenty at once were looked up; the others were told to wait. */
async function lookedUp(at: House, forwarded: (at: number) => string): Promise<number> {
  const statuses = await Promise.all(
    Array.from({ length: asked }, (_, index) => missFrom(at, forwarded(index))),
  )
  assert.ok(statuses.every((status) => status === 404 || status === 429))
  return statuses.filter((status) => status === 404).length
}

async function isLimited(at: House, forwarded: (at: number) => string): Promise<void> {
  assert.equal(await lookedUp(at, forwarded), missesPerSecond)
}

test('a forged address doesn’t get a fresh limit', async () => {
  const strict = await openHouse({ settings: { MISS_LIMIT_PER_SECOND: String(missesPerSecond) }, world })
  try {
    await isLimited(strict, (at) => `10.0.0.${at}`)
  } finally {
    await strict.close()
  }
})

test('behind a listed proxy each customer has their own limit, and only the proxy is believed', async () => {
  const settings = { MISS_LIMIT_PER_SECOND: String(missesPerSecond), TRUSTED_PROXIES: '127.0.0.1' }
  const behind = await openHouse({ settings, world })
  try {
    assert.equal(await lookedUp(behind, (at) => `10.0.0.${at}`), asked)
    // What the customer put in front himself is further left than what the proxy saw.
    await isLimited(behind, (at) => `10.9.9.${at}, 10.0.1.1`)
  } finally {
    await behind.close()
  }
})

test('an IPv6 network has one limit, not one per address', async () => {
  const settings = { MISS_LIMIT_PER_SECOND: String(missesPerSecond), TRUSTED_PROXIES: '127.0.0.1' }
  const behind = await openHouse({ settings, world })
  try {
    assert.equal(await lookedUp(behind, (at) => `2001:db8:0:${at}::1`), asked)
    await isLimited(behind, (at) => `2001:db8:9:9:${at}::1`)
  } finally {
    await behind.close()
  }
})

test('trusting all proxies is refused', () => {
  for (const value of ['true', '*', 'all', 'loopback']) {
    assert.throws(() => readConfig({ TRUSTED_PROXIES: value }, '/nonexistent'), ConfigMistakes)
  }
})
