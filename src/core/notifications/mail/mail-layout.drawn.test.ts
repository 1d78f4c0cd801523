import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asRead } from '../../../../test/support/as-read.ts'
import { accentsOf } from '../../merchants/brand/accent.ts'
import { drawHtml, drawText, type Email } from './mail-layout.ts'

const bare: Email = {
  language: 'en',
  subject: 'Receipt',
  from: 'Corner shop',
  heading: 'Paid',
  tone: 'good',
  amount: undefined,
  greeting: 'Hello Ada,',
  paragraphs: ['Thank you.'],
  rows: [
    ['Reference', 'FL1'],
    ['To', 'Corner shop'],
  ],
  footer: 'That is all.',
  test: undefined,
}

const full: Email = {
  ...bare,
  amount: '£5.00',
  items: [
    { name: 'Walnut chair', amount: '£4.00' },
    { name: 'Tea', amount: '£1.00' },
    { name: 'Total', amount: '£5.00', kind: 'total' },
    { name: 'Includes VAT at 20%', amount: '£0.83', kind: 'tax' },
  ],
  links: [
    ['View it', 'https://a.example/1'],
    ['Download it', 'https://a.example/2'],
  ],
  contact: ['help@shop.example', '1 High Street'],
  logoUrl: 'https://a.example/logo',
  accents: accentsOf('#aa0000'),
  test: 'Test payment.',
}

/** As a browser reads it, with the styles inside of tags left out. */
const drawn = (email: Email): string => asRead(drawHtml(email).text)

test('a plain-text e-mail has a part for each detail present, and none for missing ones', () => {
  assert.equal(
    drawText(bare),
    'Paid\n\nHello Ada,\n\nThank you.\n\nReference  FL1\nTo         Corner shop\n\nThat is all.\n',
  )
  assert.equal(
    drawText(full),
    [
      'Test payment.',
      'Paid: £5.00',
      'Hello Ada,',
      'Thank you.',
      'Walnut chair         £4.00\nTea                  £1.00\nTotal                £5.00\nIncludes VAT at 20%  £0.83',
      'Reference  FL1\nTo         Corner shop',
      'View it:\nhttps://a.example/1',
      'Download it:\nhttps://a.example/2',
      'That is all.',
      'Corner shop\nhelp@shop.example\n1 High Street\n',
    ].join('\n\n'),
  )
})

test('an HTML e-mail has the same parts: the first link is a button in the shop’s colour, the next isn’t', () => {
  const text = drawn(full)
  const { accent } = accentsOf('#aa0000').light
  const [first = '', second = '', ...more] = text.match(/<a [^]*?<\/a>/g) ?? []
  assert.match(first, new RegExp(`^<a href="https://a\\.example/1" style="[^"]*background-color:${accent};`))
  assert.match(first, />View it<\/a>$/)
  assert.equal(second, '<a class="ink" href="https://a.example/2" style="color:#1c1b18;">Download it</a>')
  assert.deepEqual(more, [])
  assert.match(text, /<img src="https:\/\/a\.example\/logo" alt=""/)
  assert.match(text, /<td class="test" align="left"[^>]*>Test payment\.<\/td>/)
  assert.match(
    text,
    />That is all\.<br><br><bdi>help@shop\.example<\/bdi><br><bdi>1 High Street<\/bdi><\/td>/,
  )
  const labels = [...text.matchAll(/<td class="quiet line" align="left"[^>]*><bdi>([^<]*)<\/bdi>/g)].map(
    ([, label]) => label,
  )
  assert.deepEqual(labels, ['Includes VAT at 20%', 'Reference', 'To'])
})

test('items are a separate table with a bold total', () => {
  const [items = '', details = ''] = (drawn(full).match(/<table[^]*?<\/table>/g) ?? []).slice(-2)
  assert.match(items, /Walnut chair[^]*Tea[^]*font-weight:600[^]*Total[^]*Includes VAT at 20%/)
  assert.doesNotMatch(items, /Reference/)
  assert.match(details, /Reference[^]*To/)
})

test('an HTML e-mail has one heading, a main region and a hidden preview', () => {
  const text = drawn(full)
  assert.equal(text.match(/<h\d/g)?.length, 1)
  assert.equal(text.match(/role="main"/g)?.length, 1)
  assert.match(text, /<body[^>]*>\s*<div style="display:none;[^"]*">Thank you\./)
})

test('missing parts draw nothing, and a button has Florin’s colour if the shop has none', () => {
  const text = drawn(bare)
  assert.doesNotMatch(text, /<img|<a |class="test"|class="ink amount|undefined|false/)
  assert.match(text, />That is all\.<\/td>/)
  const { accents: _, ...plain } = full
  assert.match(drawn(plain), /<a href="https:\/\/a\.example\/1" style="[^"]*background-color:#17603f;/)
})

test('good and bad news differ in colour, symbol and word', () => {
  assert.match(
    drawn(bare),
    /<h1 class="good" style="[^"]*color:#17603f;"><span aria-hidden="true">✓&nbsp; <\/span>Paid<\/h1>/,
  )
  assert.match(
    drawn({ ...bare, tone: 'bad', heading: 'Failed' }),
    /<h1 class="bad" style="[^"]*color:#a32018;"><span aria-hidden="true">✕&nbsp; <\/span>Failed<\/h1>/,
  )
})

test('Arabic is aligned right, everything else left', () => {
  for (const [language, direction, start, end] of [
    ['ar', 'rtl', 'right', 'left'],
    ['en', 'ltr', 'left', 'right'],
    ['de', 'ltr', 'left', 'right'],
  ] as const) {
    const text = drawn({ ...full, language })
    assert.match(text, new RegExp(`^<!doctype html>\\n<html lang="${language}" dir="${direction}">`))
    assert.match(text, new RegExp(`<td class="test" align="${start}"`))
    assert.match(text, new RegExp(`<td class="quiet line" align="${start}"`))
    assert.match(text, new RegExp(`<td class="ink line" align="${end}" style="[^"]*padding-${start}:16px;`))
  }
})

test('an amount of more than 13 visible characters is drawn smaller', () => {
  const isLong = (amount: string): boolean => {
    const [, names = '', size] =
      /<p class="([^"]*)" style="margin:4px 0 0;font-size:(\d+)px/.exec(drawn({ ...bare, amount })) ?? []
    assert.equal(names.trim(), size === '28' ? 'ink amount long' : 'ink amount')
    return size === '28'
  }
  assert.equal(isLong('1'.repeat(13)), false)
  assert.equal(isLong(`\u2066${'1'.repeat(13)}\u2069`), false)
  assert.equal(isLong('1'.repeat(14)), true)
})

test('a value of up to 16 characters is never broken, a longer one may be, and a time keeps its zone', () => {
  const cellOf = (value: string): string => {
    const [cell = ''] =
      /<td class="ink line"[^]*?<\/td>/.exec(drawn({ ...bare, rows: [['To', value]] })) ?? []
    return cell
  }
  assert.match(cellOf('x'.repeat(16)), /;white-space:nowrap;/)
  assert.match(cellOf('x'.repeat(17)), /;overflow-wrap:anywhere;word-break:break-word;/)
  assert.match(cellOf('15 November 2026, 14:05 UTC'), /<bdi>15 November 2026, 14:05\u00a0UTC<\/bdi>/)
})
