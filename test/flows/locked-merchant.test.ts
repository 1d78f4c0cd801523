import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { createKey } from '../../src/core/merchants/change-keys.ts'
import { createMerchant } from '../../src/core/merchants/create-merchant.ts'
import { call, openHouse, post, type House } from '../support/house.ts'
import { paymentRequest } from '../support/payment-request.ts'
import { waitUntil } from '../support/wait-until.ts'

// Somebody holds all rows of one merchant: an operator's open transaction, or a shard that moves to another node.

let house: House
before(async () => {
  // A busy merchant's calls would be refused by the rate limit, which is not what this is about.
  house = await openHouse({ settings: { RATE_LIMIT_BURST: '1000' } })
})
after(() => house.close())

/** Another merchant; its key. */
async function openShop(): Promise<string> {
  const id = await createMerchant(house.db, { name: 'Another shop' })
  return (await createKey(house.db, id, { kind: 'secret', mode: 'test', name: 'shop' })).key
}

async function create(key: string): Promise<string> {
  const request = paymentRequest()
  const { status, text } = await post(`${house.url}/api/payment`, request, key)
  assert.equal(status, 201, text)
  return String(request['tx_ref'])
}

const cancel = async (txRef: string, key: string): ReturnType<typeof call> =>
  call(`${house.url}/api/transaction/${txRef}/cancel`, { method: 'POST', key })

/** The statuses of a look-up and a cancellation. */
async function useShop(key: string): Promise<number[]> {
  const txRef = await create(key)
  const found = await call(`${house.url}/api/transaction/${txRef}`, { key })
  return [found.status, (await cancel(txRef, key)).status]
}

test('while one merchant’s rows are locked, only its own calls wait or are asked to try again', async () => {
  const { merchantId, secretKey } = house
  const locked = await Promise.all(Array.from({ length: 30 }, async () => create(secretKey)))
  const others = await Promise.all(Array.from({ length: 20 }, openShop))
  const holder = new pg.Client({ connectionString: house.databaseUrl })
  await holder.connect()
  await holder.query('begin')
  await holder.query('select from payments where merchant_id = $1 for update', [merchantId])
  const waiting = Promise.all(locked.map(async (txRef) => cancel(txRef, secretKey)))
  await waitUntil('the merchant’s calls wait', () => house.db.load().waiting > 0)
  assert.ok(house.db.load().busy < 20, 'connections are left for others')
  const statuses = await Promise.all(others.map(useShop))
  assert.deepEqual(new Set(statuses.flat()), new Set([200]))
  await holder.query('commit')
  await holder.end()
  for (const { status, headers } of await waiting)
    if (status !== 200) assert.deepEqual([status, headers.get('retry-after')], [503, '2'])
  assert.deepEqual(await useShop(secretKey), [200, 200])
})
