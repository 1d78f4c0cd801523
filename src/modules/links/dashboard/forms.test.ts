import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pageAsk, wordsOf, type AskChanges } from '../../../../test/support/dashboard/page-ask.ts'
import { plainBrand } from '../../../core/merchants/brand/brand.ts'
import { editLinkPage, newLinkPage } from './forms.ts'

const valueOf = (text: string, name: string): string | undefined =>
  new RegExp(`name="${name}"[^>]*?\\bvalue="([^"]*)"`).exec(text)?.[1]
const selected = (text: string): string | undefined => /<option value="([^"]*)" selected/.exec(text)?.[1]

for (const [currencies, typed, is] of [
  [['EUR', 'GBP'], {}, 'GBP'],
  [['EUR', 'JPY'], {}, 'EUR'],
  [['EUR', 'GBP'], { currency: 'EUR' }, 'EUR'],
  [[], {}, undefined],
] as const)
  test(`a link of a shop with ${currencies.join(' and ') || 'no currency'} begins in ${is ?? 'none'}`, () => {
    const { body } = newLinkPage(pageAsk(), currencies, new Map(Object.entries(typed)))
    assert.equal(selected(body.text), is)
  })

for (const [typed, kind] of [
  [{}, 'single'],
  [{ kind: 'reusable' }, 'reusable'],
] as const)
  test(`a new link is ${kind} with ${JSON.stringify(typed)}`, () => {
    const { text } = newLinkPage(pageAsk(), ['GBP'], new Map(Object.entries(typed))).body
    assert.deepEqual(
      [...text.matchAll(/name="kind" value="(\w+)" checked/g)].map(([, one]) => one),
      [kind],
    )
  })

const link = { id: 'lnk_1', kind: 'reusable', title: 'Fair', description: null, stock: null, ends_at: null }
const edit = (changes: object = {}, typed?: Map<string, string>, ask: AskChanges = {}) =>
  editLinkPage(pageAsk(ask), { ...link, ...changes } as never, typed).body

for (const [changes, timeZone, day] of [
  [{}, 'UTC', ''],
  [{ ends_at: '2026-11-19T00:00:00.000Z' }, 'UTC', '2026-11-18'],
  [{ ends_at: '2026-11-18T23:00:00.000Z' }, 'Europe/Berlin', '2026-11-18'],
  [{ ends_at: '2026-11-19T05:00:00.000Z' }, 'America/New_York', '2026-11-18'],
] as const)
  test(`a link with ${JSON.stringify(changes)} in ${timeZone} has the last day ${day || 'empty'}`, () => {
    const { text } = edit(changes, undefined, { merchant: { brand: { ...plainBrand, timeZone } } })
    assert.equal(valueOf(text, 'ends_on'), day)
    assert.match(wordsOf(text), new RegExp(`end of that day in ${timeZone.replace('_', ' ')}\\.`))
  })

test('a link for one payment has no stock, and what was typed stays', () => {
  assert.equal(valueOf(edit({ stock: 3 }).text, 'stock'), '3')
  assert.equal(valueOf(edit().text, 'stock'), '')
  assert.doesNotMatch(edit({ kind: 'single' }).text, /name="stock"/)
  assert.equal(valueOf(edit({ description: 'Ring twice' }).text, 'description'), 'Ring twice')
  assert.equal(valueOf(edit({}, new Map([['title', 'Typed']])).text, 'title'), 'Typed')
})
