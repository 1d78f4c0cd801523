import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  factsIn,
  formsIn,
  linksIn,
  now,
  pageAsk,
  tableIn,
  wordsOf,
  type AskChanges,
} from '../../../../test/support/dashboard/page-ask.ts'
import { payment } from '../../../../test/support/dashboard/payment-model.ts'
import { savedMethod } from '../../../../test/support/dashboard/saved-method.ts'
import type { MethodRow } from '../find-methods.ts'
import { endMethodPage, methodPage } from './method-page.ts'

const home = '/dashboard/12345678/test'
const path = `${home}/saved-methods/svm_1234567890123456`
const consent = { words: 'By paying, you agree', at: now.toISOString(), language: 'en', address: '192.0.2.7' }

function page(changes: Partial<MethodRow> = {}, more: object = {}, ask: AskChanges = {}) {
  const model = { method: savedMethod(changes), first: payment, charges: [], rules: { isStopped: false } }
  const customerPath = `${home}/customers/one?email=ada%40example.com`
  return methodPage(pageAsk(ask), { ...model, consent: undefined, customerPath, ...more }).body
}

test('a saved method’s page says whose it is and what they agreed to', () => {
  assert.deepEqual(factsIn(page({ limit_minor: 5_000n })), {
    State: 'usable',
    Customer: 'Ada Lovelace ada@example.com',
    'Your reference': 'member-7',
    Expires: '08/2029',
    For: 'Charges on a schedule',
    'Most per day': '£50.00',
    Saved: '18 November 2026, 12:00 UTC order-1',
  })
  const bare = factsIn(page({ agreement: 'unscheduled', expires: null }))
  assert.equal(bare['For'], 'Charges when something is due')
  assert.equal(bare['Most per day'], 'No amount was named')
  assert.ok(!('Expires' in bare))
  const proof = wordsOf(page({}, { consent }))
  assert.match(proof, /“By paying, you agree” .* on 18 November 2026, 12:00 UTC, from 192\.0\.2\.7\./)
  assert.match(wordsOf(page({}, { consent: { ...consent, address: null } })), /12:00 UTC\. Use it/)
})

test('the charges of a method are listed, with the reason where one failed', () => {
  assert.match(wordsOf(page()), /No charges yet/)
  const failed = { ...payment, tx_ref: 'renewal-2', state: 'failed', failure_reason: 'insufficient_funds' }
  assert.deepEqual(tableIn(page({}, { charges: [failed, payment] })).rows, [
    ['£10.00', 'failed', 'renewal-2', 'Not enough money on the card', 'just now'],
    ['£10.00', 'success', 'order-1', '', 'just now'],
  ])
  assert.deepEqual(tableIn(page({}, { charges: [payment] })).rows, [
    ['£10.00', 'success', 'order-1', 'just now'],
  ])
})

for (const [role, may] of [
  ['owner', true],
  ['support', true],
  ['developer', false],
  ['bookkeeper', false],
  ['viewer', false],
] as const)
  test(`a person with the role ${role} can${may ? '' : '’t'} charge or end a saved method`, () => {
    const links = linksIn(page({}, {}, { role }))
    assert.equal(links['Charge'], may ? `${path}/charge` : undefined)
    assert.equal(links['End'], may ? `${path}/end` : undefined)
  })

test('an ended method offers nothing', () => {
  const over = page({ ended_at: now.toISOString(), ended_by: 'customer' }, { rules: { isStopped: true } })
  assert.ok(!('Charge' in linksIn(over)))
  assert.equal(factsIn(over)['Ended'], '18 November 2026, 12:00 UTC')
  assert.doesNotMatch(wordsOf(over), /Charges are stopped/)
})

test('a stop of all charges is named, with the way to the switch for those who may see it', () => {
  const stopped = (ask: AskChanges) => page({}, { rules: { isStopped: true } }, ask)
  assert.match(wordsOf(stopped({})), /No saved method is charged in test mode until an owner allows it/)
  assert.equal(linksIn(stopped({}))['Settings, Saved methods'], `${home}/settings/saved-methods`)
  assert.ok(!('Settings, Saved methods' in linksIn(stopped({ role: 'viewer' }))))
})

test('ending asks first, and an ended method has nothing to end', () => {
  const ask = pageAsk()
  const drawn = endMethodPage(ask, { method: savedMethod(), first: payment }).body
  assert.deepEqual(formsIn(drawn), { 'End saved method': `${path}/end` })
  assert.equal(linksIn(drawn)['Keep'], path)
  const method = savedMethod({ ended_at: now.toISOString(), ended_by: 'merchant' })
  const over = endMethodPage(ask, { method, first: payment }).body
  assert.match(wordsOf(over), /already ended/)
  assert.doesNotMatch(over.text, /<button/)
})
