import assert from 'node:assert/strict'
import { test } from 'node:test'
import { linesOf, makePageModel, styleFile } from '../../../../../test/support/page-model.ts'
import { writeItems } from '../../../payments/items.ts'
import { plainBrand, type Brand } from '../../../merchants/brand/brand.ts'
import { english } from '../../language.ts'
import type { Setting } from '../../page-model.ts'
import { itemLines, itemsTable } from './items.ts'
import { companyLines, contactOf, logoOf, shopLine, stylesOf } from './shop.ts'

function settingOf(brand: Partial<Brand>, logo?: string): Setting {
  const shop = {
    name: 'Corner shop',
    brand: { ...plainBrand, ...brand },
    ...(logo !== undefined && { logo }),
  }
  return { language: english, isChosen: false, prefix: '', styleFile, shop }
}

const nobody: Setting = { language: english, isChosen: false, prefix: '', styleFile }

function contactLines(brand: Partial<Brand>): string[] {
  const contact = contactOf(settingOf(brand))
  return contact === false ? [] : linesOf(contact.text)
}

test('the footer shows how to reach the shop and who it is, as far as known', () => {
  assert.deepEqual(contactLines({}), [])
  assert.equal(contactOf(nobody), false)
  assert.deepEqual(contactLines({ address: ['1 High Street', 'London'] }), [
    'Corner shop',
    '1 High Street, London',
  ])
  const whole = {
    website: 'https://shop.example/about',
    supportEmail: 'help@shop.example',
    supportPhone: '+44 (20) 79',
    companyNumber: '12',
    vatNumber: 'GB1',
  }
  assert.deepEqual(contactLines(whole), [
    'Corner shop',
    'shop.example',
    'help@shop.example',
    '+44 (20) 79',
    'Company number 12',
    'VAT number GB1',
  ])
  const { text } = contactOf(settingOf(whole)) || assert.fail()
  assert.deepEqual(
    Array.from(text.matchAll(/href="([^"]*)"/g), ([, href]) => href),
    ['https://shop.example/about', 'mailto:help@shop.example', 'tel:+442079'],
  )
  assert.equal(text.match(/<p>/g)?.length, 3)
  assert.deepEqual(companyLines(plainBrand, english.words), [])
})

test('the header shows the shop’s logo and its name, linked to its own site', () => {
  assert.equal(shopLine(nobody), false)
  const plain = shopLine(settingOf({})) || assert.fail()
  assert.doesNotMatch(plain.text, /<a |<img/)
  const known = shopLine(settingOf({ website: 'https://shop.example/' }, '/logo/1/a')) || assert.fail()
  assert.match(
    known.text,
    /<a href="https:\/\/shop\.example\/" rel="noreferrer"><bdi>Corner shop<\/bdi><\/a>/,
  )
  assert.match(known.text, /<img class="logo" src="\/logo\/1\/a"/)
  assert.equal(logoOf(undefined), false)
})

test('a page has its shop’s colour, readable in light and dark mode', () => {
  assert.equal(stylesOf(nobody).length, 0)
  assert.equal(stylesOf(settingOf({})).length, 0)
  const [accent] = stylesOf(settingOf({ colour: '#17603f' }))
  assert.match(accent?.element.text ?? '', /:root\{--accent:#17603f;.*prefers-color-scheme:dark/)
  assert.equal(stylesOf(settingOf({ colour: '#17603f' }))[0], accent)
  const [other] = stylesOf(settingOf({ colour: '#603f17' }))
  assert.notEqual(other, accent)
})

test('the shop’s legal pages are linked in the footer and open in a new tab', () => {
  const termsUrl = 'https://shop.example/terms?a=1&b=2'
  const foot =
    contactOf(settingOf({ termsUrl, legalNoticeUrl: 'https://shop.example/legal' })) || assert.fail()
  assert.match(
    foot.text,
    /<a href="https:\/\/shop\.example\/terms\?a=1&[^"]*b=2" target="_blank" rel="noopener noreferrer">Terms<\/a>/,
  )
  assert.match(foot.text, />Legal notice<\/a>/)
  assert.doesNotMatch(foot.text, /Privacy/)
})

test('items are listed with their quantity, and included tax separately', () => {
  const items = writeItems([
    { name: 'Chair', quantity: 2, unitMinor: 600n, taxRate: '20' },
    { name: 'Table', quantity: 1, unitMinor: 300n, taxRate: undefined },
  ])
  const model = makePageModel({ items, amount_minor: 1_500n })
  assert.deepEqual(itemLines(model), [
    { name: '2 × Chair', amount: '£12.00' },
    { name: 'Table', amount: '£3.00' },
    { name: 'Total', amount: '£15.00', kind: 'total' },
    { name: 'Includes VAT at 20%', amount: '£2.00', kind: 'tax' },
  ])
  const table = itemsTable(model) || assert.fail()
  assert.equal(table.text.match(/<li class="tax">/g)?.length, 1)
  assert.equal(table.text.match(/<li/g)?.length, 4)
  assert.equal(itemsTable(makePageModel()), false)
})
