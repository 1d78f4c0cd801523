import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openLinkShop, type LinkShop } from '../../../test/support/link-shop.ts'
import { cards, minuteMs } from '../../../test/support/till.ts'
import { drawTxRef } from './create-link.ts'
import { hasOldPayments } from './make-room.ts'

let shop: LinkShop
before(async () => {
  shop = await openLinkShop()
})
after(() => shop.close())

const held = 30 * minuteMs
const taken = { kind: 'closed', state: 'all_taken' }

test('a place is held for thirty minutes, then goes to the next customer', async () => {
  const link = await shop.newLink({ stock: '1' })
  const first = await shop.order(link)
  shop.till.forward(held - 1)
  assert.equal(await hasOldPayments(shop.linking, link), false)
  assert.deepEqual(await shop.order(link), taken)
  shop.till.forward(1)
  assert.equal(await hasOldPayments(shop.linking, link), false)
  assert.deepEqual(await shop.order(link), taken, 'thirty minutes are the holder’s to the last moment')
  assert.equal(await shop.stateOf(first), 'pending')
  shop.till.forward(1)
  assert.equal(await hasOldPayments(shop.linking, link), true)
  assert.equal(await shop.stateOf(first), 'pending', 'looking changes nothing')
  assert.equal((await shop.order(link)).kind, 'started')
  assert.equal(await shop.stateOf(first), 'cancelled')
  assert.equal((await shop.read(link)).taken, 1)
})

test('resending the form or reopening the link doesn’t hold the place longer', async () => {
  const link = await shop.newLink({ stock: '1' })
  const txRef = drawTxRef()
  const first = await shop.order(link, txRef)
  for (let n = 0; n < 6; n += 1) {
    shop.till.forward(held / 6)
    assert.deepEqual(await shop.order(link, txRef), first, 'the same payment')
    assert.deepEqual(await shop.order(link), taken)
  }
  shop.till.forward(1)
  assert.equal((await shop.order(link)).kind, 'started')
  assert.deepEqual(await shop.order(link, txRef), { kind: 'used' })
})

test('a place whose payment is in progress or paid is kept, however old', async () => {
  const link = await shop.newLink({ stock: '2' })
  const paying = await shop.order(link)
  const payment = { ...shop.paymentOf(paying), mode: 'test' } as const
  await shop.till.payer.pay(payment, cards.timeOutPaid)
  await shop.happens(await shop.order(link), 'paid')
  shop.till.forward(held + 1)
  assert.deepEqual(await shop.order(link), taken)
  assert.equal(await shop.stateOf(paying), 'pending')
  assert.deepEqual([(await shop.read(link)).taken, (await shop.read(link)).paid], [2, 1])
})

test('only places held by old payments are freed, recent ones stay', async () => {
  const link = await shop.newLink({ stock: '3' })
  const old = await shop.order(link)
  shop.till.forward(held)
  const young = [await shop.order(link), await shop.order(link)]
  shop.till.forward(1)
  assert.equal((await shop.order(link)).kind, 'started')
  assert.deepEqual(await shop.order(link), taken)
  assert.equal(await shop.stateOf(old), 'cancelled')
  for (const one of young) assert.equal(await shop.stateOf(one), 'pending')
})

test('while places are left no payment is cancelled', async () => {
  const link = await shop.newLink({ stock: '2' })
  const first = await shop.order(link)
  shop.till.forward(2 * held)
  assert.equal((await shop.order(link)).kind, 'started')
  assert.equal(await shop.stateOf(first), 'pending')
})

test('any number of old payments in progress doesn’t hide an abandoned one', async () => {
  const link = await shop.newLink({ stock: '5' })
  const stuck = [
    await shop.order(link),
    await shop.order(link),
    await shop.order(link),
    await shop.order(link),
  ]
  for (const one of stuck)
    await shop.till.payer.pay({ ...shop.paymentOf(one), mode: 'test' }, cards.timeOutPaid)
  shop.till.forward(1)
  const left = await shop.order(link)
  shop.till.forward(held + 1)
  assert.equal((await shop.order(link)).kind, 'started')
  assert.equal(await shop.stateOf(left), 'cancelled')
  for (const one of stuck) assert.equal(await shop.stateOf(one), 'pending')
})

test('at most three payments are cancelled for one customer, oldest first', async () => {
  const link = await shop.newLink({ stock: '5' })
  const orders = []
  for (let n = 0; n < 5; n += 1) {
    orders.push(await shop.order(link))
    shop.till.forward(1)
  }
  shop.till.forward(held)
  assert.equal((await shop.order(link)).kind, 'started')
  const states: string[] = []
  for (const one of orders) states.push(await shop.stateOf(one))
  assert.deepEqual(states, ['cancelled', 'cancelled', 'cancelled', 'pending', 'pending'])
})
