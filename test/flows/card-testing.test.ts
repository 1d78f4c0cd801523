import assert from 'node:assert/strict'
import { after, before, beforeEach, mock, test } from 'node:test'
import { sql } from '../../src/platform/database/sql.ts'
import { Connection } from '../../src/platform/database/statement.ts'
import { createKey } from '../../src/core/merchants/change-keys.ts'
import { createMerchant } from '../../src/core/merchants/create-merchant.ts'
import { hours, makeStillClock, minutes, type Clock } from '../support/clock.ts'
import { goodCard, newLink, stateOf, type Link } from '../support/customer.ts'
import { call, openHouse, type House } from '../support/house.ts'
import { paymentRequest } from '../support/payment-request.ts'
import { dumpTables, readMetrics } from '../support/search-everything.ts'
import { believesProxy, countAttempts, declining, openPage, tryCard } from '../support/stranger.ts'

const second = 1_000
let clock: Clock
let house: House
let shop: House

before(async () => {
  clock = makeStillClock()
  house = await openHouse({ settings: believesProxy, world: { now: clock.now } })
})
after(() => house.close())

/** A merchant of its own for each test, whose counters are empty. The clock goes on, by some hours in all. */
beforeEach(async () => {
  const merchantId = await createMerchant(house.db, { name: 'Corner shop' })
  const { key } = await createKey(house.db, merchantId, { kind: 'secret', mode: 'test', name: 'test' })
  shop = { ...house, merchantId, secretKey: key }
})
async function links(count: number): Promise<Link[]> {
  return Promise.all(Array.from({ length: count }, () => newLink(shop)))
}

test('only a few of 84 declined cards sent at once from one address by a form key are tried', async () => {
  const hosts = ['shop.example.com']
  const { key } = await createKey(shop.db, shop.merchantId, {
    kind: 'form',
    mode: 'test',
    name: 'form',
    bounds: { hosts },
  })
  const opened: Link[] = []
  for (let count = 0; count < 12; count += 1) {
    const fields: Record<string, string> = { ...paymentRequest(), secret_key: key }
    const answer = await call(`${shop.url}/ext_transfer`, {
      method: 'POST',
      body: new URLSearchParams(fields).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    const digits = (answer.headers.get('location') ?? '').slice(-32)
    opened.push({ digits, url: `${shop.url}/payment/${digits}`, txRef: fields['tx_ref'] ?? '' })
  }
  const tries = opened.flatMap((link) => declining.map((number) => tryCard(shop, link, { number })))
  const answers = await Promise.all(tries)
  for (const link of opened) answers.push(await tryCard(shop, link), await tryCard(shop, link))
  for (const link of opened) answers.push(await tryCard(shop, link))
  assert.ok((await countAttempts(shop)) <= 10, `${await countAttempts(shop)} were tried`)
  assert.ok(answers.filter(({ status }) => status === 429).length > 60)

  // Meanwhile somebody else pays.
  const honest = await newLink(shop)
  assert.equal((await tryCard(shop, honest, { from: '198.51.100.1', number: goodCard })).status, 303)
  assert.equal(await stateOf(shop, honest), 'success')
})

test('a waiting customer is told how long, in their language, and no attempt starts', async () => {
  const later = await newLink(shop)
  for (let count = 0; count < 5; count += 1)
    await tryCard(shop, later, { number: declining[count % 4] ?? '' })
  const tried = await countAttempts(shop)
  const counted = await refusals()
  const refused = await tryCard(shop, later, { number: goodCard })
  assert.equal(refused.status, 429)
  assert.deepEqual(await refusals(), { ...counted, wait: counted.wait + 1 })
  assert.equal(refused.headers.get('retry-after'), '5')
  assert.match(refused.text, /Too many cards were declined\. You can try again in 5 seconds\./)
  assert.match(refused.text, /No money has been taken\./)
  assert.match(refused.text, /data-wait="5"/)
  assert.doesNotMatch(refused.text, /4242 ?4242 ?4242 ?4242" required/)
  assert.equal(await countAttempts(shop), tried)
  const german = await openPage(shop, later, '203.0.113.7', 'de')
  assert.match(german, /in 5 Sekunden erneut versuchen/)
  assert.doesNotMatch(await openPage(shop, await newLink(shop), '198.51.100.1'), /data-wait/)

  clock.jump(5 * second)
  assert.equal((await tryCard(shop, later, { number: goodCard })).status, 303)
  assert.equal(await stateOf(shop, later), 'success')
})

test('waits of orders declined twice grow with each decline, up to ten minutes', async () => {
  const seconds: number[] = []
  const [one, other] = await links(2)
  assert.ok(one && other)
  const orders = [one, other, one, other, ...Array<Link>(7).fill(one), ...Array<Link>(7).fill(other)]
  for (const [count, link] of orders.entries()) {
    let answer = await tryCard(shop, link, { number: declining[count % 4] ?? '' })
    if (answer.status === 429) {
      const wait = Number(answer.headers.get('retry-after'))
      seconds.push(wait)
      clock.jump(wait * second)
      answer = await tryCard(shop, link, { number: declining[count % 4] ?? '' })
    }
    assert.equal(answer.status, 303)
  }
  assert.deepEqual(seconds.slice(0, 9), [5, 10, 15, 20, 30, 60, 120, 300, 600])
  assert.ok(Math.max(...seconds) === 600)
})

test('ten declined cards typed by hand within ten minutes cost less than two minutes of waiting', async () => {
  const link = await newLink(shop)
  let waited = 0
  for (let count = 0; count < 10; count += 1) {
    const number = declining[count % 4] ?? ''
    const answer = await tryCard(shop, link, { number })
    const wait = Number(answer.headers.get('retry-after') ?? 0)
    if (answer.status === 429) {
      waited += wait
      clock.jump(wait * second)
      await tryCard(shop, link, { number })
    }
    clock.jump(40 * second)
  }
  assert.equal(await stateOf(shop, link), 'failed')
  assert.ok(waited < 120, `${waited} seconds`)
})

test('100 addresses with one card count as one card', async () => {
  const opened = await links(20)
  for (let count = 0; count < 100; count += 20) {
    const tries = Array.from({ length: 20 }, (_, one) => {
      const link = opened[(count + one) % opened.length]
      assert.ok(link)
      return tryCard(shop, link, { from: `198.51.0.${count + one}` })
    })
    await Promise.all(tries)
  }
  assert.ok((await countAttempts(shop)) <= 10, `${await countAttempts(shop)} were tried`)
  const honest = await newLink(shop)
  await tryCard(shop, honest, { from: '198.51.100.1', number: goodCard })
  assert.equal(await stateOf(shop, honest), 'success')
})

test('all addresses of one IPv6 network count as one', async () => {
  const link = await newLink(shop)
  for (let count = 0; count < 5; count += 1) {
    await tryCard(shop, link, { from: `2001:db8:1:2::${count}`, number: declining[count % 4] ?? '' })
  }
  const neighbour = await tryCard(shop, link, { from: '2001:db8:1:2:ffff::1', number: goodCard })
  assert.equal(neighbour.status, 429)
  const other = await newLink(shop)
  assert.equal((await tryCard(shop, other, { from: '2001:db8:1:3::1', number: goodCard })).status, 303)
})

const challenge = '4000000000003220'

test('abandoned 3-D Secure attempts count, even while they are open', async () => {
  const opened = await links(60)
  for (const link of opened) await tryCard(shop, link, { number: challenge })
  const tried = await countAttempts(shop)
  assert.ok(tried >= 5 && tried <= 30, `${tried} were tried`)

  clock.jump(16 * minutes)
  const reconcile = shop.app.jobs.find((job) => job.name === 'reconcile')
  while ((await reconcile?.run()) !== 0);
  const answer = await tryCard(shop, await newLink(shop), { number: goodCard })
  assert.equal(answer.status, 429)
  assert.equal(answer.headers.get('retry-after'), '20', 'another order brings a proof, or takes its time')
})

test('the merchant’s own program with its test key isn’t counted', async () => {
  const link = await newLink(shop)
  const headers = { authorization: `Bearer ${shop.secretKey}` }
  for (let count = 0; count < 10; count += 1) {
    assert.equal((await tryCard(shop, link, { headers })).status, 303)
  }
  assert.equal(await stateOf(shop, link), 'failed')
  const next = await newLink(shop)
  assert.equal((await tryCard(shop, next, { number: goodCard })).status, 303)

  // A key of somebody else is none, nor is one that nobody has.
  const strange = [house.secretKey, `${shop.secretKey.slice(0, -4)}none`]
  const shows = (count: number) => ({ headers: { authorization: `Bearer ${strange[count % 2]}` } })
  const other = await newLink(shop)
  for (let count = 0; count < 5; count += 1) await tryCard(shop, other, shows(count))
  assert.equal((await tryCard(shop, other, shows(0))).status, 429)
})

test('declines at one shop cause no wait at another, and their hashes are unrelated', async () => {
  const link = await newLink(shop)
  for (let count = 0; count < 6; count += 1) await tryCard(shop, link, { number: declining[count % 4] ?? '' })
  const merchantId = await createMerchant(house.db, { name: 'Another shop' })
  const { key } = await createKey(house.db, merchantId, { kind: 'secret', mode: 'test', name: 'test' })
  const other = { ...house, merchantId, secretKey: key }
  assert.equal((await tryCard(other, await newLink(other))).status, 303)
  const counted = await house.db.query<{ merchant_id: number; name: string }>(sql`
    select merchant_id, name from decline_levels where merchant_id in (${shop.merchantId}, ${merchantId})`)
  assert.equal(new Set(counted.map(({ merchant_id }) => merchant_id)).size, 2)
  assert.equal(new Set(counted.map(({ name }) => name)).size, counted.length)
})

test('two servers on one database count together', async () => {
  const later = await openHouse({
    settings: believesProxy,
    databaseUrl: house.databaseUrl,
    world: { now: clock.now },
  })
  const other = { ...later, merchantId: shop.merchantId, secretKey: shop.secretKey }
  const [one, two] = await links(2)
  assert.ok(one && two)
  for (let count = 0; count < 5; count += 1) {
    await tryCard(count % 2 === 0 ? shop : other, one, { number: declining[count % 4] ?? '' })
  }
  assert.equal((await tryCard(shop, two, { number: goodCard })).status, 429)
  assert.equal((await tryCard(other, two, { number: goodCard })).status, 429)
  await later.close()
})

test('a customer with a clean record costs no extra round trips', async () => {
  const { app } = shop
  const card = { number: '4242424242424242', expiryMonth: 12, expiryYear: 2040, cvc: '123' }
  async function roundTrips(asker?: { address: string }): Promise<number> {
    const { digits } = await newLink(shop)
    // It is written in the background, and would be counted here.
    for (const { app: each } of [house, shop]) await each.flush()
    const key = { merchantId: shop.merchantId, number: digits.slice(8), mode: 'test' } as const
    return countSent(async () => app.payer.pay(key, card, undefined, asker))
  }
  await roundTrips({ address: '198.51.100.9' })
  assert.equal(await roundTrips({ address: '198.51.100.10' }), await roundTrips())
  assert.ok((await roundTrips()) > 0)
})

/** How often anything was written to PostgreSQL meanwhile, whatever the number of statements in one write. */
async function countSent(work: () => Promise<unknown>): Promise<number> {
  const write = mock.method(Connection.prototype, 'query')
  try {
    await work()
    return write.mock.callCount()
  } finally {
    write.mock.restore()
  }
}

test('an unlisted proxy is logged when its customers have to wait for one another', async () => {
  const plain = await openHouse({ databaseUrl: house.databaseUrl, world: { now: clock.now } })
  const at = { ...plain, merchantId: shop.merchantId, secretKey: shop.secretKey }
  const link = await newLink(at)
  // Whatever the header says: nobody believes it.
  for (let count = 0; count < 6; count += 1) {
    await tryCard(at, link, { from: `203.0.113.${count}`, number: declining[count % 4] ?? '' })
  }
  assert.equal((await tryCard(at, link, { from: '198.51.100.77', number: goodCard })).status, 429)
  assert.match(plain.log(), /TRUSTED_PROXIES does not name/)
  await plain.close()
})

test('a finished payment keeps no hash, however it ended', async () => {
  const paid = await newLink(shop)
  await tryCard(shop, paid, { number: goodCard })
  const declined = await newLink(shop)
  await tryCard(shop, declined)
  const rows = await house.db.query(sql`
    select from attempts where merchant_id = ${shop.merchantId} and coalesce(address_hash, card_fingerprint) is not null`)
  assert.equal(rows.length, 0)
})

test('cards and addresses are never stored, and their hashes are erased after a day', async () => {
  const from = '203.0.113.99'
  const link = await newLink(shop)
  for (const number of declining) await tryCard(shop, link, { from, number })
  await tryCard(shop, await newLink(shop), { from, number: challenge })
  const tables = await dumpTables(house)
  const everything =
    tables + house.log().replaceAll(/"remoteAddress":"[^"]*"/g, '') + (await readMetrics(house))
  for (const number of declining) assert.ok(!everything.includes(number), 'a card number is stored')
  assert.ok(!tables.includes(from), 'an address is stored')
  assert.ok((await hashes()) > 0)

  clock.jump(24 * hours - 10 * minutes)
  const forget = house.app.jobs.find((job) => job.name === 'prune hashes of cards')
  while ((await forget?.run()) !== 0);
  assert.equal(await hashes(), 0)
})

/** As an operator sees them. */
async function refusals(): Promise<{ wait: number; proof: number }> {
  const metrics = await readMetrics(house)
  const of = (reason: string): number =>
    Number(new RegExp(`refusals_total\\{reason="${reason}"\\} (\\d+)`).exec(metrics)?.[1] ?? 0)
  return { wait: of('wait'), proof: of('proof') }
}

async function hashes(): Promise<number> {
  const rows = await house.db.query(sql`
    select from decline_levels where merchant_id = ${shop.merchantId}
    union all
    select from attempts where merchant_id = ${shop.merchantId} and coalesce(address_hash, card_fingerprint) is not null`)
  return rows.length
}
