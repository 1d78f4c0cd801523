import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { makeStillClock } from '../support/clock.ts'
import { goodCard, newLink, stateOf } from '../support/customer.ts'
import { openHouse, type House } from '../support/house.ts'
import { believesProxy, countAttempts, declining, openPage, solve, tryCard } from '../support/stranger.ts'

// Customers who share an address with somebody whose cards were declined: an office, a hall, a mobile network.

let house: House
before(async () => {
  house = await openHouse({ settings: believesProxy, world: { now: makeStillClock().now } })
})
after(() => house.close())

test('another customer behind a waiting address pays with a proof found by the page', async () => {
  const declined = await newLink(house)
  for (let count = 0; count < 6; count += 1)
    await tryCard(house, declined, { number: declining[count % 4] ?? '' })
  const tried = await countAttempts(house)
  const own = await tryCard(house, declined, { number: goodCard })
  assert.deepEqual([own.status, own.headers.get('retry-after')], [429, '5'])

  const neighbour = await newLink(house)
  const page = await openPage(house, neighbour, '203.0.113.7')
  assert.doesNotMatch(page, /data-wait|Too many cards/)
  assert.equal((await tryCard(house, neighbour, { number: goodCard })).status, 429, 'without the proof')
  assert.equal(await countAttempts(house), tried)
  const fields = await solve(page)
  assert.equal((await tryCard(house, neighbour, { number: goodCard, fields })).status, 303)
  assert.equal(await stateOf(house, neighbour), 'success')
  assert.equal(
    (await tryCard(house, await newLink(house), { number: goodCard, fields })).status,
    429,
    'of one order',
  )
})
