import assert from 'node:assert/strict'
import { test } from 'node:test'
import { factsIn, linksIn, pageAsk, wordsOf } from '../../../../../test/support/dashboard/page-ask.ts'
import { bookkeepingSettingsPage, editBookkeepingPage } from './page.ts'

const dashboard = { live: { networks: [{ name: 'stripe', label: 'Stripe' }] } }
const settings = {
  accounts: { sales: '8400', fees: '', bank: '1200' },
  clearing: { stripe: '1361' },
  consultantNumber: undefined,
  clientNumber: 17,
  fiscalYearMonth: 1,
  accountLength: 4,
  chart: '03',
}
const model = (changes = {}, networks = ['stripe']) =>
  ({ settings: { ...settings, ...changes }, networks }) as never
const page = (changes = {}, networks = ['stripe']) =>
  bookkeepingSettingsPage(pageAsk({ dashboard }), model(changes, networks)).body

test('account numbers are shown, and those that are not set say so', () => {
  assert.deepEqual(factsIn(page()), {
    Sales: '8400',
    Fees: 'Not set',
    'Tax on fees': 'Not set',
    'Other bookings': 'Not set',
    Bank: '1200',
    'Clearing account of Stripe': '1361',
    'Consultant number': 'Not set',
    'Client number': '17',
    'Fiscal year begins in month': '1',
    'Digits of an account': '4',
    'Chart of accounts': 'SKR 03',
  })
  assert.equal(factsIn(page({ chart: '' }))['Chart of accounts'], 'Another')
})

test('a shop without payouts learns when networks appear', () => {
  assert.doesNotMatch(wordsOf(page()), /Networks appear here/)
  assert.match(wordsOf(page({}, [])), /Networks appear here once they report payouts/)
})

test('owners alone edit the numbers', () => {
  assert.ok('Edit' in linksIn(page()))
  assert.ok(
    !('Edit' in linksIn(bookkeepingSettingsPage(pageAsk({ role: 'viewer', dashboard }), model()).body)),
  )
})

test('the form has what is stored, or what was typed, with mistakes by their label', () => {
  const edit = (typed = {}, mistakes = {}) =>
    editBookkeepingPage(pageAsk({ dashboard }), model(), new Map(Object.entries(typed)) as never, mistakes)
      .body
  assert.match(edit().text, /name="sales"[^>]*value="8400"/)
  assert.match(edit().text, /name="consultant_number"[^>]*value=""/)
  assert.match(edit().text, /value="03" selected/)
  assert.match(edit({ sales: 'x', chart: '04' }).text, /name="sales"[^>]*value="x"/)
  assert.match(edit({ chart: '04' }).text, /value="04" selected/)
  assert.match(wordsOf(edit({}, { client_number: 'client_number is too long' })), /Client number is too long/)
})
