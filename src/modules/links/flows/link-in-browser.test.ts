import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { violations } from '../../../../test/support/axe.ts'
import { giveBrand } from '../../../../test/support/branded.ts'
import { openBrowser, type TestBrowser } from '../../../../test/support/chromium.ts'
import { openHouse, type House } from '../../../../test/support/house.ts'
import { signedIn } from '../../../../test/support/visitor.ts'

// The page of a link as a customer sees it: without a script, on the smallest phone, in the dark, and with axe.

let house: House
let browser: TestBrowser
let path: string

before(async () => {
  house = await openHouse()
  await giveBrand(house)
  browser = await openBrowser()
  const owner = await signedIn(house, { role: 'owner' })
  const fields = { kind: 'reusable', title: 'Donation', currency: 'GBP', least: '5', most: '500' }
  const made = await owner.fill(`/dashboard/${house.merchantId}/test/links/new`, fields)
  path = `/link/${house.merchantId}${made.to.slice(-16)}`
})
after(async () => {
  await browser.close()
  await house.close()
})

test('axe finds nothing on a link’s page, even with mistakes and in Arabic, and it fits the smallest phone', async () => {
  const context = await browser.newContext({ bypassCSP: true, viewport: { width: 320, height: 640 } })
  const page = await context.newPage()
  for (const address of [path, `${path}?lang=ar`]) {
    await page.goto(house.url + address)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      const looked = colorScheme === 'light' ? 'all' : 'contrast'
      assert.deepEqual(await violations(page, looked), [], `${address} ${colorScheme}`)
    }
    const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'
    assert.equal(await page.evaluate(overflow), 0, address)
  }
  await page.getByRole('button').click()
  await page.locator('[aria-invalid]').first().waitFor()
  assert.deepEqual(await violations(page), [], 'with mistakes')
  await context.close()
})

test('a link’s page shows the shop and how to reach it', async () => {
  const page = await browser.newPage()
  await page.goto(house.url + path)
  const contact = page.locator('address')
  for (const [name, href] of [
    ['books.example', 'https://books.example'],
    ['help@books.example', 'mailto:help@books.example'],
    ['+44 20 7946 0000', 'tel:+442079460000'],
  ] as const) {
    assert.equal(await contact.getByRole('link', { name, exact: true }).getAttribute('href'), href)
  }
  await contact.getByText('VAT number GB123456789').waitFor()
  await page.close()
})

test('switching languages keeps the customer and the amount, and stores nothing', async () => {
  const page = await browser.newPage({ locale: 'en-GB' })
  await page.goto(house.url + path)
  await page.locator('#amount').fill('12,50')
  await page.getByLabel('First name').fill('Ada')
  await page.getByLabel('Last name (optional)').fill('Lovelace')
  await page.getByLabel('E-mail address').fill('ada@example.com')
  await page.getByRole('link', { name: 'Deutsch' }).click()
  await page.getByRole('heading', { name: 'Ihre Angaben' }).waitFor()
  await page.waitForLoadState()
  const typed = ['#amount', '#first_name', '#last_name', '#email'].map(async (each) =>
    page.locator(each).inputValue(),
  )
  assert.deepEqual(await Promise.all(typed), ['12,50', 'Ada', 'Lovelace', 'ada@example.com'])
  assert.equal(await page.evaluate('sessionStorage.length'), 0)
  await page.close()
})

test('without a script a customer fills in the form and reaches the checkout', async () => {
  const context = await browser.newContext({ javaScriptEnabled: false, locale: 'en-GB' })
  const page = await context.newPage()
  await page.goto(house.url + path)
  await page.locator('#amount').fill('12,50')
  await page.getByLabel('First name').fill('Ada')
  await page.getByLabel('E-mail address').fill('ada@example.com')
  await page.getByRole('button', { name: 'Continue to payment' }).click()
  await page.waitForURL(/\/payment\/\d{32}$/)
  await page.getByText('£12.50').first().waitFor()
  await context.close()
})
