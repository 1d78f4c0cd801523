import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { plainBrand } from '../../../core/merchants/brand/brand.ts'
import { checkPicture } from '../../../core/merchants/pictures/check-picture.ts'
import { brand } from '../../../../test/support/branded.ts'
import { makePng } from '../../../../test/support/pictures.ts'
import { readPdf } from '../../../../test/support/read-pdf.ts'
import { drawPaper } from '../../../core/checkout/receipt/draw-paper.ts'
import { refundPaper } from '../checkout/refund-pdf.ts'
import { displayMoney, languages } from '../../../core/checkout/language.ts'
import { openBrowser, type TestBrowser } from '../../../../test/support/chromium.ts'
import { takePicture } from '../../../../test/support/customer.ts'
import { call, openHouse, type House } from '../../../../test/support/house.ts'
import { paidPayment, refund, type Paid } from '../../../../test/support/refunds.ts'

// What a customer sees of money that went back.

let house: House
let browser: TestBrowser
let page: Page
before(async () => {
  house = await openHouse()
  browser = await openBrowser()
  page = await browser.newPage({ locale: 'en-GB' })
})
after(async () => {
  await browser.close()
  await house.close()
})

function addressOf({ merchantId, number }: Paid): string {
  return `${house.url}/payment/${merchantId}${number}`
}

test('a partly refunded payment’s page says how much was refunded and why, and stays', async () => {
  const payment = await paidPayment(house, 'good', { return_url: 'https://shop.example/thanks' })
  await refund(house, payment, { amount: '4.00', reason: 'One of two chairs came broken' })
  await page.goto(addressOf(payment))
  const text = await page.locator('main').innerText()
  assert.match(text, /Payment received/)
  assert.match(text, /£4\.00 of this payment has been sent back to you/)
  assert.match(text, /Refund of £4\.00/)
  assert.match(text, /One of two chairs came broken/)
  assert.equal(await page.locator('meta[http-equiv=refresh]').count(), 0, 'nobody is sent on')
  await takePicture(page, 'partly-refunded')
  await page.setViewportSize({ width: 320, height: 900 })
  assert.ok(await page.evaluate('document.documentElement.scrollWidth <= 320'))
  await takePicture(page, 'partly-refunded-narrow')
  await page.emulateMedia({ colorScheme: 'dark' })
  await takePicture(page, 'partly-refunded-dark')
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize({ width: 1280, height: 900 })
})

test('each refund has its receipt as a PDF, only for holders of the payment’s link', async () => {
  const payment = await paidPayment(house)
  await refund(house, payment, { amount: '4.00', reason: 'Came broken' })
  await refund(house, payment)
  await page.goto(addressOf(payment))
  assert.match(await page.locator('main').innerText(), /Payment refunded/)
  const links = page.locator('a[href*="/refund/rfd_"]')
  assert.equal(await links.count(), 2)
  const hrefs = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''))
  const places: (string | undefined)[] = []
  for (const href of hrefs) {
    const pdf = await call(house.url + href)
    assert.equal(pdf.status, 200)
    assert.equal(pdf.headers.get('content-type'), 'application/pdf')
    assert.ok(pdf.text.startsWith('%PDF-'))
    places.push(/-(\d+)\.pdf"$/.exec(pdf.headers.get('content-disposition') ?? '')?.[1])
  }
  assert.deepEqual(places, ['1', '2'], 'each link leads to its own')
  const other = await paidPayment(house)
  const id = /rfd_\w+/.exec(hrefs[0] ?? '')?.[0] ?? ''
  assert.equal((await call(`${addressOf(other)}/refund/${id}/receipt.pdf`)).status, 404)
})

test('a failed or undecided refund isn’t shown to the customer', async () => {
  const payment = await paidPayment(house, 'refundFails')
  await refund(house, payment)
  const { text } = await call(addressOf(payment))
  assert.doesNotMatch(text, /rfd_|Refund of/)
})

test('a refund’s receipt is drawn in every language, with its sender', async () => {
  const logo = checkPicture(makePng(120, 48))
  assert.ok(logo.ok)
  for (const language of languages) {
    const { code } = language
    const receipt = {
      merchantName: 'Corner shop',
      language: code,
      refundedMinor: 400n,
      paidMinor: 1_000n,
      currency: 'PLN',
      reason: 'Żółć',
      refundRef: 'return-77',
      reference: 'FL23456789ABCD',
      txRef: 'order-1',
      at: '2026-11-15T14:05:00.000000Z',
      brand: { ...plainBrand, ...brand, address: [brand.address] },
      isTest: true,
    }
    const { texts, source } = readPdf(await drawPaper(refundPaper(receipt), logo.picture))
    const words = texts.join('\n')
    assert.match(source, /\/Subtype \/Image/)
    // As on the page: a sign with Latin letters does not change sides in Arabic.
    const paid = displayMoney(1_000n, 'PLN', language).replace(/[\u2066\u2069]/g, '')
    for (const part of [
      paid,
      'Corner shop',
      '1 High Street, London, N1 1AA',
      'help@books.example',
      'GB123456789',
    ])
      assert.ok(words.includes(part), `${code}: ${part} in ${words}`)
  }
})
