import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CheckoutView } from '../payments/checkout-view.ts'
import { attemptStates, inFlight, paymentStates } from '../payments/state-machine.ts'
import { screenOf, screens } from './screens.ts'

const attempts = ['none', ...attemptStates] as const

test('every state of a payment has a screen for every state of its last attempt', () => {
  for (const state of paymentStates) {
    for (const attempt of attempts) assert.ok(screens[state][attempt], `${state} and ${attempt}`)
  }
})

test('a page that says no money was taken is never shown while an attempt is in flight or has succeeded', () => {
  for (const state of ['pending', 'cancelled', 'expired', 'failed'] as const) {
    for (const attempt of [...inFlight, 'succeeded'] as const) {
      assert.match(screens[state][attempt], /^(waiting|challenge)$/, `${state} and ${attempt}`)
    }
  }
})

test('a paid payment shows its receipt whatever its attempts say', () => {
  assert.deepEqual(new Set(Object.values(screens.success)), new Set(['paid']))
})

test('live mode offers only what a network accepts', () => {
  const view = { payment: { state: 'pending', mode: 'live' }, lastAttempt: undefined } as CheckoutView
  const offer = { accountId: 'acc_1', connector: 'x', label: 'X', method: 'card', sandbox: false } as const
  assert.equal(screenOf({ view }), 'unavailable')
  assert.equal(screenOf({ view, offered: { offers: [], amountOutOfRange: true } }), 'unavailable')
  assert.equal(screenOf({ view, offered: { offers: [offer], amountOutOfRange: false } }), 'pay')
})

test('a suspended merchant can’t be paid', () => {
  const view = { payment: { state: 'pending', mode: 'test' }, lastAttempt: undefined } as CheckoutView
  assert.equal(screenOf({ view }), 'pay')
  assert.equal(screenOf({ view: { ...view, isSuspended: false } }), 'pay')
  assert.equal(screenOf({ view: { ...view, isSuspended: true } }), 'unavailable')
  const paid = { ...view, payment: { ...view.payment, state: 'success' as const } }
  assert.equal(screenOf({ view: { ...paid, isSuspended: true } }), 'paid')
})

test('while the network’s page is open the customer may choose again, and waits after returning', () => {
  const payment = { state: 'pending', mode: 'test' }
  const lastAttempt = { state: 'action_required', hosted: { accountId: 'acc_1' } }
  const view = { payment, lastAttempt } as CheckoutView
  assert.equal(screenOf({ view }), 'pay')
  assert.equal(screenOf({ view, returned: true }), 'waiting')
  const ended = { ...view, payment: { ...view.payment, state: 'cancelled' as const } }
  assert.equal(screenOf({ view: ended }), 'waiting')
})
