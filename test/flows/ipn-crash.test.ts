import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { webhookSecrets } from '../../src/core/notifications/ipn/webhook-secrets.ts'
import { makeClock } from '../support/clock.ts'
import { openHouse } from '../support/house.ts'
import { createPayment, happens } from '../support/pay.ts'
import { openReceiver } from '../support/receiver.ts'
import { startServerProcess } from '../support/server-process.ts'

test('a server killed between delivery and recording resends with the same id', async () => {
  const clock = makeClock()
  const house = await openHouse({ world: { now: clock.now } })
  const doomed = await startServerProcess(house.databaseUrl)
  const receiver = await openReceiver((_, response) => {
    if (receiver.received.length === 1) process.kill(doomed.child.pid ?? 0, 'SIGKILL')
    response.end()
  })
  const told: string[] = []
  house.app.listener.on('florin_deliveries', (payload) => told.push(payload))
  // This process has no worker, so the other one hears of it by NOTIFY.
  const payment = await createPayment(house, { callback_url: receiver.url })
  await happens(house, payment, 'paid')
  const [first] = await receiver.first(1)
  assert.ok(told.some((payload) => payload.includes(new URL(receiver.url).origin)))

  const worker = house.app.startWorker()
  await house.app.deliverer.look()
  assert.equal(receiver.received.length, 1, 'the lease of the dead one still holds')
  clock.jump(31_000)
  await house.app.deliverer.look()
  const [, second] = await receiver.first(2)
  assert.ok(first && second)
  assert.equal(second.headers['webhook-id'], first.headers['webhook-id'])
  assert.equal(second.body, first.body)
  const [secret] = await webhookSecrets(house, { merchantId: house.merchantId, mode: 'test' })
  new Webhook(secret?.secret ?? '').verify(second.body, second.headers)

  await worker.stop()
  clock.jump(31_000)
  await house.app.deliverer.look()
  assert.equal(receiver.received.length, 2)
  await receiver.close()
  await house.close()
})
