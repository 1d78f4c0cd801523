import assert from 'node:assert/strict'
import { test } from 'node:test'
import { linesOf, styleFile } from '../../../../test/support/page-model.ts'
import { Refusal, type RefusalCode } from '../../../platform/errors/refusals.ts'
import { plainBrand } from '../../merchants/brand/brand.ts'
import { cardNumberRule } from '../../../platform/money/card-numbers.ts'
import { paymentStates } from '../../payments/state-machine.ts'
import { english } from '../language.ts'
import type { Setting } from '../page-model.ts'
import { formRefusedPage, mistakeOf, type RefusedForm } from './form-refused.ts'

const shop = { name: 'Corner shop', brand: plainBrand }
const setting: Setting = { language: english, isChosen: false, prefix: '/florin', styleFile, shop }

function refusedFor(code: RefusalCode, changes: Partial<RefusedForm> = {}): RefusedForm {
  return {
    refusal: new Refusal(code, 'the rule'),
    isTest: false,
    wayBack: undefined,
    before: undefined,
    requestId: 'req-1',
    correction: undefined,
    ...changes,
  }
}

function bodyOf(refused: RefusedForm, where: Setting = setting): string {
  return formRefusedPage(where, refused).body.text
}

/** What the first sheet says. */
function sheetOf(refused: RefusedForm, where: Setting = setting): string[] {
  return linesOf(/<section class="card sheet[^]*?<\/section>/.exec(bodyOf(refused, where))?.[0] ?? '')
}

const { words } = english
const none = 'No money has been taken.'
const inShop = (sentence: string): string => sentence.replaceAll('{merchant}', 'Corner shop')

test('an error the shop must fix says first what it means for the money, then what to do', () => {
  const said = (code: RefusalCode, where?: Setting): string[] => sheetOf(refusedFor(code), where)
  assert.deepEqual(said('validation_failed'), [words.formTitle, none, inShop(words.formShopFault)])
  assert.deepEqual(said('form_refused'), [words.formTitle, none, words.formOld])
  assert.deepEqual(said('unavailable'), [words.formTitle, none, words.formBusy])
  assert.deepEqual(said('rate_limited'), [words.formTitle, none, words.formBusy])
  const { shop: _, ...unknown } = setting
  assert.deepEqual(said('unauthorized', unknown), [words.formTitle, none, words.formUnknownShopFault])
})

test('the form’s developer finds the rule, its code and the request id below', () => {
  const lines = linesOf(bodyOf(refusedFor('validation_failed')))
  const at = lines.indexOf('For the shop:')
  assert.deepEqual(lines.slice(at, at + 5), ['For the shop:', 'the rule', 'validation_failed', '·', 'req-1'])
  const before = { state: 'pending', checkoutUrl: '/payment/1' } as const
  assert.ok(!bodyOf(refusedFor('tx_ref_taken', { before })).includes('For the shop:'))
})

test('a resent form links to its payment', () => {
  const seen = paymentStates.map((state) => {
    const refused = refusedFor('tx_ref_taken', { before: { state, checkoutUrl: '/payment/1' } })
    const leads = bodyOf(refused).includes('href="/payment/1"')
    return [state, ...sheetOf(refused), leads ? 'leads there' : 'leads nowhere']
  })
  const ended = [words.formTakenTitle, inShop(words.formEnded), 'leads nowhere']
  assert.deepEqual(Object.fromEntries(seen.map(([state, ...rest]) => [state, rest])), {
    pending: [words.formTakenTitle, words.formGoOn, words.goOnToPayment, 'leads there'],
    success: [words.formTakenTitle, words.formPaid, words.openReceipt, 'leads there'],
    refunded: [words.formTakenTitle, words.formMoneyBack, words.openReceipt, 'leads there'],
    reversed: [words.formTakenTitle, inShop(words.formUnsure), words.openReceipt, 'leads there'],
    failed: ended,
    cancelled: ended,
    expired: ended,
  })
  // Somebody else's: nothing is known that may be said.
  assert.deepEqual(sheetOf(refusedFor('tx_ref_taken')), [words.formTakenTitle, inShop(words.formUnsure)])
})

test('a created payment shows a tick, a correction no mark, and any other refusal none', () => {
  const markOf = (refused: RefusedForm): string | undefined => /class="mark (\w+)/.exec(bodyOf(refused))?.[1]
  const before = (state: 'success' | 'pending') => ({ before: { state, checkoutUrl: '/' } })
  assert.equal(markOf(refusedFor('tx_ref_taken', before('success'))), 'good')
  assert.equal(markOf(refusedFor('tx_ref_taken', before('pending'))), 'calm')
  assert.equal(markOf(refusedFor('validation_failed')), 'calm')
  assert.equal(markOf(corrected({ email: 'ada' })), undefined)
})

function corrected(typed: Readonly<Record<string, string>>, errors = {}): RefusedForm {
  const refusal = new Refusal('validation_failed', 'the rule', { errors })
  return refusedFor('validation_failed', {
    refusal,
    correction: { sealed: 'sealed-form', typed: new Map(Object.entries(typed)) },
  })
}

test('a customer corrects only what they typed, in form order', () => {
  const refused = corrected({ last_name: 'x'.repeat(3), email: 'ada' }, { last_name: ['must be at most 2'] })
  assert.deepEqual(sheetOf(refused), [
    words.formCorrectTitle,
    inShop(words.formCorrectBody),
    none,
    words.email,
    words.emailWrong,
    words.lastName,
    words.nameLong,
    words.goOnToPayment,
  ])
  assert.equal(formRefusedPage(setting, refused).title, 'Error: Check your details')
  assert.equal(formRefusedPage(setting, refusedFor('validation_failed')).title, words.formTitle)
  const body = bodyOf(refused)
  assert.ok(!body.includes('For the shop:') && body.includes('action="/florin/ext_transfer" novalidate'))
  assert.ok(bodyOf(refused, { ...setting, isChosen: true }).includes('action="/florin/ext_transfer?lang=en"'))
  const inputs = Array.from(body.matchAll(/<input\s+id="\w+"[^]*?\/>/g), ([input]) =>
    input.replace(/\s+/g, ' '),
  )
  assert.deepEqual(inputs, [
    '<input id="email" name="email" value="ada" type="email" inputmode="email" dir="ltr" required autofocus autocomplete="email" aria-describedby="email-error" aria-invalid="true" spellcheck="false" />',
    '<input id="last_name" name="last_name" value="xxx" autocomplete="family-name" aria-describedby="last_name-error" aria-invalid="true" spellcheck="false" />',
  ])
})

test('a card number typed as a name is not shown again', () => {
  const typed = '4242 4242 4242 4242'
  const body = bodyOf(corrected({ first_name: typed }, { first_name: [`first_name ${cardNumberRule}`] }))
  assert.ok(!body.includes('4242') && body.replaceAll('&#8217;', '’').includes(words.ownCardNumber))
})

test('each mistake in the customer’s details has its own message', () => {
  const long = { errors: { email: ['must be at most 254'], first_name: ['must be at most 100', 'other'] } }
  assert.equal(mistakeOf({ errors: undefined }, 'email', ''), 'emailMissing')
  assert.equal(mistakeOf(long, 'email', 'a'), 'emailWrong')
  assert.equal(mistakeOf(long, 'first_name', 'a'), 'nameLong')
  assert.equal(mistakeOf(long, 'first_name', ''), 'firstNameMissing')
  assert.equal(mistakeOf({ errors: {} }, 'last_name', 'a'), 'ownNameWrong')
  const card = { errors: { email: ['other', `email ${cardNumberRule}`] } }
  assert.equal(mistakeOf(card, 'email', 'a'), 'ownCardNumber')
})

test('the link back to the shop and the test banner appear where they apply', () => {
  const plain = bodyOf(refusedFor('validation_failed'))
  assert.doesNotMatch(plain, /test-banner|Return to/)
  const back = bodyOf(refusedFor('validation_failed', { isTest: true, wayBack: 'https://shop.example/' }))
  assert.match(back, /test-banner/)
  assert.match(back, /href="https:\/\/shop\.example\/" rel="noreferrer">Return to Corner shop</)
})
