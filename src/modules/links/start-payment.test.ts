import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openLinkShop, type LinkShop } from '../../../test/support/link-shop.ts'
import { hourMs } from '../../../test/support/till.ts'
import { Refusal } from '../../platform/errors/refusals.ts'
import { bySystem } from '../../core/audit/audit.ts'
import { pauseLink, resumeLink } from './change-link.ts'
import { drawTxRef } from './create-link.ts'
import { checkPayment } from './start-payment.ts'

let shop: LinkShop
before(async () => {
  shop = await openLinkShop()
})
after(() => shop.close())

const customer = { txRef: 'link_0000000000000000', email: 'ada@example.com', firstName: 'Ada', lastName: '' }
const openAmount = { title: 'Gift', description: null, currency: 'GBP', amount_minor: null }

for (const [least, most, amount, isTaken] of [
  [null, null, 1n, true],
  [500n, null, 499n, false],
  [500n, null, 500n, true],
  [null, 900n, 900n, true],
  [null, 900n, 901n, false],
  [500n, 500n, 500n, true],
] as const) {
  test(`from ${least} to ${most}, ${amount} is ${isTaken ? 'taken' : 'refused'}`, () => {
    const link = { ...openAmount, least_minor: least, most_minor: most }
    const check = () => checkPayment(shop.place, link, { ...customer, amountMinor: amount })
    if (isTaken) assert.equal(check().amountMinor, amount)
    else
      assert.throws(check, (error) => error instanceof Refusal && Object.hasOwn(error.errors ?? {}, 'amount'))
  })
}

test('a fixed amount can’t be changed by the customer, and an open one is required', () => {
  const limits = { least_minor: null, most_minor: null }
  const fixed = { ...openAmount, ...limits, amount_minor: 1_250n }
  assert.equal(checkPayment(shop.place, fixed, { ...customer, amountMinor: 1n }).amountMinor, 1_250n)
  assert.throws(
    () => checkPayment(shop.place, { ...openAmount, ...limits }, { ...customer, amountMinor: undefined }),
    { message: 'amount is required' },
  )
})

test('a link takes payments until its last moment, even from pages opened earlier', async () => {
  const { paying } = shop.till
  const today = paying.now().toISOString().slice(0, 10)
  const link = await shop.newLink({ ends_on: today })
  const left = Date.parse(link.ends_at ?? '') - paying.now().getTime()
  shop.till.forward(left - 1)
  assert.equal((await shop.order(link)).kind, 'started')
  shop.till.forward(1)
  assert.deepEqual(await shop.order(link), { kind: 'closed', state: 'ended' })
  assert.equal((await shop.read(link)).taken, 1)
})

test('a paused link takes no payments, and continues once resumed', async () => {
  const link = await shop.newLink({ stock: '2' })
  const txRef = drawTxRef()
  const begun = await shop.order(link, txRef)
  await pauseLink(shop.linking, shop.place, link.id, bySystem)
  assert.deepEqual(await shop.order(link), { kind: 'closed', state: 'paused' })
  assert.deepEqual(await shop.order(link, txRef), begun, 'who has a place may go on')
  shop.till.forward(hourMs)
  assert.deepEqual(await shop.order(link), { kind: 'closed', state: 'paused' })
  assert.equal(await shop.stateOf(begun), 'pending', 'nobody is put out for a link that takes nobody')
  await resumeLink(shop.linking, shop.place, link.id, bySystem)
  assert.equal((await shop.order(link)).kind, 'started')
})

for (const [event, kind] of [
  ['paid', 'started'],
  ['cancelled_by_customer', 'used'],
  ['ran_out_of_time', 'used'],
  ['attempts_used_up', 'used'],
] as const) {
  test(`a form sent again after its payment ${event.replaceAll('_', ' ')} is ${kind}`, async () => {
    const link = await shop.newLink({ stock: '3' })
    const txRef = drawTxRef()
    const first = await shop.order(link, txRef)
    await shop.happens(first, event)
    const again = await shop.order(link, txRef)
    assert.deepEqual(again, kind === 'started' ? first : { kind })
    assert.equal((await shop.read(link)).taken, 1, 'one place, and no other')
  })
}
