import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { violations } from '../support/axe.ts'
import { openBrowser, type TestBrowser } from '../support/chromium.ts'
import { newLink, putInState } from '../support/customer.ts'
import { openHouse, type House } from '../support/house.ts'

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
    await page.goto(link.url)
    assert.equal(await page.getByRole('heading', { level: 1 }).innerText(), heading)
    assert.deepEqual(await violations(page), [])
    await page.emulateMedia({ colorScheme: 'dark' })
    assert.deepEqual(await violations(page, 'contrast'), [])
    await page.emulateMedia({ colorScheme: 'light' })
    const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'
    assert.equal(await page.evaluate(overflow), 0)
  })
}
