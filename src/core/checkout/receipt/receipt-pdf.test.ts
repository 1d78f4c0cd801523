import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkPicture } from '../../merchants/pictures/check-picture.ts'
import { languages } from '../language.ts'
import { makePng, smallJpeg } from '../../../../test/support/pictures.ts'
import { makePageModel, type ModelChanges } from '../../../../test/support/page-model.ts'
import { readPdf } from '../../../../test/support/read-pdf.ts'
import { writable } from '../../../platform/pdf/writable.ts'
import { drawPaper } from './draw-paper.ts'
import { hasReceiptPdf, receiptPaper } from './receipt-pdf.ts'

async function textsOf(changes: ModelChanges = {}): Promise<string[]> {
  return readPdf(await drawPaper(receiptPaper(makePageModel(changes)))).texts
}

test('the receipt shows who was paid, how much, for what, when and under which references', async () => {
  assert.deepEqual(await textsOf(), [
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

test('every language is written in its own words and letters', async () => {
  const welsh = await textsOf({ code: 'cy' })
  assert.ok(welsh.includes('Derbynneb'), welsh.join(' | '))
  const polish = await textsOf({ code: 'pl', currency: 'PLN', first_name: 'Łukasz', last_name: 'Żółć' })
  for (const text of ['Łukasz Żółć', '1234,50\u00a0zł', 'Numer zamówienia'])
    assert.ok(polish.includes(text), text)
  const greek = await textsOf({ first_name: 'Ελένη', last_name: 'Щербаков' })
  assert.ok(greek.includes('Ελένη Щербаков'))
})

test('Arabic is written right to left with joined letters, and can be searched', async () => {
  const texts = await textsOf({
    code: 'ar',
    first_name: 'محمد',
    last_name: 'العربي (Mo) 123',
    currency: 'KWD',
  })
  const reversed = (text: string): string => [...text].toReversed().join('')
  // Readers turn around what stands from right to left on paper.
  assert.ok(texts.includes(reversed('إيصال')), texts.join(' | '))
  assert.ok(texts.includes(reversed('مرجع الطلب')))
  const name = texts.findIndex((text) => text.includes(reversed('محمد العربي')))
  // On paper: the number first, then what is in brackets, then the name.
  assert.ok(
    texts.indexOf('123') < name && texts.indexOf('Mo') < name && texts.indexOf('Mo') > texts.indexOf('123'),
  )
})

test('an amount keeps its currency symbol in every language', async () => {
  assert.equal((await textsOf({ currency: 'EUR', code: 'fr' }))[2], '1\u202f234,50\u00a0€')
  assert.equal((await textsOf({ currency: 'INR', code: 'de' }))[2], '1.234,50\u00a0₹')
  for (const { code } of languages) {
    for (const currency of ['GBP', 'JPY', 'VND', 'KWD', 'UAH', 'SAR', 'CLF', 'RUB']) {
      assert.match((await textsOf({ currency, code })).slice(2).join(' '), /\d/)
    }
  }
})

test('an emoji in a name is dropped, and a foreign script is left out', async () => {
  assert.equal(writable('Ünïcode 🪑 Café'), 'Ünïcode Café')
  assert.equal(writable('👩🏽‍🍳 Bread ❤️ & Co ©'), 'Bread & Co ©')
  assert.equal(writable('Café 🇫🇷 No. 1️⃣'), 'Café No. 1')
  assert.equal(writable('Łukasz Żółć'), 'Łukasz Żółć')
  for (const text of ['🪑', '王', 'שלום', '小店 Shop']) assert.equal(writable(text), '', text)
  const texts = await textsOf({ first_name: '王', last_name: '' })
  assert.ok(texts.includes('FL123') && !texts.includes('Paid by'))
})

test('a merchant whose name can’t be typeset offers no PDF', () => {
  for (const merchant of ['🪑', '小店 Shop']) assert.equal(hasReceiptPdf(makePageModel({ merchant })), false)
  for (const merchant of ['Corner shop', 'Żółć 🪑', 'متجر'])
    assert.equal(hasReceiptPdf(makePageModel({ merchant })), true)
})

test('a long name is wrapped and complete', async () => {
  const merchant =
    'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft & Sons of Vienna'
  const texts = await textsOf({ merchant, title: 'x'.repeat(100) })
  const place = texts.indexOf('Receipt')
  assert.ok(place > 1)
  assert.equal(texts.slice(0, place).join('').replaceAll(' ', ''), merchant.replaceAll(' ', ''))
  assert.ok(texts.join('').includes('x'.repeat(100)))
})

test('a receipt for refunded money says so', async () => {
  const refunded = await textsOf({ state: 'refunded', refunded_minor: 123_450n })
  assert.equal(refunded[refunded.indexOf('Refunded') + 1], '£1,234.50')
  assert.ok(refunded.includes('Payment refunded'))
  const reversed = (await textsOf({ state: 'reversed' })).join(' ')
  assert.match(reversed, /Payment reversed\. Your bank has taken this payment back from Corner shop\./)
})

test('the receipt shows the shop’s address, registration numbers and logo', async () => {
  const brand = {
    address: ['1 High Street', 'London'],
    vatNumber: 'GB123',
    supportEmail: 'help@shop.example',
    timeZone: 'Europe/London',
  }
  const texts = await textsOf({ brand })
  for (const text of ['1 High Street, London', 'VAT number GB123', 'help@shop.example']) {
    assert.ok(texts.includes(text), text)
  }
  for (const bytes of [makePng(40, 20), makePng(40, 20, { alpha: true }), smallJpeg]) {
    const checked = checkPicture(bytes)
    assert.ok(checked.ok)
    const { source, texts: withLogo } = readPdf(
      await drawPaper(receiptPaper(makePageModel({ brand })), checked.picture),
    )
    assert.match(source, /\/Subtype \/Image \/Width/)
    assert.deepEqual(withLogo, texts)
  }
})

test('the same receipt always gives the same small file', async () => {
  const [one, other] = await Promise.all([
    drawPaper(receiptPaper(makePageModel())),
    drawPaper(receiptPaper(makePageModel())),
  ])
  assert.ok(one.equals(other))
  assert.ok(one.length < 40_000, `${one.length} bytes`)
})

test('text can’t break out of the PDF', async () => {
  const title = ') Tj ET (\\ > endstream <</JS (x)>>'
  assert.ok((await textsOf({ title })).includes(title))
})
