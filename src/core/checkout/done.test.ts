import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makePageModel, type ModelChanges } from '../../../test/support/page-model.ts'
import { ask, digits, scriptCheckout } from '../../../test/support/scripted-checkout.ts'
import { plainBrand } from '../merchants/brand/brand.ts'
import { addDone, nextAddress } from './done.ts'

const home = `/payment/${digits}`
const paid = { state: 'success', return_url: 'https://shop.example/thanks?basket=7' } as const

/** `shop`: it takes the customer back; otherwise the address that it leads to. */
async function done(payment: ModelChanges, query = ''): Promise<string | undefined> {
  const { checkout } = scriptCheckout({ payment, answers: { lookAgain: 'new' } })
  const { status, location, body } = await ask(addDone, checkout, `/done${query}`)
  if (status === 303) return location
  const address = /<meta http-equiv="refresh" content="0;url=([^"]*)"/.exec(body)?.[1]
  return address === 'https://shop.example/thanks?basket=7&amp;tx_ref=order-1&amp;status=success'
    ? 'shop'
    : body
}

test('a customer who has just paid is taken back to the shop at once', async () => {
  assert.equal(await done(paid), 'shop')
  assert.equal(await done(paid, '?looks=3'), 'shop')
})

test('without a return_url, or where the shop shows the receipt first, the customer stays on the receipt', async () => {
  assert.equal(await done({ ...paid, return_url: null }), home)
  assert.equal(await done({ ...paid, brand: { ...plainBrand, receiptFirst: true } }), home)
})

test('customers don’t return to the shop for a payment that is unpaid or no longer paid', async () => {
  for (const state of ['cancelled', 'failed', 'expired', 'refunded', 'reversed'] as const)
    assert.equal(await done({ ...paid, state }), home, state)
  assert.equal(await done({ ...paid, refunded_minor: 1n }), home)
  assert.equal(await done({ ...paid, state: 'pending' }), home)
})

test('customers of a family plugin return after cancelling or failing, too', async () => {
  const family: ModelChanges = { ...paid, callback_url: 'https://shop.example/ipn', dialect: 'family' }
  const leadsTo = async (changes: ModelChanges) =>
    /<meta http-equiv="refresh" content="0;url=([^?]*)\?tx_ref=order-1&amp;trx_ref=order-1&amp;status=(\w+)"/
      .exec((await done({ ...family, ...changes })) ?? '')
      ?.slice(1)
  assert.deepEqual(await leadsTo({}), ['https://shop.example/ipn', 'success'])
  for (const state of ['cancelled', 'failed'] as const)
    assert.deepEqual(await leadsTo({ state, return_url: 'https://shop.example/thanks' }), [
      'https://shop.example/thanks',
      state,
    ])
  assert.equal(await done({ ...family, state: 'cancelled', return_url: null }), home)
  for (const state of ['pending', 'expired', 'refunded', 'reversed'] as const)
    assert.equal(await done({ ...family, state }), home, state)
})

test('a waiting customer keeps waiting, in the same language and with the same count', async () => {
  const waiting: ModelChanges = { ...paid, state: 'pending', attempt: { state: 'submitted' } }
  assert.equal(await done(waiting, '?looks=3'), `${home}?looks=3`)
  assert.equal(await done(waiting, '?looks=off'), `${home}?looks=off`)
  assert.equal(await done(waiting, '?lang=de&returned=1'), `${home}?lang=de&returned=1`)
  assert.equal(await done(waiting, '?returned=1&looks=2'), `${home}?returned=1&looks=2`)
})

test('a receipt that asks for an e-mail address can’t be skipped', async () => {
  assert.equal(await done({ ...paid, updated_at: '2026-01-01T00:00:00.000000Z' }), home)
})

test('the payment’s state decides the next page', () => {
  assert.equal(nextAddress(makePageModel(paid)), '/payment/1/done')
  assert.equal(nextAddress(makePageModel({ ...paid, state: 'cancelled' })), '/payment/1')
})
