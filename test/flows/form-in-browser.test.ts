import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { openBrowser, type TestBrowser } from '../support/chromium.ts'
import { freePort } from '../support/free-port.ts'
import { openHouse, type House } from '../support/house.ts'

// The form as it is published for merchants, in a page of another origin, pressed in a real browser.

let house: House
let shop: Server
let browser: TestBrowser
let page = ''

before(async () => {
  const port = String(await freePort())
  house = await openHouse({ settings: { PORT: port, BASE_URL: `http://127.0.0.1:${port}` } })
  shop = createServer((_, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8')
    response.end(page)
  }).listen(0, 'localhost')
  await once(shop, 'listening')
  browser = await openBrowser()
})
after(async () => {
  await browser.close()
  shop.close()
  await house.close()
})

function publishedForm(changes: Record<string, string> = {}): string {
  const fields = {
    secret_key: house.secretKey,
    callback_url: 'https://example.com/callback',
    return_url: 'https://example.com/return',
    tx_ref: 'form-1',
    amount: '100',
    currency: 'GBP',
    email: 'ada@example.com',
    first_name: 'Ada',
    last_name: 'Lovelace',
    title: 'Payment for <b>chairs</b>',
    description: 'Pay with Florin',
    logo: '',
    meta: '',
    ...changes,
  }
  const inputs = Object.entries(fields).map(
    ([name, value]) =>
      `<input type="hidden" name="${name}" value="${value.replace(/"/g, '&quot;').replace(/</g, '&lt;')}">`,
  )
  return `<!doctype html><title>Shop</title><form method="post" action="${house.url}/ext_transfer">
    ${inputs.join('\n')}<button type="submit">Pay now</button></form>`
}

async function press(
  html: string,
  scripts: boolean,
): Promise<{ url: string; text: string; cookies: number }> {
  page = html
  const context = await browser.newContext({ javaScriptEnabled: scripts })
  const tab = await context.newPage()
  const { port } = shop.address() as AddressInfo
  await tab.goto(`http://localhost:${port}/`)
  await Promise.all([tab.waitForURL(/127\.0\.0\.1/), tab.getByRole('button', { name: 'Pay now' }).click()])
  const result = {
    url: tab.url(),
    text: await tab.locator('body').innerText(),
    cookies: (await context.cookies()).length,
  }
  await context.close()
  return result
}

test('the published form opens the checkout, with and without scripts, and sets no cookie', async () => {
  for (const scripts of [true, false]) {
    const { url, text, cookies } = await press(publishedForm({ tx_ref: `form-${scripts}` }), scripts)
    assert.match(url, /\/payment\/\d{32}/)
    assert.match(text, /£100\.00/)
    assert.match(text, /Payment for <b>chairs<\/b>/)
    assert.equal(cookies, 0)
  }
})

test('a form with a mistake opens a page that says so, and that no money has been taken', async () => {
  const { url, text } = await press(publishedForm({ amount: '1,000' }), true)
  assert.match(url, /\/ext_transfer$/)
  assert.match(text, /No money has been taken\./)
  assert.match(text, /amount must be a plain decimal number/)
})

test('a mistyped address is corrected in place, even without scripts, and no key appears in the page', async () => {
  for (const scripts of [true, false]) {
    page = publishedForm({ tx_ref: `mistyped-${scripts}`, email: 'ada@example', first_name: '' })
    const context = await browser.newContext({
      javaScriptEnabled: scripts,
      locale: 'de-DE',
      viewport: { width: 320, height: 640 },
    })
    const tab = await context.newPage()
    const { port } = shop.address() as AddressInfo
    await tab.goto(`http://localhost:${port}/`)
    await tab.getByRole('button', { name: 'Pay now' }).click()
    await tab.getByRole('heading', { name: 'Prüfen Sie Ihre Angaben' }).waitFor()
    assert.ok(!(await tab.content()).includes(house.secretKey))
    await tab.getByLabel('E-Mail-Adresse').fill('ada@example.com')
    await tab.getByLabel('Vorname').fill('Ada')
    await tab.getByRole('button', { name: 'Weiter zur Zahlung' }).click()
    await tab.waitForURL(/\/payment\/\d{32}/)
    assert.match(await tab.locator('body').innerText(), /100,00/)
    await context.close()
  }
})
