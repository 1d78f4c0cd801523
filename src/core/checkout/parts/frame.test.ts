import assert from 'node:assert/strict'
import { test } from 'node:test'
import { linesOf, makePageModel, type ModelChanges, styleFile } from '../../../../test/support/page-model.ts'
import { html } from '../../../platform/http/html.ts'
import { plainBrand } from '../../merchants/brand/brand.ts'
import { english, languages } from '../language.ts'
import type { Setting } from '../page-model.ts'
import { askEmailPage } from '../pages/ask-email.ts'
import { challengePage } from '../pages/challenge.ts'
import { choice } from '../pages/choice.ts'
import { bannerOf, frame, type Framed } from './frame.ts'
import { amountLine } from './summary.ts'

const setting: Setting = { language: english, isChosen: false, prefix: '/florin', styleFile }
const framed: Framed = { title: 'Pay', content: html`<p>here</p>` }

function bannerIn(text: string): string | undefined {
  return linesOf(/<header class="test-banner">[^]*?<\/header>/.exec(text)?.[0] ?? '')[0]
}

test('a test page says so at the top, before and after the payment ends', () => {
  const said = (changes: Partial<Framed>): string | undefined =>
    bannerIn(frame(setting, { ...framed, ...changes }).body.text)
  const { testBanner, testReceipt, sandboxBanner } = english.words
  assert.equal(said({}), undefined)
  assert.equal(said({ isTest: true }), testBanner)
  assert.equal(said({ isTest: true, isOver: true }), testReceipt)
  assert.equal(said({ isOver: true }), undefined)
  assert.equal(said({ isSandbox: true }), sandboxBanner)
  assert.equal(said({ isTest: true, isSandbox: true, isOver: true }), sandboxBanner)
  assert.deepEqual(bannerOf(makePageModel()), { isTest: true, isSandbox: false })
  assert.deepEqual(bannerOf(makePageModel({ mode: 'live', page: { isSandbox: true } })), {
    isTest: false,
    isSandbox: true,
  })
})

/** The languages below a page, as `cy /payment/1?lang=cy`, with a star at the one that it is in. */
function languagesIn(where: Setting, home?: string): string[] {
  const { text } = frame(where, { ...framed, ...(home !== undefined && { home }) }).body
  const links = text.matchAll(/<a\s+href="([^"]*)"\s+lang="(\w+)"\s+hreflang="\w+"\s+dir="\w+"\s*([^>]*)>/g)
  return Array.from(
    links,
    ([, href, code, current = '']) => `${code} ${href}${current.includes('aria-current') ? ' *' : ''}`,
  )
}

test('every language can be chosen on every page, and stays chosen', () => {
  const all = languages.map(({ code }) => `${code} /payment/1?lang=${code}${code === 'en' ? ' *' : ''}`)
  for (const home of ['/payment/1', '/payment/1?lang=fr', '/payment/1'])
    assert.deepEqual(languagesIn(setting, home), all)
  assert.equal(languagesIn(setting)[0], 'en ?lang=en *')
  assert.deepEqual(languagesIn(setting, '/payment/2')[1], 'cy /payment/2?lang=cy')
})

test('a shop with some languages offers only those, and one language means no switch', () => {
  const offering = (codes: readonly string[]): Setting => ({
    ...setting,
    shop: { name: 'Corner shop', brand: { ...plainBrand, languages: codes } },
  })
  assert.deepEqual(languagesIn(offering(['pl', 'en']), '/p'), ['pl /p?lang=pl', 'en /p?lang=en *'])
  assert.deepEqual(languagesIn(offering(['en']), '/p'), [])
})

test('longer amounts are written smaller', () => {
  const classOf = (length: number): string | undefined =>
    /class="amount([^"]*)"/
      .exec(amountLine({ amount: `\u2066${'1'.repeat(length)}\u2069`, language: english }).text)?.[1]
      ?.trim()
      .replace(/\s+/g, ' ')
  assert.deepEqual([10, 11, 13, 14, 16, 17].map(classOf), [
    '',
    'wide',
    'wide',
    'wide long',
    'wide long',
    'wide long longest',
  ])
})

const offer = { accountId: 'acc_1', connector: 'x', label: 'Stripe', method: 'card', sandbox: false } as const

test('each network is a button, the first is the primary one, and the note about leaving appears once', () => {
  const bank = { ...offer, accountId: 'acc_2', method: 'bank' } as const
  const drawn = (
    changes: ModelChanges,
    ...offers: (typeof offer | typeof bank | { label: string; marks?: readonly string[] })[]
  ): string =>
    choice(
      makePageModel({
        ...changes,
        page: { offered: { offers: offers as (typeof offer)[], amountOutOfRange: false } },
      }),
      'ways',
      'Choose how to pay',
    ).text
  const buttons = (text: string): string[] =>
    Array.from(text.matchAll(/<button class="(\w+) way"/g), ([, kind = '']) => kind)
  const live = { mode: 'live' } as const
  assert.deepEqual(buttons(drawn(live, offer, bank)), ['go', 'plain'])
  assert.deepEqual(buttons(drawn({}, offer, bank)), ['plain', 'plain'])
  const card = 'Pay £1,234.50 by card'
  const byBank = 'Pay £1,234.50 by bank'
  const heading = 'Choose how to pay'
  const at = 'You’ll pay with Stripe, then come back here.'
  assert.deepEqual(linesOf(drawn(live, offer, bank)), [heading, card, byBank, at])
  const elsewhere = 'You’ll pay with GoCardless, then come back here.'
  assert.deepEqual(linesOf(drawn(live, offer, { ...bank, label: 'GoCardless' })), [
    heading,
    card,
    at,
    byBank,
    elsewhere,
  ])
  assert.deepEqual(linesOf(drawn(live, offer)), [card, at], 'one way needs no heading')
  assert.match(drawn(live, offer), /<span id="ways">/, 'and names the section')
  const bankFirst = { ...live, brand: { methodOrder: ['bank'] as const } }
  assert.deepEqual(linesOf(drawn(bankFirst, offer, bank)), [heading, byBank, card, at])
  assert.deepEqual(buttons(drawn(bankFirst, offer, bank)), ['go', 'plain'])
  const marked = drawn(live, { ...offer, marks: ['visa', 'apple_pay'] as const })
  assert.match(marked, /data-brand="visa" role="img" aria-label="Visa"[^]*>Apple Pay</)
  assert.doesNotMatch(marked, /Google Pay|mastercard/)
})

test('a wrong e-mail address for an old receipt is explained', () => {
  const page = askEmailPage(makePageModel(), 'otherEmail')
  assert.equal(page.title, `Error: ${english.words.oldReceiptTitle}`)
  assert.match(page.body.text, /aria-describedby="email-error" aria-invalid="true"/)
  assert.equal(bannerIn(page.body.text), english.words.testReceipt)
  const first = askEmailPage(makePageModel({ mode: 'live' }))
  assert.equal(first.title, english.words.oldReceiptTitle)
  assert.doesNotMatch(first.body.text, /email-error|aria-invalid|test-banner/)
})

test('the test bank says that it is one', () => {
  const { text } = challengePage(makePageModel({ attempt: { cardBrand: 'Visa', cardLast4: '4242' } })).body
  assert.equal(bannerIn(text), english.words.testBanner)
  assert.ok(linesOf(text).includes('Visa ending in 4242'))
  assert.ok(!linesOf(challengePage(makePageModel()).body.text).includes('Card'))
})
