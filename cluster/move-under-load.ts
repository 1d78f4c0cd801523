import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { moveMerchant } from '../src/database/cluster/move-merchant.ts'
import { hearOfAll, openClusterHouse, type ClusterHouse } from './open-cluster-house.ts'
import { nodeOf } from './shop.ts'

// Run by `npm run cluster` alone: splitting and copying thirty tables takes too long for `npm test`.

let opened: ClusterHouse | undefined
before(async () => {
  opened = await openClusterHouse()
})
after(async () => opened?.close())

test('a merchant moves to another node while it is paid, and nothing is lost', async () => {
  assert.ok(opened)
  const { house, shops } = opened
  const [shop, other] = shops
  const moving = { isDone: false }
  const buy = async (): Promise<void> => {
    // What waits for too long is refused, and must then not be half done.
    while (!moving.isDone) await shop.buy()
  }
  const buying = buy()
  await moveMerchant(house.databaseUrl, shop.merchantId, other.node, () => {})
  moving.isDone = true
  await buying
  assert.equal(await nodeOf(house.databaseUrl, shop.merchantId), other.node)
  assert.ok(await shop.buy())
  for (const txRef of shop.paid) assert.equal(await shop.stateOf(txRef), 'success', txRef)
  for (const txRef of shop.created) assert.notEqual(await shop.stateOf(txRef), '404', txRef)
  await hearOfAll(shop)
})

test('a merchant that is where it should be is not moved again', async () => {
  assert.ok(opened)
  const [shop, other] = opened.shops
  const steps: string[] = []
  await moveMerchant(opened.house.databaseUrl, shop.merchantId, other.node, (step) => steps.push(step))
  assert.deepEqual(steps, [])
})

test('a node that is not there is refused', async () => {
  assert.ok(opened)
  const { merchantId } = opened.shops[0]
  const moved = moveMerchant(opened.house.databaseUrl, merchantId, 'nowhere:1', () => {})
  await assert.rejects(moved, /has no node nowhere:1/)
})
