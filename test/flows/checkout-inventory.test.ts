import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { takeInventory } from '../support/checkout-inventory.ts'
import { openHouse, type House } from '../support/house.ts'

let house: House
before(async () => {
  house = await openHouse()
})
after(() => house.close())

test('the card page serves exactly what the committed inventory lists', async () => {
  const file = new URL('../../src/core/checkout/inventory.json', import.meta.url)
  const served = await takeInventory(house)
  const renew = 'Look at what changed; if it is meant to be, run npm run inventory'
  assert.deepEqual(served, JSON.parse(readFileSync(file, 'utf8')), renew)
})

test('the card page runs only our own script, checked by its hash', async () => {
  const { scripts, others, headers } = await takeInventory(house)
  assert.deepEqual(others, [])
  assert.equal(scripts.length, 1)
  assert.match(headers['content-security-policy'] ?? '', /script-src 'self';/)
  assert.doesNotMatch(headers['content-security-policy'] ?? '', /unsafe|\*/)
  assert.match(headers['content-security-policy'] ?? '', /form-action 'self';.*frame-ancestors 'none'/)
  assert.equal(headers['cache-control'], 'no-store')
  assert.equal(headers['referrer-policy'], 'no-referrer')
})
