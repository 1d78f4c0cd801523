import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { sql } from '../../src/platform/database/sql.ts'
import { createKey } from '../../src/core/merchants/change-keys.ts'
import { createMerchant } from '../../src/core/merchants/create-merchant.ts'
import { makeStillClock, minutes, type Clock } from '../support/clock.ts'
import { goodCard, newLink, stateOf, type Link } from '../support/customer.ts'
import { openHouse, type House } from '../support/house.ts'
import { readMetrics } from '../support/search-everything.ts'
import {
  believesProxy,
  countAttempts,
  declining,
  hidden,
  openPage,
  tryCard,
  solve,
} from '../support/stranger.ts'

// There are four numbers that the test network declines for a reason of the card, so the attack begins with as many declines as
// four cards may have before their own limit holds.

let clock: Clock
let house: House
let shop: House

before(async () => {
  clock = makeStillClock()
  const settings = { ...believesProxy, CARD_TESTING_ATTACK_DECLINES: '12' }
  house = await openHouse({ settings, world: { now: clock.now } })
})
after(() => house.close())

beforeEach(async () => {
  const merchantId = await createMerchant(house.db, { name: 'Corner shop' })
  const { key } = await createKey(house.db, merchantId, { kind: 'secret', mode: 'test', name: 'test' })
  shop = { ...house, merchantId, secretKey: key }
})

/** Under attack a card that was declined three times has to wait too. */
const cardsRestMs = 15_000

let addresses = 0
function newAddress(): string {
  addresses += 1
  return `198.51.${Math.floor(addresses / 250)}.${addresses % 250}`
}

/** From as many addresses as there are tries. */
async function attack(tries: number): Promise<void> {
  for (let count = 0; count < tries; count += 1) {
    await tryCard(shop, await newLink(shop), { from: newAddress(), number: declining[count % 4] ?? '' })
  }
}

async function alarms(): Promise<{ body: string }[]> {
  return house.db.query<{ body: string }>(sql`
    select body from deliveries where merchant_id = ${shop.merchantId} and event = 'card_testing.noticed'`)
}

// First, while the clock of the house is that of the database.
test('a shop with many customers has declines without being under attack', async () => {
  for (let count = 0; count < 7; count += 1) {
    await tryCard(shop, await newLink(shop), { from: newAddress(), number: goodCard })
  }
  await attack(13)
  assert.equal((await alarms()).length, 0)
  assert.equal(
    (await tryCard(shop, await newLink(shop), { from: newAddress(), number: goodCard })).status,
    303,
  )
})

test('100 addresses testing cards are an attack: every further try needs a proof', async () => {
  await attack(12)
  const tried = await countAttempts(shop)
  for (let count = 0; count < 88; count += 1) {
    const link = count % 10 === 0 ? await newLink(shop) : shared
    shared = link
    const answer = await tryCard(shop, link, { from: newAddress(), number: declining[count % 4] ?? '' })
    assert.equal(answer.status, 429)
  }
  assert.equal(await countAttempts(shop), tried)
})
let shared: Link

test('an honest customer can still pay: the browser finds the proof, which is accepted once', async () => {
  await attack(12)
  clock.jump(cardsRestMs)
  const link = await newLink(shop)
  const from = newAddress()
  const fields = await solve(await openPage(shop, link, from))
  const elsewhere = await newLink(shop)
  assert.equal((await tryCard(shop, elsewhere, { from, number: goodCard, fields })).status, 429)
  assert.equal((await tryCard(shop, link, { from, number: declining[1], fields })).status, 303)
  // Used up by the attempt that was declined.
  await tryCard(shop, link, { from, number: goodCard, fields })
  assert.equal(await stateOf(shop, link), 'pending')
  const again = await solve(await openPage(shop, link, from))
  assert.equal((await tryCard(shop, link, { from, number: goodCard, fields: again })).status, 303)
  assert.equal(await stateOf(shop, link), 'success')
})

test('without a script the page’s age is proof enough, and pressing too early doesn’t restart it', async () => {
  await attack(12)
  const link = await newLink(shop)
  const from = newAddress()
  const proof = hidden(await openPage(shop, link, from), 'proof') ?? ''
  clock.jump(8_000)
  const early = await tryCard(shop, link, { from, number: goodCard, fields: { proof, nonce: '' } })
  assert.equal(early.status, 429)
  assert.equal(early.headers.get('retry-after'), '12')
  assert.match(
    early.text,
    /Nothing is wrong with your card\. Enter it again and press the button in 12 seconds\./,
  )
  assert.equal(hidden(early.text, 'proof'), proof)
  assert.doesNotMatch(early.text, /data-wait/)
  clock.jump(12_000)
  await tryCard(shop, link, { from, number: goodCard, fields: { proof, nonce: '' } })
  assert.equal(await stateOf(shop, link), 'success')
})

test('decline reasons are coarse during an attack, on the page and in storage', async () => {
  const earlier = await newLink(shop)
  await tryCard(shop, earlier, { from: newAddress(), number: '4000000000009995' })
  assert.match(await openPage(shop, earlier, newAddress()), /not enough money/)
  await attack(12)
  clock.jump(cardsRestMs)
  const link = await newLink(shop)
  const from = newAddress()
  const fields = await solve(await openPage(shop, link, from))
  await tryCard(shop, link, { from, number: '4000000000000127', fields })
  clock.jump(30 * minutes)
  const page = await openPage(shop, link, from)
  assert.match(page, /Your card was declined\./)
  assert.doesNotMatch(page.replace(/<section class="test-cards[^]*/, ''), /security code was not right/)
  const rows = await house.db.query<{ decline_reason: string }>(sql`
    select decline_reason from attempts where merchant_id = ${shop.merchantId} and number = ${link.digits.slice(8)}`)
  assert.deepEqual(rows, [{ decline_reason: 'declined' }])
})

test('the merchant is told once per attack, by e-mail and by a metric', async () => {
  const attacksBefore = await readCount('florin_card_testing_attacks_total')
  await attack(12)
  assert.equal((await alarms()).length, 1)
  assert.deepEqual(JSON.parse((await alarms())[0]?.body ?? ''), { template: 'card_testing', declines: 12 })
  assert.ok((await readCount('florin_card_testing_merchants_under_attack')) >= 1)
  assert.equal(await readCount('florin_card_testing_attacks_total'), attacksBefore + 1)
  assert.match(house.log(), /cards are being tested/)

  clock.jump(25 * minutes)
  await attack(12)
  assert.equal((await alarms()).length, 1, 'the same attack goes on')
  clock.jump(90 * minutes)
  await attack(12)
  assert.equal((await alarms()).length, 2, 'a new one')

  const mail = await house.app.mailbox
    .list({ merchantId: shop.merchantId, limit: 10 } as never)
    .catch(() => [])
  void mail
})

async function readCount(name: string): Promise<number> {
  const line = new RegExp(`^${name} (\\d+)$`, 'm').exec(await readMetrics(house))
  return Number(line?.[1] ?? 0)
}

test('an attack ends ten minutes after the last wave', async () => {
  await attack(12)
  const link = await newLink(shop)
  assert.equal((await tryCard(shop, link, { from: newAddress(), number: goodCard })).status, 429)
  clock.jump(10 * minutes + 1)
  assert.equal(hidden(await openPage(shop, link, newAddress()), 'proof'), undefined)
  assert.equal((await tryCard(shop, link, { from: newAddress(), number: goodCard })).status, 303)
})

test('a network broken for everybody is no attack', async () => {
  for (let count = 0; count < 14; count += 1) {
    const link = await newLink(shop)
    await tryCard(shop, link, { from: newAddress(), number: '4000000000000119' })
    // Its number has a limit of its own.
    if (count % 4 === 3) clock.jump(60 * minutes)
  }
  assert.equal((await alarms()).length, 0)
})
