import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  formsIn,
  now,
  pageAsk,
  wordsOf,
  type AskChanges,
} from '../../../../test/support/dashboard/page-ask.ts'
import { passkeysPage } from './passkeys-page.ts'

const passkey = { id: 'pk_1', name: 'Phone', createdAt: now.toISOString(), usedAt: null }
const site = { site: { id: 'pay.example.com' }, visitor: { device: '' } } as unknown as AskChanges
const page = (passkeys: readonly object[], ask: AskChanges = site, mistakes = {}) =>
  passkeysPage(pageAsk(ask), passkeys as never, mistakes).body

test('passkeys are listed with their last use, and each can be removed', () => {
  assert.match(wordsOf(page([passkey])), /Phone Added just now Remove/)
  assert.match(wordsOf(page([{ ...passkey, usedAt: now.toISOString() }])), /Added just now, used just now/)
  assert.deepEqual(Object.keys(formsIn(page([passkey]))), ['Remove', 'Add a passkey'])
  assert.deepEqual(Object.keys(formsIn(page([]))), ['Add a passkey'])
  assert.doesNotMatch(page([]).text, /<ul/)
  assert.match(wordsOf(page([], site, { name: 'Enter a name' })), /Enter a name/)
})

for (const [baseUrl, address] of [
  ['http://127.0.0.1:3000', 'http://localhost:3000'],
  ['http://127.0.0.1', 'http://localhost'],
] as const)
  test(`at ${baseUrl}, where no passkey works, the page leads to ${address}`, () => {
    const drawn = page([], { dashboard: { baseUrl } })
    assert.deepEqual(formsIn(drawn), {})
    assert.ok(wordsOf(drawn).includes(`open ${address} ; elsewhere`), wordsOf(drawn))
  })
