import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { violations } from '../support/axe.ts'
import { openBrowser, type TestBrowser } from '../support/chromium.ts'
import { freePort } from '../support/free-port.ts'
import { openHouse, type House } from '../support/house.ts'
import { newestMail, someDelivery, someRefund } from '../support/shop-day.ts'
import { goodPassword, newPerson } from '../support/visitor.ts'

// Pages of one thing each, in a real browser: for those who can't see them, on the smallest phone, and a mail in its frame.

let house: House
let browser: TestBrowser
let page: Page
let home: string

before(async () => {
  const port = String(await freePort())
  house = await openHouse({ settings: { PORT: port, BASE_URL: `http://127.0.0.1:${port}` } })
  home = `${house.url}/dashboard/${house.merchantId}/test`
  browser = await openBrowser()
  page = await signedIn(await newPerson(house, { role: 'owner' }))
})
after(async () => {
  await browser.close()
  await house.close()
})

async function signedIn({ email }: { email: string }): Promise<Page> {
  const opened = await (await browser.newContext({ bypassCSP: false })).newPage()
  await opened.goto(`${house.url}/dashboard/sign-in`)
  await opened.getByLabel('E-mail address').fill(email)
  await opened.getByLabel('Password').fill(goodPassword)
  await opened.getByRole('button', { name: 'Sign in', exact: true }).click()
  await opened.waitForURL(/\/(test|live)$/)
  return opened
}

test('a mail preview renders in its frame, also on a phone, and its content can’t run', async () => {
  await someRefund(house)
  const mail = await newestMail(house)
  const complaints: string[] = []
  page.on('console', (message) => complaints.push(message.text()))
  for (const width of [1280, 320]) {
    await page.setViewportSize({ width, height: 700 })
    await page.goto(`${home}/mailbox/${mail}`)
    await page.locator('iframe').scrollIntoViewIfNeeded()
    await page.frameLocator('iframe').getByText('Corner shop').filter({ visible: true }).first().waitFor()
  }
  assert.deepEqual(complaints, [], 'the policy of the page lets its frame in')
  await page.route('**/html', async (route) => {
    const answer = await route.fetch()
    const evil =
      '<script>parent.document.title="taken"</script><img src=x onerror="parent.document.title=1"><p>end</p>'
    await route.fulfill({ response: answer, body: `<body>${evil}</body>` })
  })
  await page.goto(`${home}/mailbox/${mail}`)
  await page.frameLocator('iframe').getByText('end').waitFor()
  assert.match(await page.title(), /Florin$/)
  assert.ok(
    complaints.some((text) => /script/i.test(text)),
    complaints.join('\n'),
  )
  await page.unroute('**/html')
})

test('the previews of a shop’s checkout and mail load completely, with the QR code', async () => {
  const seen = await page.context().newPage()
  const complaints: string[] = []
  seen.on('console', (message) => complaints.push(message.text()))
  seen.on('requestfailed', (request) => {
    // This Chromium has no PDF viewer.
    if (!request.url().endsWith('/preview/receipt')) complaints.push(`${request.url()} failed`)
  })
  seen.on('response', (response) => {
    if (response.status() >= 400) complaints.push(`${response.url()} ${response.status()}`)
  })
  for (const path of ['', '/preview/checkout']) {
    await seen.goto(`${home}/settings/shop${path}`)
    const frame = path === '' ? seen.frameLocator('iframe[title="Preview: Checkout"]') : seen
    if (path === '') await seen.locator('iframe[title="Preview: Checkout"]').scrollIntoViewIfNeeded()
    await frame.locator('details.on-phone').waitFor({ state: 'attached' })
    await seen.waitForLoadState('load')
    const code = frame.locator('details.on-phone img')
    const width = await code.evaluate(async (picture: { decode(): Promise<void>; naturalWidth: number }) => {
      await picture.decode()
      return picture.naturalWidth
    })
    assert.ok(width > 0, path)
  }
  assert.deepEqual(complaints, [])
  await seen.close()
})

// dashboard-accessible.long.test.ts looks at every page, in the dark too; here are long names and answers.
test('axe finds nothing on pages with long names, and they fit the smallest phone', async () => {
  const state = await page.context().storageState()
  const context = await browser.newContext({ bypassCSP: true, storageState: state })
  const opened = await context.newPage()
  const origin = 'https://a-rather-long-name-of-a-shop-that-takes-notifications.example'
  const delivery = await someDelivery(house, { origin, status: 500, answer: 'x'.repeat(1_000) })
  for (const path of [
    `refunds/${(await someRefund(house, 'good', { refund_ref: 'long-'.repeat(50) })).id}`,
    `notifications/sent/${delivery}`,
    `notifications/receiver?origin=${encodeURIComponent(origin)}`,
  ]) {
    await opened.goto(`${home}/${path}`)
    assert.deepEqual(await violations(opened), [], path)
    await opened.setViewportSize({ width: 320, height: 640 })
    const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'
    assert.equal(await opened.evaluate(overflow), 0, path)
    assert.ok(Number(await opened.evaluate("document.querySelector('.top').offsetHeight")) < 80, 'one row')
    await opened.setViewportSize({ width: 1280, height: 800 })
  }
  await context.close()
})
