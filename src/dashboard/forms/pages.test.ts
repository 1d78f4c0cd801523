import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  linksIn,
  now,
  pageAsk,
  tableIn,
  wordsOf,
  type AskChanges,
} from '../../../test/support/dashboard/page-ask.ts'
import { formsPage, refusedFormsPage } from './pages.ts'

const home = '/dashboard/12345678/test'

function page(changes: object = {}, ask: AskChanges = {}) {
  return formsPage(pageAsk(ask), { typed: new Map(), made: undefined, mistakes: {}, ...changes }).body
}
const made = (isSigned: boolean) => ({
  code: '<form></form>',
  fields: new Map([['amount', '1.00']]),
  isSigned,
})

test('before a form is created, the page says what to enter, and after a mistake what is wrong', () => {
  assert.match(wordsOf(page()), /Your form Enter a form key and an amount/)
  const wrong = wordsOf(page({ mistakes: { amount: 'Enter an amount' } }))
  assert.match(wrong, /Enter an amount/)
  assert.doesNotMatch(wrong, /Enter a form key/)
})

for (const [isSigned, says, hides] of [
  [true, /This form is signed/, /Customers can change any field/],
  [false, /Customers can change any field/, /This form is signed|Node\.js/],
] as const)
  test(`a form that is ${isSigned ? '' : 'not '}signed says what customers can change`, () => {
    const drawn = page({ made: made(isSigned) })
    assert.match(wordsOf(drawn), says)
    assert.doesNotMatch(wordsOf(drawn), hides)
    assert.doesNotMatch(wordsOf(drawn), /Enter a form key/)
    assert.match(drawn.text, /id="preview-email" disabled/)
  })

test('the hint shows the prefix of form keys in this mode, and fields keep what was typed', () => {
  assert.match(wordsOf(page()), /fk_test_…/)
  assert.match(wordsOf(page({}, { mode: 'live', merchant: { liveEnabled: true } })), /fk_live_…/)
  const typed = page({ typed: new Map([['amount', '20.00']]) })
  assert.match(typed.text, /name="amount"[^>]*value="20\.00"/)
})

const refusal = {
  request_id: 'req/1',
  message: 'amount is required',
  code: 'invalid_request',
  tx_ref: null,
  created_at: now.toISOString(),
}
const refused = (...rows: object[]) => refusedFormsPage(pageAsk(), rows as never).body

test('a refused form is listed with its rule and leads to its request', () => {
  const drawn = refused(refusal, { ...refusal, tx_ref: 'order-1' })
  assert.deepEqual(tableIn(drawn).rows, [
    ['amount is required', 'invalid_request', '', 'just now'],
    ['amount is required', 'invalid_request', 'order-1', 'just now'],
  ])
  assert.deepEqual(tableIn(drawn).figures, ['When'])
  assert.equal(linksIn(drawn)['amount is required'], `${home}/requests/req%2F1`)
  assert.doesNotMatch(wordsOf(drawn), /No refused forms/)
  assert.match(wordsOf(refused()), /No refused forms/)
})

test('the tab of the page you are on is marked', () => {
  const marked = (text: string): string | undefined => /aria-current="page">([^<]*)</.exec(text)?.[1]
  assert.equal(marked(page().text), 'Create a form')
  assert.equal(marked(refused().text), 'Refused forms')
})
