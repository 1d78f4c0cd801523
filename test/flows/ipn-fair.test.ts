import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMerchant } from '../../src/merchants/create-merchant.ts'
import { drawDeliveryId } from '../../src/notifications/announce.ts'
import { insertDeliveries } from '../../src/notifications/store.ts'
import { openHouse } from '../support/house.ts'
import { createPayment, happens } from '../support/pay.ts'
import { openReceiver } from '../support/receiver.ts'

const waiting = 10_000
const payments = 100

test('10,000 deliveries that wait for a dead receiver do not delay another merchant: p99 under a second', async () => {
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
    await insertDeliveries(
      house.db,
      Array.from({ length: 2_000 }, () => ({ ...one, id: drawDeliveryId('evt') })),
    )
  }
  const worker = house.app.startWorker()
  await dead.first(20)

  const times: number[] = []
  for (let round = 0; round < payments; round += 1) {
    const payment = await createPayment(house, { callback_url: good.url })
    const began = performance.now()
    await happens(house, payment, 'paid')
    const received = await good.first(round + 1)
    times.push((received[round]?.at ?? 0) - began)
  }
  const sorted = times.toSorted((a, b) => a - b)
  const p99 = sorted[Math.floor(payments * 0.99) - 1] ?? Infinity
  assert.ok(p99 < 1_000, `p99 is ${p99} ms`)
  assert.ok(dead.received.length <= 60, `${dead.received.length} tries hang at the dead receiver`)

  await Promise.all([dead.close(), good.close()])
  await worker.stop()
  await house.close()
})
