import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Worker } from 'node:worker_threads'
import { makeStillClock } from '../support/clock.ts'
import { newLink, putInState } from '../support/customer.ts'
import { openHouse, type House } from '../support/house.ts'

// Receipts are drawn beside the server's own thread, each once. Counted, not timed.

let house: House
let threads = 0
let drawn = 0

function onWorker(worker: Worker): void {
  threads += 1
  worker.on('message', () => (drawn += 1))
}

before(async () => {
  process.on('worker', onWorker)
  house = await openHouse({ world: { now: makeStillClock().now } })
})
after(async () => {
  await house.close()
  process.off('worker', onWorker)
})

async function paidLink(order: number): Promise<string> {
  const items = [{ name: `Chair of order ${order}`, unit_amount: '10.00' }]
  const link = await newLink(house, { amount: '10.00', items })
  await putInState(house, link, 'success')
  return link.url
}

async function fetchPdf(url: string): Promise<{ status: number; body: string; retryAfter: string | null }> {
  const answer = await fetch(`${url}/receipt.pdf`)
  const body = Buffer.from(await answer.arrayBuffer()).toString('latin1')
  return { status: answer.status, body, retryAfter: answer.headers.get('retry-after') }
}

test('one thread beside the server draws each receipt once, and too many requests from an address wait', async () => {
  const [first = '', ...others] = await Promise.all(Array.from({ length: 21 }, async (_, at) => paidLink(at)))
  const same = await Promise.all(Array.from({ length: 30 }, async () => fetchPdf(first)))
  assert.deepEqual([threads, drawn], [1, 1])
  for (const { status, body } of same) {
    assert.equal(status, 200)
    assert.ok(body.startsWith('%PDF') && body === same[0]?.body)
  }
  for (const link of others.slice(0, -1)) assert.equal((await fetchPdf(link)).status, 200)
  assert.deepEqual([threads, drawn], [1, others.length])
  const refused = await fetchPdf(others.at(-1) ?? '')
  assert.deepEqual([refused.status, refused.retryAfter], [429, '1'])
  assert.equal((await fetchPdf(first)).status, 200, 'a receipt that was drawn is free')
})
