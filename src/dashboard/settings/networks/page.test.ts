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
} from '../../../../test/support/dashboard/page-ask.ts'
import { makeFakeNetwork } from '../../../../test/support/fake-network.ts'
import type { NetworkState } from './model.ts'
import { readCredentials } from './model.ts'
import { credentialsPage, networkPage, networksPage, testNetworksPage } from './page.ts'

const network = makeFakeNetwork()
const at = now.toISOString()
const path = '/dashboard/12345678/live/settings/networks/fake'
const account = {
  id: 'acc_1',
  merchant: 12_345_678,
  connector: 'fake',
  label: 'Corner shop (fk_1)',
  sandbox: false,
  callbacks: 'missing',
  created_at: at,
  checked_at: at,
  removed_at: null,
} as const
const own: NetworkState = { network, account, calledAt: undefined }
const shared: NetworkState = { ...own, account: { ...account, merchant: 'installation' } }
const none: NetworkState = { ...own, account: undefined }

const list = (state: NetworkState, ask: AskChanges = {}) =>
  networksPage(pageAsk({ mode: 'live', ...ask }), [state]).body
const page = (state: NetworkState, ask: AskChanges = {}) =>
  networkPage(pageAsk({ mode: 'live', ...ask }), state).body

for (const [what, state, ask, links] of [
  ['its own account', own, {}, ['Details']],
  ['the installation’s account', shared, {}, ['Details', 'Connect']],
  ['no account', none, {}, ['Connect']],
  ['no account, for a developer', none, { role: 'developer' }, []],
] as const)
  test(`a shop with ${what} is offered ${links.join(' and ') || 'nothing'}`, () => {
    assert.deepEqual(Object.keys(linksIn(list(state, ask))), links)
    assert.equal(wordsOf(list(state)).includes('shared by this installation'), state === shared)
    assert.equal(wordsOf(list(state)).includes('Not connected'), state === none)
  })

for (const [changes, words] of [
  [{}, /live no callbacks/],
  [{ sandbox: true, callbacks: 'set_up' }, /sandbox(?! no callbacks)/],
] as const)
  test(`an account with ${JSON.stringify(changes)} is marked as ${words.source}`, () => {
    assert.match(wordsOf(list({ ...own, account: { ...account, ...changes } })), words)
  })

test('the last callback is shown, or why there is none', () => {
  assert.match(wordsOf(list({ ...own, calledAt: now })), /last callback just now/)
  assert.match(wordsOf(list(own)), /callbacks are not set up/)
  assert.match(wordsOf(list({ ...own, account: { ...account, callbacks: 'set_up' } })), /no callbacks yet/)
  assert.equal(factsIn(page({ ...own, calledAt: now }))['Last callback'], 'just now')
  assert.equal(factsIn(page(own))['Last callback'], 'Not yet')
})

const http = { dashboard: { baseUrl: 'http://localhost:3000' } }
for (const [what, state, ask, canSetUp] of [
  ['callbacks are missing', own, {}, true],
  ['callbacks are set up', { ...own, account: { ...account, callbacks: 'set_up' } as const }, {}, false],
  ['the network can’t call us', own, http, false],
  [
    'the network can’t create them',
    { ...own, network: { ...network, setUpCallback: undefined } as never },
    {},
    false,
  ],
] as const)
  test(`callbacks can${canSetUp ? '' : '’t'} be set up when ${what}`, () => {
    assert.equal('Set up callbacks' in formsIn(page(state, ask)), canSetUp)
  })

test('an account is tested and changed by owners of their own one', () => {
  assert.ok('Test connection' in formsIn(page(own)))
  assert.equal(linksIn(page(own))['Disconnect'], `${path}/disconnect`)
  for (const drawn of [page(shared), page(own, { role: 'developer' })]) assert.deepEqual(formsIn(drawn), {})
  assert.equal(factsIn(page(own))['Owner'], 'Your shop')
  assert.match(factsIn(page(shared))['Owner'] ?? '', /This installation/)
  assert.match(wordsOf(page(own, http)), /only calls https addresses/)
  assert.doesNotMatch(wordsOf(page(own)), /only calls https addresses/)
})

test('a network without an account says so, and is connected by owners', () => {
  assert.match(wordsOf(page(none)), /No live payments go through Fakepay/)
  assert.equal(linksIn(page(none))['Connect Fakepay'], `${path}/connect`)
  assert.ok(!('Connect Fakepay' in linksIn(page(none, { role: 'developer' }))))
})

test('the result of a test is a notice or a problem', () => {
  const answer = (kind: 'works' | 'refused') =>
    networkPage(
      pageAsk({ mode: 'live' }),
      own,
      kind === 'works' ? network.checked : { kind, why: 'unknown key' },
    ).body.text
  assert.match(answer('works'), /class="notice"/)
  assert.match(answer('refused'), /class="problem"/)
})

for (const [what, label, words, link] of [
  [
    'new',
    undefined,
    /Florin tests the credentials first.*Leave empty: Florin can set up callbacks.*Connect/,
    'Networks',
  ],
  ['changed', 'Corner shop (fk_1)', /Leave empty to keep it.*Change/, 'Fakepay'],
] as const)
  test(`credentials that are ${what} have their own form`, () => {
    const drawn = credentialsPage(pageAsk({ mode: 'live' }), { network, label }).body
    assert.match(wordsOf(drawn), words)
    assert.ok(`← ${link}` in linksIn(drawn))
    assert.equal(wordsOf(drawn).includes('Callback address'), label === undefined)
  })

test('an optional credential of a network that can’t create callbacks can be added later', () => {
  const byHand = { ...network, setUpCallback: undefined } as never
  assert.match(
    wordsOf(credentialsPage(pageAsk({ mode: 'live' }), { network: byHand }).body),
    /You can add it later/,
  )
})

test('test mode leads to the networks of live mode', () => {
  assert.equal(
    linksIn(testNetworksPage(pageAsk()).body)['networks in live mode'],
    '/dashboard/12345678/live/settings/networks',
  )
})

const read = (fields: Record<string, string>, before?: Record<string, string>) =>
  readCredentials(pageAsk({ fields: new Map(Object.entries(fields)) }), network, before)

test('credentials are read without spaces around them, and keep what is left empty', () => {
  assert.deepEqual(read({ secretKey: ' sk_1 ' }), { secretKey: 'sk_1' })
  assert.deepEqual(read({ signingSecret: 's' }, { secretKey: 'old' }), {
    secretKey: 'old',
    signingSecret: 's',
  })
  assert.deepEqual(read({ secretKey: '' }, { secretKey: 'old' }), { secretKey: 'old' })
  assert.throws(() => read({}), /Enter the secret key/)
  assert.throws(() => read({ secretKey: 'two words' }), /Secret key must be one word/)
})
