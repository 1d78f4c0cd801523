import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMerchant } from '../../src/core/merchants/create-merchant.ts'
import { inTransaction } from '../../src/platform/database/database.ts'
import { drawDeliveryId } from '../../src/core/notifications/delivery-id.ts'
import { insertDeliveries } from '../../src/core/notifications/store.ts'
import { openHouse } from '../support/house.ts'
import { createPayment, happens } from '../support/pay.ts'
import { openReceiver } from '../support/receiver.ts'

const waiting = 10_000
const payments = 100

// How fast they come is measured by bench/notifications.ts; here each comes while the dead receiver holds what it got.
test('10,000 deliveries to a dead receiver don’t hold up another merchant’s', async () => {
  const house = await openHouse()
  const dead = await openReceiver(() => {})
  const good = await openReceiver()
  const merchantId = await createMerchant(house.db, { name: 'With a dead receiver' })
  const one = {
    merchant_id: merchantId,
    kind: 'ipn',
    mode: 'test',
    event: 'payment.success',
    number: null,
    target: dead.url,
    origin: new URL(dead.url).origin,
    body: '{}',
    state: 'waiting',
  } as const
  for (let start = 0; start < waiting; start += 2_000) {
    await inTransaction(house.db, async (tx) =>
      insertDeliveries(
        tx,
        merchantId,
        Array.from({ length: 2_000 }, () => ({ ...one, id: drawDeliveryId('evt') })),
      ),
    )
  }
  const worker = house.app.startWorker()
  await dead.first(20)

  for (let round = 0; round < payments; round += 1) {
    const payment = await createPayment(house, { callback_url: good.url })
    await happens(house, payment, 'paid')
    await good.first(round + 1)
  }
  assert.ok(dead.received.length <= 60, `${dead.received.length} tries hang at the dead receiver`)

  await Promise.all([dead.close(), good.close()])
  await worker.stop()
  await house.close()
})
