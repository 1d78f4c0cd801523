import assert from 'node:assert/strict'
import { test } from 'node:test'
import { html } from '../../platform/http/html.ts'
import { linksIn, pageAsk, tableIn, wordsOf } from '../../../test/support/dashboard/page-ask.ts'
import { codeInLanguages } from './code.ts'
import { addressOf, filters, pager, pill, select, shortened, statePill, table } from './lists.ts'
import {
  field,
  head,
  inZone,
  mistakesOf,
  passkeyForm,
  press,
  problems,
  shopTime,
  timeAgo,
  type Field,
} from './parts.ts'
import { copyable, facts, section, tabs, timeline } from './things.ts'

const plain: Field = { name: 'code', label: 'Code' }
const inputOf = (one: Partial<Field>, mistakes = {}): string => {
  const [found = ''] = /<input[^]*?\/>/.exec(field({ ...plain, ...one }, mistakes).text) ?? []
  return found.replaceAll(/\s+/g, ' ')
}

for (const [what, one, expected] of [
  ['takes text', {}, /type="text"/],
  ['can take a date', { type: 'date' }, /type="date"/],
  ['has the value that was typed', { value: 'typed' }, /value="typed"/],
  ['never shows a password again', { type: 'password', value: 'typed' }, /value=""/],
  ['turns off capitals for a code', { isCode: true }, /class="code" autocapitalize="none"/],
  ['turns off capitals for an address', { type: 'email' }, /autocapitalize="none" spellcheck="false"/],
  ['brings up digits where it takes digits', { inputmode: 'numeric' }, /inputmode="numeric"/],
  ['can be the first to type into', { isFirst: true }, /autofocus/],
  ['tells the browser what it is', { autocomplete: 'name' }, /autocomplete="name"/],
] as const)
  test(`a field ${what}`, () => {
    assert.match(inputOf(one), expected)
  })

test('a plain field has none of the extras', () => {
  assert.doesNotMatch(
    inputOf({}),
    /autocapitalize|inputmode|autofocus|autocomplete|aria-invalid|aria-describedby/,
  )
})

for (const [what, hint, mistakes, described] of [
  ['nothing', undefined, {}, undefined],
  ['its hint', 'Six digits', {}, 'code-hint'],
  ['its mistake', undefined, { code: 'Wrong' }, 'code-error'],
  ['its hint and its mistake', 'Six digits', { code: 'Wrong' }, 'code-hint code-error'],
  ['nothing of another field', undefined, { name: 'Wrong' }, undefined],
] as const)
  test(`a field is described by ${what}`, () => {
    const drawn = field({ ...plain, hint }, mistakes).text
    assert.equal(/aria-describedby="([^"]*)"/.exec(drawn)?.[1], described)
    assert.equal(drawn.includes('aria-invalid'), described?.includes('error') === true)
    for (const id of described?.split(' ') ?? []) assert.ok(drawn.includes(`id="${id}"`), id)
  })

test('mistakes are listed above a form with a link to each field, and nothing is shown without any', () => {
  assert.equal(problems({}), undefined)
  const shown = problems({ form: 'Try again.', code: 'Wrong' })?.text ?? ''
  assert.match(shown, /<li>Try again\.<\/li>/)
  assert.match(shown, /<a href="#code">Wrong<\/a>/)
})

test('the first rule that a field breaks is its mistake', () => {
  assert.deepEqual(mistakesOf({ amount: ['one', 'two'], empty: [] }), { amount: 'one', empty: '' })
  assert.deepEqual(mistakesOf(undefined), {})
})

test('a button sends its hidden fields and the token', () => {
  const drawn = press(pageAsk(), '/to', 'Go', { id: '7' }, 'danger').text
  for (const part of ['action="/to"', 'value="csrf-token"', 'name="id" value="7"', 'class="danger"'])
    assert.ok(drawn.includes(part), part)
})

test('a passkey form creates a new passkey or uses a known one, and stays hidden until a script can', () => {
  const given = { action: '/a', options: '/o', label: 'Go' }
  const [made, known] = [
    passkeyForm(pageAsk(), given, true),
    passkeyForm(pageAsk(), { ...given, next: '/n' }),
  ]
  assert.match(made.text, /data-passkey="new"[^]*hidden/)
  assert.match(known.text, /data-passkey="known"/)
  assert.match(known.text, /name="next" value="\/n"/)
  assert.doesNotMatch(made.text, /name="next"/)
  assert.match(made.text, /class="go"/)
  assert.match(known.text, /class="plain wide"/)
})

const at = new Date('2026-11-18T12:00:00Z')
for (const [minutes, words] of [
  [0, 'just now'],
  [0.99, 'just now'],
  [1, '1 minute ago'],
  [2, '2 minutes ago'],
  [59, '59 minutes ago'],
  [60, '1 hour ago'],
  [119, '1 hour ago'],
  [120, '2 hours ago'],
  [24 * 60 - 1, '23 hours ago'],
  [24 * 60, '18 November 2026'],
] as const)
  test(`a time ${minutes} minutes before is ${words}`, () => {
    assert.equal(wordsOf(timeAgo(at, inZone(new Date(at.getTime() + minutes * 60_000), 'UTC'))), words)
  })

test('times are in the shop’s zone, or UTC on a page without a shop', () => {
  const brand = { ...pageAsk().place.merchant.brand, timeZone: 'Asia/Tokyo' }
  assert.equal(shopTime(pageAsk({ merchant: { brand } })).timeZone, 'Asia/Tokyo')
  assert.equal(shopTime({ core: pageAsk().core }).timeZone, 'UTC')
})

test('a heading shows its lead only when it has one', () => {
  assert.doesNotMatch(head('Title').text, /quiet/)
  assert.equal(wordsOf(head('Title', { lead: 'Lead', action: html`Do` })), 'Title Lead Do')
})

for (const [query, expected] of [
  [{}, '/list'],
  [{ q: '' }, '/list'],
  [{ q: undefined, show: 'all' }, '/list?show=all'],
  [{ q: 'a&b', show: 'all' }, '/list?q=a%26b&show=all'],
] as const)
  test(`the address of a list with ${JSON.stringify(query)} is ${expected}`, () => {
    assert.equal(addressOf('/list', query), expected)
  })

for (const [newest, older, links] of [
  [undefined, undefined, {}],
  ['/list', undefined, { Newest: '/list' }],
  [undefined, '/list?cursor=1', { Older: '/list?cursor=1' }],
  ['/list', '/list?cursor=1', { Newest: '/list', Older: '/list?cursor=1' }],
] as const)
  test(`the pages of a list lead to ${Object.keys(links).join(' and ') || 'nothing'}`, () => {
    assert.deepEqual(linksIn(pager(newest, older) ?? html``), links)
  })

const columns = [
  { label: 'Name', draw: (row: string) => row },
  { label: 'Length', draw: (row: string) => String(row.length), isFigure: true },
  { label: 'Nothing', draw: () => '' },
]

test('figures are right-aligned, and only the first cell of a row is a link', () => {
  const drawn = table({ label: 'Words', columns, rows: ['one', 'three'], to: (row) => `/${row}` })
  const { rows, figures } = tableIn(drawn)
  assert.deepEqual(rows, [
    ['one', '3', ''],
    ['three', '5', ''],
  ])
  assert.deepEqual(figures, ['Length'])
  assert.deepEqual(linksIn(drawn), { one: '/one', three: '/three' })
  assert.match(drawn.text, /class="stacked linked"/)
  assert.match(drawn.text, /<td class="figure " data-label="Length">/)
  assert.match(drawn.text, /<td class=" nothing" data-label="Nothing">/)
})

test('a table without pages of its rows has no links', () => {
  const drawn = table({ label: 'Words', columns, rows: ['one'] })
  assert.deepEqual(linksIn(drawn), {})
  assert.doesNotMatch(drawn.text, /linked/)
})

test('filters can be cleared once there are any, and keep what was chosen', () => {
  const given = [
    { name: 'q', label: 'Order', value: 'a' },
    {
      name: 'show',
      label: 'Show',
      value: 'won',
      choices: [
        ['all', 'All'],
        ['won', 'Won'],
      ] as const,
    },
  ]
  assert.deepEqual(linksIn(filters('/list', given, true)), { Clear: '/list' })
  const drawn = filters('/list', given, false)
  assert.deepEqual(linksIn(drawn), {})
  assert.match(drawn.text, /<option value="won" selected>/)
  assert.doesNotMatch(drawn.text, /<option value="all" selected>/)
  assert.match(drawn.text, /name="q"[^]*value="a"/)
})

test('a choice is described by its hint when it has one', () => {
  assert.match(
    select('c', 'Choice', [], '', 'A hint').text,
    /id="c-hint">A hint<[^]*aria-describedby="c-hint"/,
  )
  assert.doesNotMatch(select('c', 'Choice', [], '').text, /hint/)
})

for (const [state, tone] of [
  ['success', 'good'],
  ['succeeded', 'good'],
  ['delivered', 'good'],
  ['won', 'good'],
  ['failed', 'bad'],
  ['lost', 'bad'],
  ['reversed', 'bad'],
  ['paused', 'warn'],
  ['disputed', 'warn'],
  ['unknown', 'warn'],
  ['opened', 'warn'],
  ['under_review', ''],
] as const)
  test(`the state ${state} has the tone ${tone || 'calm'}`, () => {
    assert.equal(statePill(state).text, `<span class="pill ${tone}">${state.replace('_', ' ')}</span>`)
  })

test('a pill is calm unless it has a tone', () => {
  assert.equal(pill('word').text, '<span class="pill ">word</span>')
})

test('shortened text has its full text as a tooltip, as a link or not', () => {
  assert.equal(shortened('long').text, '<span class="short" title="long">long</span>')
  assert.deepEqual(linksIn(shortened('long', '/to')), { long: '/to' })
})

test('facts without a value are left out', () => {
  assert.equal(
    wordsOf(
      facts([
        ['A', 'one'],
        ['B', undefined],
        ['C', html`three`],
      ]),
    ),
    'A one C three',
  )
})

test('a timeline shows tone and detail of each event where it has them', () => {
  const drawn = timeline(
    [
      { at, title: 'Paid', tone: 'good', detail: 'by card' },
      { at, title: 'Made' },
    ],
    inZone(at, 'UTC'),
  )
  assert.match(drawn.text, /<li class="good">[^]*by card[^]*<li class="">/)
  assert.equal(drawn.text.match(/<div class="quiet">/g)?.length, 1)
})

test('one tab is the page that is open', () => {
  const drawn = tabs('Views', [
    { label: 'One', to: '/1', isHere: false },
    { label: 'Two', to: '/2', isHere: true },
  ])
  assert.match(drawn.text, /<a href="\/1" >One<\/a>[^]*<a href="\/2" aria-current="page">Two<\/a>/)
})

test('the first language of a sample is the one that is shown', () => {
  const samples = ['curl', 'PHP'].map((language) => ({ language, code: language })) as never
  const drawn = codeInLanguages('call', 'A call', samples).text.replaceAll(/\s+/g, ' ')
  assert.match(drawn, /value="curl" checked/)
  assert.doesNotMatch(drawn, /value="PHP" checked/)
})

test('text to copy and sections keep their words', () => {
  assert.match(copyable('secret', 'Key').text, /readonly value="secret" aria-label="Key"/)
  assert.equal(wordsOf(section('Title', html`Body`, html`Act`)), 'Title Act Body')
})
