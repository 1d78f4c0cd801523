import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  factsIn,
  formsIn,
  linksIn,
  now,
  pageAsk,
  wordsOf,
  type AskChanges,
} from '../../../test/support/dashboard/page-ask.ts'
import { chargeNotice, chargePage, openCharge } from './charge-page.ts'

const payment = {
  number: '123456789012345678901234',
  tx_ref: 'order-1',
  amount_minor: 1_000n,
  currency: 'GBP',
  first_name: 'Ada',
  last_name: 'Lovelace',
  email: 'ada@example.com',
}
const path = `/dashboard/12345678/test/payments/${payment.number}/charge`
const held = {
  attempt: 1,
  state: 'held',
  next_check_at: null,
  charged_minor: 900n,
  charged_currency: 'GBP',
  card_brand: 'Visa',
  card_last4: '4242',
  method: 'card',
  connector: 'stripe',
  charge_reference: null,
  connector_reference: 'pi_1',
}
const stuck = { ...held, state: 'surplus' }
const page = (charge: object | undefined, mistakes = {}) =>
  chargePage(pageAsk(), { payment, charge } as never, mistakes).body
const notice = (attempts: readonly object[], ask: AskChanges = {}) =>
  chargeNotice(pageAsk(ask), payment as never, attempts as never)

for (const [state, next, isOpen] of [
  ['held', null, true],
  ['held', now.toISOString(), true],
  ['surplus', null, true],
  ['surplus', now.toISOString(), false],
  ['returned', null, false],
  ['charged', null, false],
] as const)
  test(`a charge that is ${state}, with ${next === null ? 'no' : 'a'} check ahead, ${isOpen ? 'needs' : 'needs no'} decision`, () => {
    const charge = { ...held, state, next_check_at: next } as never
    assert.equal(openCharge([charge]), isOpen ? charge : undefined)
    assert.equal(notice([charge]) !== undefined, isOpen)
  })

for (const [what, charge, ask, words, link] of [
  [
    'held, for support',
    held,
    { role: 'support' },
    /charged another amount It took £9\.00 instead of £10\.00/,
    true,
  ],
  ['stuck', stuck, {}, /second charge wasn’t returned The network took £9\.00 that nobody owes/, true],
  ['held, for a viewer', held, { role: 'viewer' }, /An owner or someone from support can decide/, false],
] as const)
  test(`the notice of a charge that is ${what} says what happened`, () => {
    const drawn = notice([charge], ask)
    assert.ok(drawn)
    assert.match(wordsOf(drawn), words)
    assert.deepEqual(linksIn(drawn), link ? { 'Decide what happens': path } : {})
  })

for (const [what, changes, buttons, title] of [
  ['less', {}, ['Accept £9.00', 'Send it back'], 'Accept it as paid in part'],
  ['one penny less', { charged_minor: 999n }, ['Accept £9.99', 'Send it back'], 'Accept it as paid in part'],
  [
    'as much',
    { charged_minor: 1_000n },
    ['Accept £10.00', 'Send it back'],
    'Accept it The payment becomes paid',
  ],
  [
    'more',
    { charged_minor: 1_001n },
    ['Accept £10.01', 'Send it back'],
    'Accept it The payment becomes paid',
  ],
  ['another currency', { charged_currency: 'EUR' }, ['Send it back'], 'The charge is in another currency'],
  ['a currency that is not known', { charged_currency: 'XXX' }, ['Send it back'], '900 XXX (in minor units)'],
  ['an unknown amount', { charged_minor: null }, ['Send it back'], 'an unknown amount'],
  ['an unknown currency', { charged_currency: null }, ['Send it back'], 'an unknown amount'],
] as const)
  test(`a held charge of ${what} offers ${buttons.join(' and ')}`, () => {
    const drawn = page({ ...held, ...changes })
    assert.deepEqual(Object.keys(formsIn(drawn)), buttons)
    assert.ok(wordsOf(drawn).includes(title), wordsOf(drawn))
    assert.equal(formsIn(drawn)['Send it back'], `${path}/do/send-back`)
  })

test('accepting says that the items go, where the payment has some', () => {
  const words = (items: string | null) =>
    wordsOf(chargePage(pageAsk(), { payment: { ...payment, items }, charge: held } as never).body)
  assert.match(words('[]'), /Its list of items goes/)
  assert.doesNotMatch(words(null), /items/)
})

test('a stuck charge is asked for again or marked as returned', () => {
  assert.deepEqual(formsIn(page(stuck)), {
    'Ask again': `${path}/do/return`,
    'Mark as returned': `${path}/do/returned`,
  })
  assert.match(wordsOf(page(stuck)), /^← order-1 A second charge wasn’t returned/)
})

test('the page names the charge at the network, and says when nothing is to be decided', () => {
  assert.deepEqual(factsIn(page(held)), {
    'Asked for': '£10.00',
    Charged: '£9.00',
    From: 'Ada Lovelace ada@example.com',
    By: 'Visa •••• 4242, Stripe',
    'At the network': 'pi_1',
  })
  assert.equal(factsIn(page({ ...held, charge_reference: 'ch_1' }))['At the network'], 'ch_1')
  assert.equal(factsIn(page({ ...held, connector_reference: null }))['At the network'], '')
  assert.match(wordsOf(page(undefined)), /Nothing to decide .* Back to the payment/)
  assert.match(wordsOf(page(held, { form: 'Someone was quicker' })), /Someone was quicker/)
})
