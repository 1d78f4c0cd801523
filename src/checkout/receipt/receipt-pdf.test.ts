import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PaymentRow } from '../../payments/checkout-view.ts'
import { plainBrand } from '../../merchants/brand/brand.ts'
import { displayMoney, languages } from '../language.ts'
import { nearest, wrap } from './pdf.ts'
import { drawReceiptPdf, hasReceiptPdf } from './receipt-pdf.ts'
import type { PageModel } from '../page-model.ts'

function model(changes: Partial<PaymentRow> & { merchant?: string; code?: string } = {}): PageModel {
  const language = languages.find(({ code }) => code === (changes.code ?? 'en'))
  assert.ok(language)
  const payment = {
    mode: 'test',
    state: 'success',
    tx_ref: 'order-1',
    reference: 'FL123',
    currency: 'GBP',
    amount_minor: 123_450n,
    refunded_minor: 0n,
    first_name: 'Ada',
    last_name: 'Lovelace',
    title: 'Two chairs (oak)',
    updated_at: '2026-11-15T14:05:00.000000Z',
    ...changes,
  } as PaymentRow
  const view = {
    payment,
    merchantName: changes.merchant ?? 'Corner shop',
    brand: plainBrand,
    lastAttempt: undefined,
    attemptsLeft: 10,
  }
  const amount = displayMoney(payment.amount_minor, payment.currency, language)
  return { view, language, isChosen: false, prefix: '', digits: '1', amount, token: 't', now: new Date() }
}

/** What a reader shows, string by string. */
function textsOf(pdf: Buffer): string[] {
  const page = pdf.toString('latin1')
  const strings = [...page.matchAll(/\(((?:[^\\()]|\\.)*)\) Tj/g)].map((match) => match[1] ?? '')
  const decoder = new TextDecoder('windows-1252')
  return strings.map((text) => decoder.decode(Buffer.from(text.replace(/\\(.)/g, '$1'), 'latin1')))
}

test('the receipt says who was paid how much, for what, when and under which references', () => {
  assert.deepEqual(textsOf(drawReceiptPdf(model())), [
    'Corner shop',
    'Receipt',
    '£1,234.50',
    'Paid to',
    'Corner shop',
    'For',
    'Two chairs (oak)',
    'Paid by',
    'Ada Lovelace',
    'Date',
    '15 November 2026, 14:05 UTC',
    'Order reference',
    'order-1',
    'Reference',
    'FL123',
    'Test payment. No money was taken.',
  ])
})

test('every object stands where the table of contents says', () => {
  const pdf = drawReceiptPdf(model()).toString('latin1')
  const start = Number(/startxref\n(\d+)\n%%EOF\n$/.exec(pdf)?.[1])
  assert.equal(pdf.slice(start, start + 5), 'xref\n')
  const offsets = [...pdf.slice(start).matchAll(/^(\d{10}) 00000 n $/gm)].map((match) => Number(match[1]))
  offsets.forEach((offset, index) => assert.ok(pdf.startsWith(`${index + 1} 0 obj\n`, offset)))
  const length = Number(/\/Length (\d+)/.exec(pdf)?.[1])
  assert.equal(pdf.indexOf('\nendstream') - pdf.indexOf('stream\n') - 'stream\n'.length, length)
})

test('an amount never loses its currency, whatever letters the currency needs', () => {
  assert.equal(textsOf(drawReceiptPdf(model({ currency: 'EUR', code: 'fr' })))[2], '1\u00a0234,50\u00a0€')
  assert.equal(textsOf(drawReceiptPdf(model({ currency: 'PLN', code: 'pl' })))[2], 'PLN\u00a01,234.50')
  assert.equal(textsOf(drawReceiptPdf(model({ currency: 'INR', code: 'de' })))[2], '1,234.50 INR')
  assert.equal(textsOf(drawReceiptPdf(model({ currency: 'GBP', code: 'ar' })))[2], '£1,234.50')
  const refunded = textsOf(drawReceiptPdf(model({ currency: 'INR', code: 'de', refunded_minor: 100n })))
  assert.ok(refunded.includes('1.00 INR'))
})

test('every currency can be written in every language', () => {
  for (const { code } of languages) {
    for (const currency of ['GBP', 'EUR', 'JPY', 'INR', 'VND', 'KWD', 'UAH', 'SAR', 'CLF', 'PLN', 'RUB']) {
      assert.match(textsOf(drawReceiptPdf(model({ currency, code })))[2] ?? '', /\d/)
    }
  }
})

test('names lose the accents that the font lacks, and a name in another script is left out', () => {
  assert.equal(nearest('Łukasz Żółć'), 'Lukasz Zólc')
  assert.equal(nearest('Zoë Müller'), 'Zoë Müller')
  assert.equal(nearest('محمد'), '')
  assert.equal(nearest('a\u202eb\u200b'), 'ab')
  const texts = textsOf(drawReceiptPdf(model({ first_name: 'محمد', last_name: '王', merchant: 'متجر' })))
  assert.ok(texts.includes('FL123') && !texts.includes('Paid by') && !texts.includes('Paid to'))
})

test('a picture in a name costs nothing but the picture', () => {
  assert.equal(nearest('Ünïcode 🪑 Café'), 'Ünïcode Café')
  assert.equal(nearest('👩🏽‍🍳 Bread ❤️ & Co ©'), 'Bread & Co ©')
  assert.equal(nearest('Café 🇫🇷 No. 1️⃣'), 'Café No. 1')
  assert.equal(nearest('🪑'), '')
  assert.equal(textsOf(drawReceiptPdf(model({ merchant: 'Ünïcode 🪑 Café' })))[0], 'Ünïcode Café')
})

test('a merchant whose name can not be written has no PDF to offer', () => {
  for (const merchant of ['متجر', '🪑', '小店 Shop']) assert.equal(hasReceiptPdf(model({ merchant })), false)
  for (const merchant of ['Corner shop', 'Żółć 🪑']) assert.equal(hasReceiptPdf(model({ merchant })), true)
})

test('a long name is wrapped, and what stands below it moves down', () => {
  const merchant =
    'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft & Sons of Vienna'
  const texts = textsOf(drawReceiptPdf(model({ merchant })))
  const place = texts.indexOf('Receipt')
  assert.ok(place > 1)
  assert.equal(texts.slice(0, place).join('').replaceAll(' ', ''), merchant.replaceAll(' ', ''))
  const heightOf = (pdf: Buffer): number =>
    Number(/ (\d+) Td \(Receipt\) Tj/.exec(pdf.toString('latin1'))?.[1])
  assert.ok(heightOf(drawReceiptPdf(model({ merchant }))) < heightOf(drawReceiptPdf(model())))
})

test('a receipt of money that went back says so', () => {
  const refunded = textsOf(drawReceiptPdf(model({ state: 'refunded', refunded_minor: 123_450n })))
  assert.equal(refunded[refunded.indexOf('Refunded') + 1], '£1,234.50')
  assert.ok(refunded.includes('Payment refunded'))
  const reversed = textsOf(drawReceiptPdf(model({ state: 'reversed' }))).join(' ')
  assert.match(reversed, /Payment reversed\. Your bank has taken this payment back from Corner shop\./)
  const unnamed = textsOf(drawReceiptPdf(model({ state: 'reversed', merchant: 'متجر' })))
  assert.ok(unnamed.includes('Payment reversed.'))
})

test('text can not break out of its brackets', () => {
  const texts = textsOf(drawReceiptPdf(model({ title: ') Tj ET (\\' })))
  assert.ok(texts.includes(') Tj ET (\\'))
})

test('long words are cut and nothing is lost', () => {
  const text = `${'x'.repeat(300)} and a few short words`
  assert.equal(wrap(text, 300, 11).join('').replaceAll(' ', ''), text.replaceAll(' ', ''))
})
