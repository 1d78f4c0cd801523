import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  formsIn,
  linksIn,
  now,
  pageAsk,
  wordsOf,
  type AskChanges,
} from '../../../../test/support/dashboard/page-ask.ts'
import { openIdForm, openIdPage } from './openid-page.ts'
import { provePage } from './prove-page.ts'

const provider = { people: { openId: { name: 'Acme' } } } as unknown as AskChanges
const page = (can: object = {}, person: object = {}, mistakes = {}) =>
  provePage(
    pageAsk({ person, ...provider }),
    '/next?a=1',
    { passkey: false, openId: false, ...can },
    mistakes,
  ).body

for (const [what, can, person, forms] of [
  ['a password', {}, {}, ['Continue']],
  ['a password and a passkey', { passkey: true }, {}, ['Continue', 'Use a passkey']],
  ['a passkey alone', { passkey: true }, { hasPassword: false }, ['Use a passkey']],
  ['a provider alone', { openId: true }, { hasPassword: false }, ['Confirm with Acme']],
  ['nothing', {}, { hasPassword: false }, []],
] as const)
  test(`a person with ${what} can confirm with ${forms.join(' or ') || 'nothing'}`, () => {
    const drawn = page(can, person)
    assert.deepEqual(Object.keys(formsIn(drawn)), forms)
    assert.equal(linksIn(drawn)['Set a password'] !== undefined, forms.length === 0)
    assert.equal(wordsOf(drawn).includes('You don’t have a password or passkey yet'), forms.length === 0)
    for (const [next] of drawn.text.matchAll(/name="next" value="[^"]*"/g))
      assert.equal(next, 'name="next" value="/next?a=1"')
  })

test('a wrong password says so, and the field comes first', () => {
  assert.match(wordsOf(page({}, {}, { password: 'Wrong password' })), /Wrong password/)
  assert.match(page().text, /autofocus/)
})

test('a provider’s button keeps where to go next, and is left out without a provider', () => {
  const label = (name: string): string => `With ${name}`
  assert.equal(openIdForm(pageAsk(), '/go', label), undefined)
  assert.match(openIdForm(pageAsk(provider), '/go', label, '/next')?.text ?? '', /name="next" value="\/next"/)
  assert.doesNotMatch(openIdForm(pageAsk(provider), '/go', label)?.text ?? '', /name="next"/)
})

test('an account at a provider is connected, or disconnected', () => {
  const linked = { email: 'ada@acme.example', usedAt: null }
  const open = (given?: object) => openIdPage(pageAsk(), 'Acme', given as never).body
  assert.deepEqual(Object.keys(formsIn(open())), ['Connect'])
  assert.match(wordsOf(open()), /Connect it to sign in without your password/)
  assert.deepEqual(Object.keys(formsIn(open(linked))), ['Disconnect'])
  assert.match(wordsOf(open(linked)), /Connected\. .* ada@acme\.example Not used yet/)
  assert.match(wordsOf(open({ email: null, usedAt: now.toISOString() })), /Acme Used just now/)
})
