import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  factsIn,
  formsIn,
  linksIn,
  pageAsk,
  wordsOf,
  type AskChanges,
} from '../../../../test/support/dashboard/page-ask.ts'
import type { Brand } from '../../../core/merchants/brand/brand.ts'
import { readDraft, writeDraft } from './draft.ts'
import { fieldNames, type Typed } from './fields.ts'
import { editPage, logoPage } from './form-pages.ts'
import { shopPage } from './page.ts'
import { previewFrames } from './previews.ts'

const shop = '/dashboard/12345678/test/settings/shop'
const typed = Object.fromEntries(fieldNames.map((name) => [name, ''])) as Typed
const { merchant } = pageAsk().place
const branded = (changes: Partial<Brand>) => ({ ...merchant, brand: { ...merchant.brand, ...changes } })

test('a draft is read with the cookie that signed it, and with no other', () => {
  const draft = writeDraft('cookie', { ...typed, name: 'New name' })
  assert.deepEqual(readDraft('cookie', draft), { ...typed, name: 'New name' })
  assert.equal(readDraft('other', draft), undefined)
  const [text = '', signature = ''] = draft.split('.')
  for (const wrong of ['', text, `${text}.`, `${text}.${signature}x`, `${text.slice(1)}.${signature}`])
    assert.equal(readDraft('cookie', wrong), undefined, wrong)
  const forged = `${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`
  assert.equal(readDraft('cookie', `${text}.${forged}`), undefined)
})

test('a draft without one of the fields is from an older form, and not shown', () => {
  const { name: _, ...older } = typed
  assert.equal(readDraft('cookie', writeDraft('cookie', older as Typed)), undefined)
})

test('the receipt’s frame has no sandbox, as PDF viewers don’t work in one; the others have', () => {
  const { text } = previewFrames(pageAsk(), 'abc.def')
  const frames = [...text.matchAll(/<iframe\b([^>]*)>/g)].map(([, attributes = '']) => attributes)
  assert.deepEqual(
    frames.map((one) => [
      /src="([^"]*)"/.exec(one)?.[1]?.replaceAll('&amp;', '&'),
      one.includes('sandbox=""'),
    ]),
    [
      [`${shop}/preview/checkout?draft=abc.def`, true],
      [`${shop}/preview/mail?draft=abc.def`, true],
      [`${shop}/preview/receipt?draft=abc.def#toolbar=0&navpanes=0&view=FitH`, false],
    ],
  )
  assert.equal(linksIn(previewFrames(pageAsk()))['Open'], `${shop}/preview/receipt`)
})

test('previews of a draft say that nothing is saved, and the form shows mistakes by their label', () => {
  const page = editPage(pageAsk(), typed).body
  assert.doesNotMatch(wordsOf(page), /Not saved yet/)
  assert.equal(formsIn(page)['Save'], `${shop}/edit`)
  assert.match(page.text, new RegExp(`formaction="${shop}/edit/do/preview"`))
  assert.match(wordsOf(editPage(pageAsk(), typed, { draft: 'a.b' }).body), /Not saved yet/)
  const wrong = editPage(pageAsk(), typed, { mistakes: { terms_url: 'terms_url must be a URL' } }).body
  assert.doesNotMatch(wordsOf(wrong), /terms_url must/)
  assert.match(wordsOf(wrong), / must be a URL/)
})

test('a time zone that browsers no longer list stays chosen', () => {
  const zones = (zone: string): string[] => {
    const { text } = editPage(pageAsk(), { ...typed, time_zone: zone }).body
    const list = /<select id="time_zone"[^]*?<\/select>/.exec(text)?.[0] ?? ''
    assert.match(list, new RegExp(`value="${zone}" selected`))
    return [...list.matchAll(/<option value="([^"]*)"/g)].map(([, one = '']) => one)
  }
  assert.equal(zones('UTC')[0], 'UTC')
  assert.equal(zones('Europe/Berlin').filter((zone) => zone === 'Europe/Berlin').length, 1)
  assert.equal(zones('UTC').filter((zone) => zone === 'UTC').length, 1)
  assert.deepEqual(zones('Mars/Olympus').slice(0, 2), ['Mars/Olympus', 'UTC'])
})

test('a logo can be removed once there is one', () => {
  assert.ok(!('Remove' in formsIn(logoPage(pageAsk(), merchant).body)))
  const page = logoPage(pageAsk(), branded({ logoId: 'abc' }), 'https://x.example', {
    file: 'Too large',
  }).body
  assert.equal(formsIn(page)['Remove'], `${shop}/logo/do/remove`)
  assert.match(page.text, /src="\/logo\/12345678\/abc"/)
  assert.match(page.text, /aria-describedby="file-hint file-error"\s+aria-invalid="true"/)
  assert.match(page.text, /id="file-error">Too large</)
  assert.match(page.text, /name="url"[^>]*value="https:\/\/x\.example"/)
  assert.doesNotMatch(logoPage(pageAsk(), merchant).body.text, /file-error|aria-invalid/)
})

const facts = (changes: Partial<Brand>, ask: AskChanges = {}) =>
  factsIn(shopPage(pageAsk(ask), branded(changes)).body)

test('a shop shows what is set, and says what isn’t', () => {
  const plain = Object.values(facts({}))
  assert.equal(plain.filter((value) => value === 'Not set').length, 13)
  const full = Object.values(
    facts({ logoId: 'abc', colour: '#17603f', address: ['1 High St', 'York'], country: 'GB' }),
  )
  assert.equal(full.filter((value) => value === 'Not set').length, 9)
  for (const value of ['#17603f', '1 High St, York', 'United Kingdom']) assert.ok(full.includes(value), value)
})

test('owners alone see the buttons that change a shop', () => {
  const links = (role: 'owner' | 'developer') => linksIn(shopPage(pageAsk({ role }), merchant).body)
  assert.deepEqual([links('owner')['Edit'], links('owner')['Change logo']], [`${shop}/edit`, `${shop}/logo`])
  assert.ok(!('Edit' in links('developer')))
})
