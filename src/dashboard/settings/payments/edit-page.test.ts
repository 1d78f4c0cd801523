import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pageAsk, wordsOf } from '../../../../test/support/dashboard/page-ask.ts'
import type { Merchant } from '../../../core/merchants/authenticate.ts'
import { editPaymentsPage } from './edit-page.ts'
import { languageField } from './read-settings.ts'

const { merchant } = pageAsk().place
const { brand } = merchant

function page(changes: Partial<Merchant> = {}, typed: Record<string, string> = {}, mistakes = {}) {
  return editPaymentsPage(pageAsk(), { ...merchant, ...changes }, new Map(Object.entries(typed)), mistakes)
    .body
}

/** The value of the choice that is marked. */
function chosen(text: string, name: string): string[] {
  const inputs = [...text.matchAll(/<input\b[^>]*>/g)].map(([input]) => input)
  return inputs
    .filter((input) => input.includes(`name="${name}"`) && / checked/.test(input))
    .map((input) => /value="([^"]*)"/.exec(input)?.[1] ?? '')
}
const selected = (text: string, name: string): string | undefined =>
  new RegExp(`name="${name}"[^]*?<option value="([^"]*)" selected`).exec(text)?.[1]

for (const [what, name, changes, typed, is] of [
  ['no setting', 'after_paying', {}, {}, 'shop'],
  ['the receipt first', 'after_paying', { brand: { ...brand, receiptFirst: true } }, {}, 'receipt'],
  ['the receipt typed', 'after_paying', {}, { after_paying: 'receipt' }, 'receipt'],
  [
    'the shop typed',
    'after_paying',
    { brand: { ...brand, receiptFirst: true } },
    { after_paying: 'shop' },
    'shop',
  ],
  ['no setting', 'secret_keys', {}, {}, 'off'],
  ['secret keys accepted', 'secret_keys', { formsTakeSecretKeys: true }, {}, 'on'],
  ['secret keys typed off', 'secret_keys', { formsTakeSecretKeys: true }, { secret_keys: 'off' }, 'off'],
  ['no setting', 'first_method', {}, {}, 'card'],
  ['a bank first', 'first_method', { brand: { ...brand, methodOrder: ['bank'] } }, {}, 'bank'],
] as const)
  test(`with ${what}, ${name} is ${is}`, () => {
    assert.deepEqual(chosen(page(changes as Partial<Merchant>, typed).text, name), [is])
  })

for (const [minutes, typed, count, unit] of [
  [1_440, {}, '24', 'hours'],
  [2_880, {}, '2', 'days'],
  [90, {}, '90', 'minutes'],
  [180, {}, '3', 'hours'],
  [1_440, { pay_within: 'x', pay_within_unit: 'minutes' }, 'x', 'minutes'],
] as const)
  test(`${minutes} minutes to pay are shown as ${count} ${unit}${'pay_within' in typed ? ', as typed' : ''}`, () => {
    const { text } = page({ payWithinMinutes: minutes }, typed)
    assert.match(text, new RegExp(`name="pay_within"[^>]*value="${count}"`))
    assert.equal(selected(text, 'pay_within_unit'), unit)
  })

test('every language is offered until some are chosen, and the first is the default', () => {
  const offered = (text: string): string[] =>
    [...text.matchAll(/name="language_([\w-]+)" value="yes" checked/g)].map(([, code = '']) => code)
  assert.equal(languageField('de'), 'language_de')
  assert.ok(offered(page().text).length > 5)
  assert.equal(selected(page().text, 'first_language'), 'en')
  const two = { brand: { ...brand, languages: ['de', 'fr'] } }
  assert.deepEqual(offered(page(two).text).toSorted(), ['de', 'fr'])
  assert.equal(selected(page(two).text, 'first_language'), 'de')
  const typed = page(two, { first_language: 'es', [languageField('es')]: 'yes' })
  assert.deepEqual(offered(typed.text), ['es'], 'a form that was sent says it itself')
  assert.equal(selected(typed.text, 'first_language'), 'es')
})

test('mistakes stand at their fields, in the words of the form', () => {
  const wrong = page({}, {}, { pay_within: 'pay_within is too long', languages: 'Choose one' })
  assert.match(wordsOf(wrong), /Time to pay is too long/)
  assert.match(wrong.text, /id="languages" aria-describedby="languages-error"/)
  assert.match(wrong.text, /id="languages-error">Choose one</)
  assert.doesNotMatch(page().text, /languages-error/)
})

test('a shop without an alert address has an empty field', () => {
  assert.match(page({ email: null }).text, /name="email"[^>]*value=""/)
  assert.match(page().text, /name="email"[^>]*value="shop@example.com"/)
  assert.match(page({}, { email: 'x' }).text, /name="email"[^>]*value="x"/)
})
