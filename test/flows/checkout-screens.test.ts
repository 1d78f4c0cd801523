import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { languages } from '../../src/core/checkout/language.ts'
import { payPage } from '../../src/core/checkout/pages/pay.ts'
import { paymentMethods } from '../../src/platform/money/payment-methods.ts'
import { violations } from '../support/axe.ts'
import { openBrowser, type TestBrowser } from '../support/chromium.ts'
import { newLink, putInState } from '../support/customer.ts'
import { openHouse, type House } from '../support/house.ts'
import { makePageModel, styleFile } from '../support/page-model.ts'
import { charged, lookUp, payOnPage } from '../support/saved-methods.ts'

// The two screens that everybody sees; the others are in checkout-screens.long.test.ts.

let house: House
let browser: TestBrowser
let page: Page
before(async () => {
  house = await openHouse()
  browser = await openBrowser()
  page = await browser.newPage({ locale: 'en-GB', bypassCSP: true, viewport: { width: 320, height: 640 } })
})
after(async () => {
  await browser.close()
  await house.close()
})

for (const [name, state, heading] of [
  ['page to pay', 'pending', 'Pay Corner shop'],
  ['receipt', 'success', 'Payment received'],
] as const) {
  test(`the ${name} fits a small phone, and passes axe in light and dark`, async () => {
    const link = await newLink(house, { customization: { title: 'Two walnut chairs' } })
    if (state === 'success') await putInState(house, link, state, { state: 'succeeded' })
    await passes(link.url, heading)
  })
}

async function passes(url: string, heading: string): Promise<void> {
  await page.goto(url)
  assert.equal(await page.getByRole('heading', { level: 1 }).innerText(), heading)
  for (const summary of await page.locator('details.end summary').all()) await summary.click()
  assert.deepEqual(await violations(page), [])
  await page.emulateMedia({ colorScheme: 'dark' })
  assert.deepEqual(await violations(page, 'contrast'), [])
  await page.emulateMedia({ colorScheme: 'light' })
  const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'
  assert.equal(await page.evaluate(overflow), 0)
}

test('the page of a saved method and the button that pays with it fit a small phone, and pass axe', async () => {
  const saved = await newLink(house, { save: 'recurring', customer_ref: 'ada', save_limit: '50' })
  await payOnPage(saved)
  const { saved_method: method } = await lookUp(house, saved.txRef)
  await charged(house, method?.id ?? '', { description: 'December' })
  await passes(`${saved.url}/saved-method`, 'Your saved payment method')
  await page.getByRole('button', { name: 'Yes, end it' }).waitFor()
  const link = await newLink(house, { customer_ref: 'ada' })
  await passes(link.url, 'Pay Corner shop')
  await page.getByRole('button', { name: /with Visa/ }).waitFor()
})

test('buttons of ways to pay take one line on a phone in every language', async () => {
  const offers = paymentMethods.map((method) => ({
    accountId: 'acc_1',
    connector: 'paystack',
    label: 'Paystack',
    method,
    sandbox: false,
  }))
  await page.setViewportSize({ width: 360, height: 640 })
  for (const { code, direction } of languages) {
    const offered = { offers, amountOutOfRange: false }
    const changes = { mode: 'live', state: 'pending', currency: 'KES', code, page: { offered } } as const
    const body = payPage(makePageModel(changes)).body.text
    await page.setContent(`<html dir="${direction}"><style>${styleFile.text}</style>${body}</html>`)
    const lines = await page.evaluate<
      number[]
    >(`[...document.querySelectorAll('.way > span:first-child')].map(
      (label) => Math.round(label.clientHeight / parseFloat(getComputedStyle(label).lineHeight)))`)
    assert.deepEqual(lines, [1, 1, 1, 1], code)
  }
})
