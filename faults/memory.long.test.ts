// Own process: it measures the heap, which others would fill.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import type { House } from '../test/support/house.ts'
import { anyRequest, openHostileHouse, sendHostile } from './hostile-requests.ts'

const seed = 20261115
const atOnce = 15

let house: House
before(async () => {
  house = await openHostileHouse()
})
after(() => house.close())

test('memory stays flat over thousands of hostile requests', async () => {
  const requests = fc.sample(anyRequest, { numRuns: 150, seed })
  const sendAll = async (): Promise<void> => {
    for (let at = 0; at < requests.length; at += atOnce)
      await Promise.all(requests.slice(at, at + atOnce).map(async (sent) => sendHostile(house, sent)))
  }
  for (let round = 0; round < 4; round += 1) await sendAll()
  const settled = heapBytes()
  for (let round = 0; round < 10; round += 1) await sendAll()
  const grown = heapBytes() - settled
  // The log of the house is kept in memory by the test itself, some 300 bytes a request.
  assert.ok(grown < 8_000_000, `${grown} bytes more after 1,500 requests`)
})

function heapBytes(): number {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  collect()
  return process.memoryUsage().heapUsed
}
