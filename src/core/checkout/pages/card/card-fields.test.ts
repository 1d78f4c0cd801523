import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makePageModel } from '../../../../../test/support/page-model.ts'
import { english } from '../../language.ts'
import type { PageModel } from '../../page-model.ts'
import { cardFields } from './card-fields.ts'
import { testCardTable } from './test-cards.ts'

function inputsOf(page: Partial<PageModel>): Record<string, string> {
  const { text } = cardFields(makePageModel({ state: 'pending', page }))
  const inputs = text.matchAll(/<input\s+id="(\w+)"([^]*?)\/>/g)
  return Object.fromEntries(
    Array.from(inputs, ([, name = '', rest = '']) => [name, rest.replace(/\s+/g, ' ')]),
  )
}

test('a field has its hint, example and pattern, and is marked when wrong', () => {
  const { number = '', expiry = '', cvc = '', name = '' } = inputsOf({})
  assert.match(number, /aria-describedby="number-hint number-error" inputmode="numeric" dir="ltr" pattern="/)
  assert.match(expiry, /placeholder="MM \/ YY" pattern="/)
  assert.match(name, /value="Ada Lovelace".*aria-describedby="name-error" dir="auto"/)
  assert.doesNotMatch(number + cvc + name, /placeholder/)
  assert.doesNotMatch(name, /pattern=/)
  for (const input of [number, expiry, cvc, name]) assert.doesNotMatch(input, /aria-invalid/)
  const wrong = inputsOf({ mistakes: { cvc: 'cvcWrong' }, typed: { expiry: '12/29', name: 'Eve' } })
  assert.match(wrong['cvc'] ?? '', /value="".*aria-invalid="true"/)
  assert.match(wrong['expiry'] ?? '', /value="12\/29"/)
  assert.match(wrong['name'] ?? '', /value="Eve"/)
  for (const field of ['number', 'expiry', 'name']) assert.doesNotMatch(wrong[field] ?? '', /aria-invalid/)
})

test('a field’s error is shown below it; the others’ error slots are empty and hidden', () => {
  const { text } = cardFields(makePageModel({ page: { mistakes: { cvc: 'cvcWrong' } } }))
  const errors = Array.from(
    text.matchAll(/<p class="error" id="(\w+)-error" ?(\w*)>([^<]*)<\/p>/g),
    (found) => found.slice(1),
  )
  assert.deepEqual(errors, [
    ['number', 'hidden', ''],
    ['expiry', 'hidden', ''],
    ['cvc', '', english.words.cvcWrong],
    ['name', 'hidden', ''],
  ])
  assert.doesNotMatch(text, /undefined|name-hint/)
})

test('every card of the test network says what it will do', () => {
  const rows = testCardTable(english.words).text.matchAll(/data-card="([^"]*)"[^]*?<td>([^<]+)<\/td>/g)
  assert.deepEqual(
    Array.from(rows, ([, number, outcome]) => `${number}: ${outcome}`),
    [
      '4242 4242 4242 4242: Paid',
      '5555 5555 5555 4444: Paid',
      '3782 822463 10005: Paid',
      '4000 0000 0000 2685: Paid, then disputed and won',
      '4000 0000 0000 0259: Paid, then disputed and lost',
      '4000 0000 0000 4400: Paid, then disputed: you answer',
      '4000 0000 0000 3220: Asks for approval',
      '4000 0000 0000 0002: Declined',
      '4000 0000 0000 9995: Not enough money',
      '4000 0000 0000 0069: Expired card',
      '4000 0000 0000 0127: Wrong security code',
      '4000 0000 0000 0119: Processing error',
      '4000 0000 0000 5043: No answer, later found paid',
      '4000 0000 0000 5050: No answer, later found not paid',
      '4000 0000 0000 7726: Paid; a refund takes a moment',
      '4000 0000 0000 5126: Paid; a refund fails',
    ],
  )
})
