import assert from 'node:assert/strict'
import { test } from 'node:test'
import { linesOf, styleFile } from '../../../../test/support/page-model.ts'
import type { LinkRow } from '../find-links.ts'
import { plainBrand } from '../../../core/merchants/brand/brand.ts'
import { cardNumberRule } from '../../../platform/money/card-numbers.ts'
import { english } from '../../../core/checkout/language.ts'
import { closedPage, linkAddress, linkPage, type Closed, type LinkForm, type LinkSetting } from './page.ts'

const link: LinkRow = {
  merchant_id: 12_345_678,
  id: '1'.repeat(24),
  mode: 'test',
  kind: 'reusable',
  asks_customer: true,
  title: 'Pottery class',
  description: null,
  currency: 'GBP',
  amount_minor: 4_500n,
  least_minor: null,
  most_minor: null,
  stock: null,
  taken: 0,
  paid: 0,
  paid_minor: 0n,
  ends_at: null,
  paused_at: null,
  created_at: '2026-11-01T00:00:00Z',
}

function settingOf(changes: Partial<LinkRow> = {}, isChosen = false): LinkSetting {
  const shop = { name: 'Corner shop', brand: { ...plainBrand, timeZone: 'Europe/London' } }
  return { language: english, isChosen, prefix: '/florin', styleFile, shop, link: { ...link, ...changes } }
}

type Sent = { readonly errors?: LinkForm['errors']; readonly typed?: Readonly<Record<string, string>> }

function formOf({ errors, typed = {} }: Sent = {}): LinkForm {
  return { txRef: 'ref-1', token: 't', typed: new Map(Object.entries(typed)), errors }
}

function bodyOf(changes: Partial<LinkRow> = {}, sent: Sent = {}): string {
  return linkPage(settingOf(changes), formOf(sent)).body.text
}

function sectionOf(body: string, name: string): string[] {
  return linesOf(new RegExp(`<section class="${name}[^]*?</section>`).exec(body)?.[0] ?? '')
}

const own = ['First name', 'Last name', '(optional)', 'E-mail address']

test('a payment link shows the merchant, the purpose and the amount, and asks for the customer’s details', () => {
  const body = bodyOf()
  assert.deepEqual(sectionOf(body, 'summary'), ['Pay Corner shop', 'Amount:', '£45.00', 'Pottery class'])
  assert.deepEqual(sectionOf(body, 'card form'), ['Your details', ...own, 'Continue to payment'])
  assert.equal(linkPage(settingOf(), formOf()).title, 'Pay Corner shop')
  assert.doesNotMatch(body, /aria-invalid|class="error"|class="problem"/)
  assert.ok(body.includes('<main class="columns"') && body.includes('class="test-banner"'))
  assert.doesNotMatch(bodyOf({ mode: 'live' }), /test-banner/)
})

test('a link’s last day is given in the shop’s time zone', () => {
  const summary = sectionOf(bodyOf({ description: 'With clay', ends_at: '2026-12-01T00:00:00Z' }), 'summary')
  assert.deepEqual(summary.slice(-2), ['With clay', 'Open until 30 November 2026'])
  // Summer: midnight in London is 23:00 in UTC.
  assert.equal(
    sectionOf(bodyOf({ ends_at: '2026-07-31T23:00:00Z' }), 'summary').at(-1),
    'Open until 31 July 2026',
  )
})

test('where the customer chooses the amount, the form shows its limits', () => {
  const hints = (least_minor: bigint | null, most_minor: bigint | null): string[] =>
    sectionOf(bodyOf({ amount_minor: null, least_minor, most_minor }), 'card form').slice(1, -5)
  assert.deepEqual(hints(null, null), ['Amount', '£'])
  assert.deepEqual(hints(100n, null), ['Amount', 'At least £1.00', '£'])
  assert.deepEqual(hints(null, 900n), ['Amount', 'At most £9.00', '£'])
  assert.deepEqual(hints(100n, 900n), ['Amount', 'From £1.00 to £9.00', '£'])
  assert.deepEqual(sectionOf(bodyOf({ amount_minor: null }), 'summary'), ['Pay Corner shop', 'Pottery class'])
})

/** What the list on top says, and where each line leads. */
function problemsOf(sent: Sent, changes: Partial<LinkRow> = {}): string[] {
  const list = /<ul>([^]*?)<\/ul>/.exec(bodyOf({ amount_minor: null, ...changes }, sent))?.[1] ?? ''
  return Array.from(list.matchAll(/<a href="#(\w+)">([^<]*)<\/a>/g), ([, name, text]) => `${name}: ${text}`)
}

test('mistakes are listed on top in form order, and shown at each field', () => {
  const errors = {
    email: ['email is wrong'],
    first_name: ['first_name is required'],
    last_name: ['last_name must be at most 100 characters'],
    amount: ['amount is required'],
  }
  const sent = { errors, typed: { email: 'ada', last_name: 'x', first_name: '' } }
  assert.deepEqual(
    problemsOf(sent).map((line) => line.split(':')[0]),
    ['amount', 'first_name', 'last_name', 'email'],
  )
  const body = bodyOf({ amount_minor: null }, sent)
  for (const name of ['amount', 'first_name', 'last_name', 'email']) {
    assert.ok(body.includes(`<p class="error" id="${name}-error">`), name)
    const input = new RegExp(`<input\\s+id="${name}"[^]*?/>`).exec(body)?.[0] ?? ''
    assert.match(input, new RegExp(`aria-describedby="${name}-error"`))
    assert.match(input, /aria-invalid="true"/)
  }
  assert.match(linkPage(settingOf(), formOf(sent)).title, /^Error: /)
  assert.match(body, /name="email"\s+value="ada"\s+type="email" inputmode="email"/)
  assert.doesNotMatch(/id="first_name"[^]*?\/>/.exec(body)?.[0] ?? '', /type="email"/)
})

test('a missing, out-of-range or malformed amount each has its own message', () => {
  const said = (amount: string, ...rules: string[]): string | undefined =>
    problemsOf({ errors: { amount: rules }, typed: { amount } }, { least_minor: 500n })[0]
  assert.equal(said('', 'amount is required'), 'amount: Enter the amount')
  assert.equal(
    said('3', 'amount must be round', 'amount must be between 5 and 9'),
    'amount: Enter another amount. At least &#163;5.00',
  )
  assert.match(said('three', 'amount must be a number') ?? '', /5\.00/)
  const example = problemsOf({ errors: { amount: ['amount must be a number'] }, typed: { amount: 'x' } })
  assert.match(example[0] ?? '', /10\.00/)
  assert.deepEqual(problemsOf({}), [])
})

test('the amount field is described by its limits and its error', () => {
  const describedBy = (changes: Partial<LinkRow>, sent: Sent = {}): string | undefined =>
    /<input\s+id="amount"[^]*?\/>/
      .exec(bodyOf({ amount_minor: null, ...changes }, sent))?.[0]
      .match(/aria-describedby="([^"]*)"/)?.[1]
  const sent = { errors: { amount: ['amount is required'] } }
  assert.equal(describedBy({}), undefined)
  assert.equal(describedBy({ least_minor: 1n }), 'amount-hint')
  assert.equal(describedBy({}, sent), 'amount-error')
  assert.equal(describedBy({ least_minor: 1n }, sent), 'amount-hint amount-error')
})

test('a card number typed as a name is not shown again', () => {
  const typed = { first_name: '4242 4242 4242 4242', last_name: 'Lovelace' }
  const body = bodyOf({}, { errors: { first_name: [`first_name ${cardNumberRule}`] }, typed })
  assert.ok(!body.includes('4242') && body.includes('value="Lovelace"'))
})

test('a closed link says why, and that no money was taken unless it was paid', () => {
  const linesOfClosed = (why: Closed, changes: Partial<LinkRow> = {}): string[] =>
    sectionOf(closedPage(settingOf(changes), why).body.text, 'card sheet')
  const none = /No money has been taken\.$/
  for (const why of ['paused', 'ended', 'all_taken', 'sold_out', 'unavailable'] as const) {
    assert.match(linesOfClosed(why).at(-1) ?? '', none, why)
    assert.equal(linesOfClosed(why)[1], 'Pottery class')
  }
  assert.match(linesOfClosed('paused', { kind: 'single' }).at(-1) ?? '', none)
  assert.doesNotMatch(linesOfClosed('sold_out', { kind: 'single' }).at(-1) ?? '', none)
  const banner = (mode: LinkRow['mode']): boolean =>
    closedPage(settingOf({ mode }), 'paused').body.text.includes('class="test-banner"')
  assert.deepEqual([banner('test'), banner('live')], [true, false])
})

test('the chosen language stays in the URL', () => {
  const plain = linkAddress(settingOf())
  assert.match(plain, /^\/florin\/link\/\w+$/)
  assert.equal(linkAddress(settingOf({}, true)), `${plain}?lang=en`)
})
