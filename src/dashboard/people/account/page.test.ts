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
import type { Session } from '../sessions/sessions.ts'
import {
  accountPage,
  codesOnPage,
  codesPage,
  deletePage,
  emailPage,
  namePage,
  passwordPage,
  sessionsPage,
  type AccountFacts,
} from './page.ts'

const plain: AccountFacts = { passkeys: 0, sessions: 1, codesLeft: 10, openId: undefined }

function account(facts: Partial<AccountFacts> = {}, person: AskChanges['person'] = {}): string {
  return wordsOf(accountPage(pageAsk({ person }), { ...plain, ...facts }).body)
}

for (const [what, shown, expected] of [
  ['no passkeys', account(), /Passkeys None Add/],
  ['one passkey', account({ passkeys: 1 }), /Passkeys 1 Change/],
  ['one session', account(), /Sessions This device only Show/],
  ['two sessions', account({ sessions: 2 }), /Sessions 2 devices Show/],
  ['a password', account(), /Password Set Change/],
  ['no password', account({}, { hasPassword: false }), /Password none Set/],
  ['no app', account(), /Authenticator app off Turn on/],
  ['an app', account({}, { hasTotp: true }), /Authenticator app on 10 recovery codes left Change/],
  ['one code left', account({ codesLeft: 1 }, { hasTotp: true }), /1 recovery code left/],
  [
    'a connected provider',
    account({ openId: { name: 'example', isLinked: true } }),
    /Example Connected Change/,
  ],
  [
    'another provider',
    account({ openId: { name: 'example', isLinked: false } }),
    /Example Not connected Connect/,
  ],
] as const)
  test(`the account of somebody with ${what} says so`, () => {
    assert.match(shown, expected)
  })

test('an installation without a provider shows none', () => {
  assert.doesNotMatch(account(), /onnected/)
})

test('a form shows what was typed, or what is stored', () => {
  assert.match(namePage(pageAsk()).body.text, /value="Ada Lovelace"/)
  assert.match(namePage(pageAsk(), { name: 'Typed' }).body.text, /value="Typed"/)
  assert.match(emailPage(pageAsk(), { email: 'new@example.com' }).body.text, /value="new@example.com"/)
})

for (const [hasPassword, hasPasskeys, canRemove] of [
  [true, true, true],
  [true, false, false],
  [false, true, false],
] as const)
  test(`with ${hasPassword ? 'a' : 'no'} password and ${hasPasskeys ? '' : 'no '}passkeys the password can${canRemove ? '' : '’t'} be removed`, () => {
    const { title, body } = passwordPage(pageAsk({ person: { hasPassword } }), { hasPasskeys, rule: 'live' })
    assert.equal('Remove password' in formsIn(body), canRemove)
    assert.equal(title, hasPassword ? 'Change your password' : 'Set a password')
  })

test('the secret for an app is shown in groups of four, to be typed', () => {
  const page = codesPage(pageAsk(), { secret: 'ABCDEFGH', address: 'otpauth://totp/Florin' })
  assert.match(wordsOf(page.body), /ABCD EFGH/)
})

test('recovery codes that are left are counted', () => {
  assert.match(wordsOf(codesOnPage(pageAsk(), 1).body), /1 recovery code left/)
  assert.match(wordsOf(codesOnPage(pageAsk(), 2).body), /2 recovery codes left/)
})

const session = (id: string): Session =>
  ({ id, device: '', address: '192.0.2.1', startedAt: now, seenAt: now }) as Session

test('another session can be signed out, this one can’t, and all others at once when there are any', () => {
  const one = sessionsPage(pageAsk(), [session('own-session')]).body
  assert.match(wordsOf(one), /this device/)
  assert.deepEqual(formsIn(one), {})
  const two = sessionsPage(pageAsk(), [session('own-session'), session('other')]).body
  assert.deepEqual(Object.keys(formsIn(two)), ['Sign out', 'Sign out everywhere else'])
  assert.match(two.text, /name="id" value="other"/)
  assert.equal(linksIn(two)['← Your account'], '/dashboard/account')
})

test('deleting an account names the shops that are left', () => {
  assert.match(wordsOf(deletePage(pageAsk()).body), /You’ll leave Corner shop\./)
  const ask = pageAsk()
  const alone = deletePage({ ...ask, own: { ...ask.own, merchants: [] } }).body
  assert.doesNotMatch(wordsOf(alone), /You’ll leave/)
})
