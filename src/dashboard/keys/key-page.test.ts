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
} from '../../../test/support/dashboard/page-ask.ts'
import type { KeySummary } from '../../core/merchants/list.ts'
import { keyPage } from './key-page.ts'
import { describeKind, isLiving, keysPage, keyState } from './keys-page.ts'
import { freshKeyPage, newKeyPage } from './new-key-page.ts'
import { webhookSecretPage } from './webhook-secret-page.ts'

const at = (seconds: number): string => new Date(now.getTime() + seconds * 1_000).toISOString()
const bounds = {
  hosts: ['shop.example'],
  callback_hosts: null,
  tx_ref_prefix: null,
  currencies: ['GBP'],
  min_minor: 100,
  max_minor: null,
  signed: false,
  shows_title: false,
}
const key: KeySummary = {
  id: 'key_1',
  kind: 'secret',
  mode: 'test',
  hint: 'sk_test_…1',
  name: 'Web',
  created_at: at(0),
  last_used_at: null,
  ends_at: null,
  revoked_at: null,
  exposed_at: null,
  may_refund: true,
  dialect: 'florin',
  form: null,
}

for (const [what, changes, living, state] of [
  ['is new', {}, true, 'active'],
  ['is revoked', { revoked_at: at(0) }, false, 'revoked'],
  ['ends now', { ends_at: at(0) }, false, 'ended'],
  ['ends in a second', { ends_at: at(1) }, true, 'ends soon'],
  ['is in a form', { exposed_at: at(0) }, true, 'exposed'],
  ['was in a form and ended', { exposed_at: at(0), ends_at: at(0) }, false, 'ended'],
] as const)
  test(`a key that ${what} is ${state}`, () => {
    const one = { ...key, ...changes }
    assert.equal(isLiving(one, now), living)
    assert.equal(wordsOf(keyState(one, now)), state)
    const page = keyPage(pageAsk(), one).body
    assert.equal('Roll' in linksIn(page), living)
    assert.equal(wordsOf(page).includes('is in a web form'), state === 'exposed')
    assert.ok(!('Roll' in linksIn(keyPage(pageAsk({ role: 'viewer' }), one).body)))
  })

for (const [changes, words] of [
  [{}, 'Secret'],
  [{ may_refund: false }, 'Secret, no refunds'],
  [{ kind: 'api', may_refund: false }, 'Projects'],
  [{ kind: 'form', form: bounds }, 'Form'],
  [{ kind: 'form', form: { ...bounds, signed: true } }, 'Form, signed'],
  [{ dialect: 'family', may_refund: false }, 'Secret, no refunds, for other plugins'],
] as const)
  test(`a key with ${JSON.stringify(changes)} is called ${words}`, () => {
    assert.equal(describeKind({ ...key, ...changes }), words)
  })

test('ended keys are listed separately, and a shop without keys reads what they are for', () => {
  const page = keysPage(pageAsk(), [key, { ...key, id: 'key_2', name: 'Old', revoked_at: at(0) }]).body
  assert.match(wordsOf(page), /Revoked and ended \(1\)/)
  assert.deepEqual(
    tableIn(page).rows.map(([name, , , state, used]) => [name, state, used]),
    [
      ['Web', 'active', 'never'],
      ['Old', 'revoked', 'never'],
    ],
  )
  assert.match(wordsOf(keysPage(pageAsk(), []).body), /No keys yet/)
  assert.doesNotMatch(wordsOf(keysPage(pageAsk(), [key]).body), /No keys yet|Revoked and ended/)
  assert.ok('New key' in linksIn(keysPage(pageAsk(), []).body))
  assert.ok(!('New key' in linksIn(keysPage(pageAsk({ role: 'viewer' }), []).body)))
})

test('a key shows its times and the limits of its forms, where it has them', () => {
  const plain = factsIn(keyPage(pageAsk(), key).body)
  assert.deepEqual(
    [plain['Ends'], plain['Revoked'], plain['Found in a web form'], plain['Signed']],
    [undefined, undefined, undefined, undefined],
  )
  const form = factsIn(
    keyPage(pageAsk(), { ...key, kind: 'form', form: bounds, mode: null, ends_at: at(60) }).body,
  )
  assert.deepEqual(
    [form['Smallest amount'], form['Largest amount'], form['Signed'], form['Title, description, logo']],
    ['£1.00', undefined, 'no', 'ignored'],
  )
  assert.equal(form['tx_ref starts with'], undefined)
  assert.equal(form['Mode'], 'both (projects have no mode)')
  assert.equal(form['Ends'], '18 November 2026, 12:01 UTC')
  const other = { ...bounds, signed: true, shows_title: true, tx_ref_prefix: 'web-', currencies: null }
  const bound = factsIn(keyPage(pageAsk(), { ...key, form: other }).body)
  assert.deepEqual(
    [
      bound['Signed'],
      bound['Title, description, logo'],
      bound['tx_ref starts with'],
      bound['Smallest amount'],
    ],
    ['yes: unsigned forms are refused', 'shown', 'web-', undefined],
  )
})

for (const [kind, words, radios] of [
  ['secret', /For your server/, ['yes', 'florin']],
  ['form', /For a form on your page/, ['no', 'florin']],
  ['api', /For the projects API/, []],
] as const)
  test(`the form of a new ${kind} key says what it is for`, () => {
    const page = newKeyPage(pageAsk(), kind).body
    assert.match(wordsOf(page), words)
    assert.match(page.text, new RegExp(`kind=${kind}" aria-current="page"`))
    assert.deepEqual(
      [...page.text.matchAll(/value="(\w+)" checked/g)].map(([, value]) => value),
      radios,
    )
    assert.equal(page.text.includes('name="hosts"'), kind === 'form')
  })

test('a form key keeps what was chosen when its form comes back', () => {
  const typed = new Map([
    ['signed', 'yes'],
    ['title', 'yes'],
    ['currency', 'GBP'],
  ])
  const page = newKeyPage(pageAsk(), 'form', typed).body.text
  assert.match(page, /name="signed" value="yes" checked/)
  assert.match(page, /name="title" value="yes" checked/)
  assert.match(page, /<option value="GBP" selected>/)
  assert.doesNotMatch(newKeyPage(pageAsk(), 'form').body.text, /name="title" value="yes" checked/)
  const noRefunds = newKeyPage(pageAsk(), 'secret', new Map([['refunds', 'no']])).body.text
  assert.match(noRefunds, /name="refunds" value="no" checked/)
  const family = newKeyPage(pageAsk(), 'secret', new Map([['dialect', 'family']])).body.text
  assert.match(family, /name="dialect" value="family" checked/)
  assert.match(family, /href="\/docs\/moving"/)
})

test('a new key is shown once, with a first call for a secret key in test mode', () => {
  const shown = (kind: 'secret' | 'form' | 'api', mode: 'test' | 'live', formSecret?: string) =>
    freshKeyPage(pageAsk({ mode }), {
      kind,
      name: 'Web',
      fresh: { key: 'sk_1', ...(formSecret && { formSecret }) } as never,
    }).body
  assert.match(wordsOf(shown('secret', 'test')), /Create a payment with it/)
  assert.doesNotMatch(wordsOf(shown('secret', 'live')), /Create a payment with it/)
  assert.doesNotMatch(wordsOf(shown('api', 'test')), /Create a payment with it|Form secret/)
  assert.ok('Build a form with it' in formsIn(shown('form', 'test')))
  assert.ok(!('Build a form with it' in formsIn(shown('secret', 'test'))))
  assert.match(wordsOf(shown('form', 'test', 'fs_1')), /Form secret.*Sign a form/)
  assert.equal(linksIn(shown('form', 'test'))['Guide for developers'], '/docs/form')
  assert.equal(linksIn(shown('secret', 'test'))['Guide for developers'], '/docs')
})

test('the webhook secret is hidden until requested, and permitted roles can roll it', () => {
  const secrets = [
    { id: 'whs_1', secret: 'whsec_new', created_at: at(0), ends_at: null },
    { id: 'whs_0', secret: 'whsec_old', created_at: at(0), ends_at: at(60) },
  ] as never
  const hidden = webhookSecretPage(pageAsk(), secrets).body
  assert.doesNotMatch(hidden.text, /whsec_new/)
  assert.deepEqual(Object.keys(formsIn(hidden)), ['Show secret', 'Roll secret'])
  assert.match(hidden.text, /name="rolled" value="whs_1"/)
  assert.doesNotMatch(hidden.text, /value="whs_0"/)
  assert.match(wordsOf(hidden), /Old secret .* Signs until 18 November 2026, 12:01 UTC/)
  const shown = webhookSecretPage(pageAsk(), secrets, { isShown: true }).body
  assert.match(shown.text, /value="whsec_new"/)
  assert.ok(!('Show secret' in formsIn(shown)))
  assert.deepEqual(formsIn(webhookSecretPage(pageAsk({ role: 'viewer' }), secrets).body), {})
})
