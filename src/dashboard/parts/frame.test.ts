import assert from 'node:assert/strict'
import { test } from 'node:test'
import { html } from '../../platform/http/html.ts'
import {
  formsIn,
  linksIn,
  pageAsk,
  wordsOf,
  type AskChanges,
} from '../../../test/support/dashboard/page-ask.ts'
import type { NavRoute } from '../ask.ts'
import { frame } from './frame.ts'

const content = { title: 'Keys', body: html`<p>Here</p>` }
const route = (label: string, path: string, right: NavRoute['right'], group?: 'Settings') =>
  ({ path: `/:merchant/:mode${path}`, right, nav: { label, order: 1, ...(group && { group }) } }) as NavRoute
const nav = [
  route('Home', '', 'home.view'),
  route('Keys', '/keys', 'keys.view'),
  route('Team', '/team', 'team.view', 'Settings'),
]
const home = '/dashboard/12345678/test'

function framed(changes: AskChanges = {}, more: Partial<typeof content & { isNarrow: boolean }> = {}) {
  const ask = pageAsk(changes)
  return frame(ask, { ...content, ...more }, ask.place, nav)
}

const current = (changes: AskChanges): string[] =>
  [...framed(changes).body.text.matchAll(/aria-current="page">([^<]*)</g)].map(([, label = '']) => label)

for (const [path, label] of [
  ['/12345678/test', 'Home'],
  ['/12345678/test?period=7', 'Home'],
  ['/12345678/test/keys', 'Keys'],
  ['/12345678/test/keys?kind=form', 'Keys'],
  ['/12345678/test/keys/key_1', 'Keys'],
] as const)
  test(`${path} is the page ${label} in the navigation`, () => {
    assert.deepEqual(current({ path }), [label])
  })

test('the foot of every page names the version', () => {
  const { body } = framed({ dashboard: { version: '1.2.3+1759a6f' } })
  assert.match(body.text, /<footer[^>]*>Florin 1\.2\.3\+1759a6f<\/footer>/)
})

test('a page whose address only begins alike is not the one that is open', () => {
  assert.deepEqual(current({ path: '/12345678/test/keysmith' }), [])
})

test('a role sees links to pages it can open alone, in their groups', () => {
  const links = (role: 'owner' | 'viewer'): string[] => Object.keys(linksIn(framed({ role }).body))
  assert.ok(links('owner').includes('Keys'))
  assert.ok(!links('viewer').includes('Keys'))
  assert.match(framed().body.text, /<h2 id="nav-settings">Settings<\/h2>/)
  assert.doesNotMatch(framed().body.text, /<h2 id="nav-">/)
  assert.equal(linksIn(framed().body)['Team'], `${home}/team`)
  assert.equal(linksIn(framed().body)['Home'], home)
})

for (const [mode, other] of [
  ['test', 'live'],
  ['live', 'test'],
] as const)
  test(`a page in ${mode} mode leads to the same page in ${other} mode, without its query`, () => {
    const page = framed({ mode, path: `/12345678/${mode}/keys?kind=form` }).body
    assert.equal(linksIn(page)[other === 'test' ? 'Test' : 'Live'], `/dashboard/12345678/${other}/keys`)
    assert.equal(page.text.includes('no money moves'), mode === 'test')
    assert.equal('Your first five minutes' in linksIn(page), mode === 'test')
    assert.match(page.text, new RegExp(`${mode}/keys" aria-current="true"`))
  })

test('only an operator is led to the installation', () => {
  assert.ok(!('This installation' in linksIn(framed().body)))
  assert.ok('This installation' in linksIn(framed({ person: { isOperator: true } }).body))
  const ask = pageAsk({ person: { isOperator: true } })
  assert.equal(
    linksIn(frame(ask, content, undefined, []).body)['This installation'],
    '/dashboard/installation',
  )
  const links = Object.keys(linksIn(frame(pageAsk(), content, undefined, []).body))
  assert.ok(links.includes('Your account') && !links.includes('This installation'))
})

for (const [name, initials] of [
  ['Ada Lovelace', 'AL'],
  ['  Ada  King Lovelace ', 'AL'],
  ['ada', 'A'],
  ['Émile Zola', 'ÉZ'],
] as const)
  test(`${name} has the initials ${initials}`, () => {
    const [, shown] =
      /<span aria-hidden="true">([^<]*)<\/span>/.exec(framed({ person: { name } }).body.text) ?? []
    assert.equal(wordsOf(shown), initials)
  })

test('the menu of shops lists them all and marks the open one; a page without a shop asks for one', () => {
  const own = {
    ...pageAsk().own,
    merchants: [
      { id: 1, name: 'One' },
      { id: 12_345_678, name: 'Corner shop' },
    ],
  }
  const ask = { ...pageAsk(), own }
  const page = frame(ask, content, ask.place, nav).body
  assert.equal(linksIn(page)['One'], '/dashboard/1/test')
  assert.match(page.text.replaceAll(/\s+/g, ' '), /12345678\/test" aria-current="true" >Corner shop/)
  assert.match(wordsOf(frame(ask, content, undefined, []).body), /Choose a shop/)
  const none = { ...ask, own: { ...own, merchants: [] } }
  assert.doesNotMatch(frame(none, content, undefined, []).body.text, /team-menu/)
})

test('a narrow page, and one for a stranger, has no navigation', () => {
  const ask = pageAsk()
  for (const page of [
    framed({}, { isNarrow: true }),
    frame({ ...ask, own: undefined }, content, undefined, nav),
  ]) {
    assert.match(page.body.text, /<main class="narrow">/)
    assert.ok(!('Sign out' in formsIn(page.body)))
  }
  assert.equal(framed().title, 'Keys · Florin')
  assert.equal(formsIn(framed().body)['Sign out'], '/dashboard/sign-out')
})

test('a notice is shown on the page it leads to, wide or narrow', () => {
  assert.doesNotMatch(framed().body.text, /role="status"/)
  for (const isNarrow of [true, false])
    assert.match(
      framed({ notice: 'notification_resent' }, { isNarrow }).body.text,
      /class="notice" role="status"/,
    )
})

test('a page below one’s own pages is marked as part of them', () => {
  for (const [path, label] of [
    ['/account/password', 'Your account'],
    ['/installation/health', 'This installation'],
  ] as const) {
    const ask = pageAsk({ path, person: { isOperator: true } })
    assert.match(frame(ask, content, undefined, []).body.text, new RegExp(`aria-current="page">${label}<`))
  }
})
