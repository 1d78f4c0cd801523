import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  factsIn,
  formsIn,
  linksIn,
  pageAsk,
  tableIn,
  wordsOf,
} from '../../../../../test/support/dashboard/page-ask.ts'
import type { ChargeRules } from '../../rules.ts'
import { editRulesPage, rulesPage, shownCurrencies } from './page.ts'

const none: ChargeRules = { isStopped: false, ceilings: new Map() }
const limited: ChargeRules = {
  isStopped: true,
  ceilings: new Map([
    ['EUR', { methodMinor: 50_000n }],
    ['GBP', { allMinor: 100_000n }],
  ]),
}

test('charges are shown as allowed or stopped, with the ceilings of each currency', () => {
  const page = rulesPage(pageAsk(), none).body
  assert.deepEqual(factsIn(page), { 'Charges of saved methods': 'allowed' })
  assert.match(wordsOf(page), /in test mode.*No ceilings.*20 charges a day.*15 attempts in 30 days/)
  const stopped = rulesPage(pageAsk({ mode: 'live' }), limited).body
  assert.deepEqual(factsIn(stopped), { 'Charges of saved methods': 'stopped Every charge is refused' })
  assert.deepEqual(tableIn(stopped).rows, [
    ['EUR, Euro', '€500.00', 'None'],
    ['GBP, Pound sterling', 'None', '£1,000.00'],
  ])
  assert.match(wordsOf(stopped), /in live mode/)
})

test('owners alone edit the limits of saved methods', () => {
  assert.ok('Edit' in linksIn(rulesPage(pageAsk(), none).body))
  assert.ok(!('Edit' in linksIn(rulesPage(pageAsk({ role: 'bookkeeper' }), none).body)))
})

test('the form has the shop’s currencies, those with a ceiling, and room for another', () => {
  assert.deepEqual(shownCurrencies(pageAsk(), limited), ['GBP', 'EUR'])
  const { body } = editRulesPage(pageAsk(), limited)
  assert.equal(formsIn(body)['Save'], '/dashboard/12345678/test/settings/saved-methods/edit')
  assert.match(body.text, /value="stopped" checked/)
  assert.match(body.text, /name="method_EUR"[^>]*value="500.00"/)
  assert.match(body.text, /name="all_EUR"[^>]*value=""/)
  assert.match(body.text, /<option value="JPY"/)
  assert.doesNotMatch(body.text, /<option value="EUR"/)
})

test('the form keeps what was typed, with mistakes at their fields', () => {
  const typed = new Map(Object.entries({ charges: 'allowed', method_GBP: 'x', other_currency: 'JPY' }))
  const wrong = { method_GBP: 'Enter an amount', other_currency: 'Choose a currency' }
  const { text } = editRulesPage(pageAsk(), limited, typed, wrong).body
  assert.match(text, /value="allowed" checked/)
  assert.match(text, /name="method_GBP"[^>]*value="x"/)
  assert.match(text, /id="method_GBP-error">Enter an amount/)
  assert.match(text, /value="JPY" selected/)
  assert.match(text, /<p class="error">Choose a currency/)
})
