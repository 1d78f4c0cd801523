import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { violations } from '../support/axe.ts'
import { openBrowser, type TestBrowser } from '../support/chromium.ts'
import { openHouse, type House } from '../support/house.ts'
import { createPayment } from '../support/pay.ts'
import { readCsv } from '../support/read-csv.ts'
import { paidPayment, refund, type Paid } from '../support/refunds.ts'
import { goodPassword, newPerson } from '../support/visitor.ts'

// What of payments needs a browser: a download that says how far it is, a press that comes twice, and pages of things for
// those who can't see them and on the smallest phone.

let house: House
let browser: TestBrowser
let page: Page
let list: string
let paid: Paid
let open: { readonly number: string }

before(async () => {
  house = await openHouse()
  const person = await newPerson(house, { role: 'owner' })
  const items = [{ name: 'Chair', quantity: 2, unit_amount: '5.00', tax_rate: '20' }]
  const meta = { long: 'x'.repeat(500) }
  paid = await paidPayment(house, 'good', { tx_ref: `paid-${'9'.repeat(200)}`, amount: '10.00', items, meta })
  await refund(house, paid, { amount: '1.00' })
  for (let index = 0; index < 3; index += 1) open = await createPayment(house, { tx_ref: `open-${index}` })
  browser = await openBrowser()
  page = await (await browser.newContext({ bypassCSP: true, acceptDownloads: true })).newPage()
  page.on('pageerror', (error) => assert.fail(error))
  list = `${house.url}/dashboard/${house.merchantId}/test/payments`
  await page.goto(`${house.url}/dashboard/sign-in`)
  await page.getByLabel('E-mail address').fill(person.email)
  await page.getByLabel('Password').fill(goodPassword)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.waitForURL(/\/(test|live)$/)
})
after(async () => {
  await browser.close()
  await house.close()
})

const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'

// dashboard-accessible.long.test.ts looks at those of a paid one, in the dark too.
test('axe finds nothing on an open payment’s pages, and they fit the smallest phone', async () => {
  for (const path of ['/open-0', `/${open.number}/cancel`, '?search=none']) {
    await page.goto(list + path)
    assert.deepEqual(await violations(page), [], path)
    await page.setViewportSize({ width: 320, height: 640 })
    assert.equal(await page.evaluate(overflow), 0, `${path} on a phone`)
    await page.setViewportSize({ width: 1280, height: 800 })
  }
})

test('an export shows its progress and ends as a file', async () => {
  await page.goto(list)
  await page.getByLabel('Search').fill('open-')
  await page.getByLabel('Search').press('Enter')
  await page.getByRole('link', { name: 'Export' }).click()
  const started = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download' }).click()
  const file = await started
  await page.getByText(/^Done: 3 payments, 1 kB$/).waitFor()
  assert.match(file.suggestedFilename(), /^payments-test-.*\.csv$/)
  assert.equal(readCsv(readFileSync(await file.path(), 'utf8')).length, 4)
})

test('a double click refunds once', async () => {
  await page.goto(`${list}/${paid.number}/refund`)
  await page.getByLabel('Amount in GBP').fill('2.00')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('button', { name: 'Refund £2.00' }).dblclick({ noWaitAfter: true })
  // Whichever press is answered: the second may come while the network is still asked.
  await page.getByText(/on its way to the customer|Refund requested/).waitFor()
  assert.equal(await page.getByText('Refund of £2.00 requested').count(), 1)
})
