import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createKey, revokeKey } from '../../src/core/merchants/change-keys.ts'
import { changeMerchant } from '../../src/core/merchants/create-merchant.ts'
import { call, openHouse, type House } from '../support/house.ts'
import { waitUntil } from '../support/wait-until.ts'

let one: House
let two: House

before(async () => {
  one = await openHouse()
  two = await openHouse({ databaseUrl: one.databaseUrl })
  await waitUntil('both servers listen', () => one.app.listener.connected && two.app.listener.connected)
})

after(async () => {
  await two.close()
  await one.close()
})

const statusAt = async (house: House, key: string): Promise<number> =>
  (await call(`${house.url}/api/transaction/none`, { key })).status

test('a key revoked on one server is refused by the other, which had cached it', async () => {
  const fresh = await createKey(one.db, one.merchantId, { kind: 'secret', name: 'lost' })
  assert.equal(await statusAt(one, fresh.key), 404, 'known, and nothing to look up')
  assert.equal(await statusAt(two, fresh.key), 404)
  await revokeKey(one.db, one.merchantId, fresh.id)
  await waitUntil('both refuse it', async () => {
    return (await statusAt(one, fresh.key)) === 401 && (await statusAt(two, fresh.key)) === 401
  })
})

test('live payments disabled on one server are disabled on the other too', async () => {
  assert.equal(await statusAt(two, one.liveKey), 404)
  await changeMerchant(one.db, one.merchantId, { liveEnabled: false })
  await waitUntil('the other refuses', async () => (await statusAt(two, one.liveKey)) === 403)
  assert.equal(await statusAt(two, one.secretKey), 404, 'test keys go on')
})
