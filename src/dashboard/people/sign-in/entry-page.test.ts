import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formsIn, linksIn, pageAsk, wordsOf } from '../../../../test/support/dashboard/page-ask.ts'
import {
  emailSentPage,
  forgottenPage,
  joinPage,
  linkOverPage,
  messagePage,
  secondFactorPage,
  signInPage,
  type JoinModel,
} from './entry-page.ts'

const people = { people: { openId: undefined } } as never as object
const ask = pageAsk({ path: '/join/token', ...people })
const site = { host: 'localhost', origin: 'http://localhost' }

function signIn(changes: Partial<Parameters<typeof signInPage>[1]> = {}, of = ask) {
  return signInPage(of, { next: undefined, isSignUpOpen: false, ...changes }).body
}

test('signing in leads on to the page that was asked for', () => {
  assert.match(signIn({ next: '/dashboard/account' }).text, /name="next" value="\/dashboard\/account"/)
  assert.doesNotMatch(signIn().text, /name="next"/)
  assert.match(
    secondFactorPage(ask, '/dashboard/account').body.text,
    /name="next" value="\/dashboard\/account"/,
  )
  assert.doesNotMatch(secondFactorPage(ask, undefined).body.text, /name="next"/)
})

test('a code is typed first, as digits that no browser corrects', () => {
  const field = /<input\b[^>]*name="code"[^>]*>/.exec(secondFactorPage(ask, undefined).body.text)?.[0] ?? ''
  for (const attribute of ['class="code"', 'spellcheck="false"', 'autofocus', 'autocomplete="one-time-code"'])
    assert.ok(field.includes(attribute), `${attribute} in ${field}`)
})

test('an address that was typed is shown again, and a password never', () => {
  const page = signIn({ typed: { email: 'ada@example.com', password: 'secret' } }).text
  assert.match(page, /value="ada@example.com"/)
  assert.doesNotMatch(page, /value="secret"/)
  assert.match(forgottenPage(ask, { email: 'ada@example.com' }).body.text, /value="ada@example.com"/)
})

test('sign-up is offered where it is open, and passkeys where they work', () => {
  assert.equal(linksIn(signIn({ isSignUpOpen: true }))['Sign up'], '/dashboard/sign-up')
  assert.ok(!('Sign up' in linksIn(signIn())))
  assert.ok('Sign in with a passkey' in formsIn(signIn({ next: '/dashboard' }, { ...ask, site })))
  assert.ok(!('Sign in with a passkey' in formsIn(signIn())))
})

test('without a mail server the page says how the operator can read the e-mail', () => {
  const sent = (hasMailServer: boolean): string =>
    wordsOf(emailSentPage(pageAsk({ dashboard: { hasMailServer } }), 'ada@example.com', 'A link.').body)
  assert.match(sent(false), /no mail server.*florin mailbox --people/)
  assert.doesNotMatch(sent(true), /no mail server/)
  assert.match(sent(true), /Sent to ada@example.com/)
})

test('a link that is over leads to signing in, unless there is a better place', () => {
  assert.deepEqual(linksIn(linkOverPage(ask, { sentence: 'It is over.' }).body), {
    'Sign in': '/dashboard/sign-in',
  })
  const elsewhere = { sentence: 'It is over.', to: '/dashboard/forgotten', label: 'New link' }
  assert.deepEqual(linksIn(linkOverPage(ask, elsewhere).body), { 'New link': '/dashboard/forgotten' })
  assert.deepEqual(linksIn(messagePage(ask, 'Done', 'It is done.').body), {
    'Go to the dashboard': '/dashboard',
  })
  const link = { to: '/dashboard/account', label: 'Account' }
  assert.deepEqual(linksIn(messagePage(ask, 'Done', 'It is done.', link).body), {
    Account: '/dashboard/account',
  })
})

const model: Omit<JoinModel, 'who'> = {
  merchantName: 'Corner shop',
  role: 'viewer',
  email: 'ada@example.com',
  rule: 'live',
}

for (const [who, buttons, links, words] of [
  ['signed_in', { Join: '/dashboard/join/token' }, [], /You’re invited as viewer, with ada@example.com/],
  ['known', {}, ['Sign in to join'], /Join Corner shop/],
  ['strange', { 'Sign out': '/dashboard/sign-out' }, [], /signed in with another address/],
  ['new', { Join: '/dashboard/join/token' }, [], /Your name/],
] as const)
  test(`an invitation for somebody who is ${who} offers ${Object.keys(buttons).join() || links.join()}`, () => {
    const page = joinPage(ask, { ...model, who }).body
    assert.deepEqual(formsIn(page), buttons)
    assert.deepEqual(Object.keys(linksIn(page)), links)
    assert.match(wordsOf(page), words)
    assert.equal(page.text.includes('name="password"'), who === 'new')
  })

test('a code can be typed at once, without a click', () => {
  assert.match(secondFactorPage(ask, undefined).body.text.replaceAll(/\s+/g, ' '), /id="code"[^>]*autofocus/)
  assert.doesNotMatch(signIn().text, /autofocus/)
})
