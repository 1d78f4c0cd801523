import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import type { Page } from 'playwright-core'
import { languages } from '../../src/core/checkout/language.ts'
import { readPages } from '../support/networks/test-bank-records.ts'
import { violations } from '../support/axe.ts'
import { openBrowser, type TestBrowser } from '../support/chromium.ts'
import {
  goodCard,
  newLink,
  putInState,
  stateOf,
  takePicture,
  typeCard,
  type Link,
} from '../support/customer.ts'
import { liveAccount } from '../support/hosted-choice.ts'
import { openHostedHouse, type HostedHouse } from '../support/hosted-house.ts'
import { call } from '../support/house.ts'

// A customer is sent to a network's own page and comes back, in a real browser with our own content policy.

let house: HostedHouse
let browser: TestBrowser
let page: Page
const anyAmount = { least: 1n, most: 10n ** 12n }
let range = anyAmount
before(async () => {
  house = await openHostedHouse({ limits: () => range })
  browser = await openBrowser()
  page = await browser.newPage({ locale: 'en-GB' })
})
beforeEach(() => {
  range = anyAmount
  house.accounts.splice(0, house.accounts.length, liveAccount('Stand-in'))
})
after(async () => {
  await browser.close()
  await house.close()
})

const order = { customization: { title: 'Two walnut chairs' } }
const live = async (changes = {}): Promise<Link> => newLink(house, { ...order, ...changes }, house.liveKey)
const keyOf = ({ digits }: Link) => ({ merchantId: Number(digits.slice(0, 8)), number: digits.slice(8) })
const heading = async (name: string | RegExp, on = page): Promise<void> =>
  on.getByRole('heading', { level: 1, name }).waitFor()
const atNetwork = async (on = page): Promise<void> =>
  on.getByText('This page plays a payment network').waitFor()
const card = (on = page) => on.getByRole('button', { name: / by card$/ })

test('a live payment is paid on another site’s page, and the waiting screen becomes the receipt', async () => {
  const link = await live()
  await page.goto(link.url)
  await heading('Pay Corner shop')
  assert.equal(await page.getByLabel('Card number').count(), 0)
  await page.getByRole('button', { name: / by bank$/ }).waitFor()
  assert.deepEqual(await page.locator('button.go').allInnerTexts(), ['Pay £1,234.50 by card'])
  await takePicture(page, 'hosted-choice')
  await card().click()
  await atNetwork()
  assert.equal(new URL(page.url()).hostname, 'localhost')
  await takePicture(page, 'hosted-network')
  await page.getByRole('button', { name: 'Pay, and decide in a moment' }).click()
  await heading('Waiting for your bank')
  await takePicture(page, 'hosted-waiting')
  assert.equal(await stateOf(house, link), 'pending')
  await heading('Payment received')
  assert.equal(await stateOf(house, link), 'success')
})

test('the whole flow works without JavaScript', async () => {
  const plain = await browser.newPage({ locale: 'en-GB', javaScriptEnabled: false })
  const link = await live()
  await plain.goto(link.url)
  await card(plain).click()
  await atNetwork(plain)
  await plain.getByRole('button', { name: /^Pay £[\d,.]+$/ }).click()
  await heading('Payment received', plain)
  await plain.close()
})

test('a payment on a network’s page ends at the shop, with and without JavaScript', async () => {
  for (const javaScriptEnabled of [true, false]) {
    const on = await browser.newPage({ locale: 'en-GB', javaScriptEnabled })
    await on.route('https://shop.example/**', async (route) => route.fulfill({ body: 'Welcome back' }))
    for (const button of [/^Pay £[\d,.]+$/, 'Pay, and decide in a moment']) {
      const link = await live({ return_url: 'https://shop.example/thanks?basket=7' })
      await on.goto(link.url)
      await card(on).click()
      await atNetwork(on)
      await on.getByRole('button', { name: button }).click()
      await on.waitForURL(`https://shop.example/thanks?basket=7&tx_ref=${link.txRef}&status=success`)
    }
    await on.close()
  }
})

test('leaving the network’s page returns to the choice without losing anything', async () => {
  const link = await live()
  await page.goto(link.url)
  await card().click()
  await atNetwork()
  await page.getByRole('link', { name: 'Go back without paying' }).click()
  await heading('Pay Corner shop')
  await page.getByText('No money has been taken.').waitFor()
  await takePicture(page, 'hosted-back')
  // Another way: the first page is closed at the network before the second is opened.
  await page.getByRole('button', { name: / by bank$/ }).click()
  await atNetwork()
  const [first, second] = await readPages(house.db, keyOf(link))
  assert.deepEqual([first?.state, second?.state], ['withdrawn', 'open'])
  await page.getByRole('button', { name: /^Pay £[\d,.]+$/ }).click()
  await heading('Payment received')
})

test('the back button returns to the choice, and the same button to the same page', async () => {
  const link = await live()
  await page.goto(link.url)
  await card().click()
  await atNetwork()
  const address = page.url()
  await page.goBack()
  await heading('Pay Corner shop')
  await card().click()
  await atNetwork()
  assert.equal(page.url(), address)
  assert.equal((await readPages(house.db, keyOf(link))).length, 1)
})

test('a page left in one tab can’t be paid once the other tab chose another method', async () => {
  const link = await live()
  await page.goto(link.url)
  await card().click()
  await atNetwork()
  const other = await browser.newPage({ locale: 'en-GB' })
  await other.goto(link.url)
  await other.getByRole('button', { name: / by bank$/ }).click()
  await atNetwork(other)
  await page.getByRole('button', { name: /^Pay £[\d,.]+$/ }).click()
  await heading('This page can no longer be paid on.')
  await other.getByRole('button', { name: /^Pay £[\d,.]+$/ }).click()
  await heading('Payment received', other)
  await other.close()
  await page.getByRole('link', { name: 'Back to the shop' }).click()
  await heading('Payment received')
})

test('coming back unpaid is no payment, and doesn’t keep the customer waiting', async () => {
  const link = await live()
  await page.goto(link.url)
  await card().click()
  await atNetwork()
  await page.goto(`${link.url}/return?lang=en`)
  await heading('Waiting for your bank')
  await takePicture(page, 'hosted-returned')
  await page.getByRole('link', { name: 'I haven’t paid: choose again' }).click()
  await heading('Pay Corner shop')
  assert.equal(await stateOf(house, link), 'pending')
})

test('a declined payment says so and offers the choice again', async () => {
  const link = await live()
  await page.goto(link.url)
  await card().click()
  await atNetwork()
  await page.getByRole('button', { name: 'Refuse the payment' }).click()
  await page.getByRole('heading', { name: 'The payment was declined.' }).waitFor()
  await page.getByText('No money has been taken. Try again, or choose another way to pay.').waitFor()
  await takePicture(page, 'hosted-declined')
})

test('in test mode the test bank is offered beside the card form, and each works after the other', async () => {
  const link = await newLink(house, order)
  await page.goto(link.url)
  await page.getByRole('heading', { name: 'Or pay another way' }).waitFor()
  await takePicture(page, 'hosted-test-mode')
  await page.getByRole('button', { name: / by bank$/ }).click()
  await atNetwork()
  await page.getByRole('link', { name: 'Go back without paying' }).click()
  await typeCard(page, goodCard)
  await page.getByRole('button', { name: /^Pay £[\d,.]+$/ }).click()
  await heading('Payment received')
  assert.equal((await readPages(house.db, keyOf(link)))[0]?.state, 'withdrawn')
})

test('the customer’s language is sent to the network and comes back', async () => {
  const link = await live()
  await page.goto(`${link.url}?lang=de`)
  await page.getByRole('button', { name: / mit Karte zahlen/ }).click()
  await page.getByText('Diese Seite steht für ein Zahlungsnetz').waitFor()
  await page
    .getByRole('button', { name: /zahlen$/ })
    .first()
    .click()
  await page.getByRole('heading', { level: 1, name: 'Zahlung erhalten' }).waitFor()
})

test('without a network no payment is possible, and an amount no network takes is explained', async () => {
  house.accounts.splice(0)
  const link = await live()
  assert.match((await call(link.url)).text, /Payment is not possible right now/)
  assert.match((await call(link.url)).text, /take payments here yet/)
  house.accounts.push(liveAccount('Stand-in'))
  assert.match((await call(link.url)).text, />&#163;[0-9,.]+<\/span> by card/)
  for (const narrow of [
    { least: 123_451n, most: 10n ** 12n },
    { least: 1n, most: 123_449n },
  ]) {
    range = narrow
    const { text } = await call(link.url)
    assert.match(text, /take a payment of (&#163;|£)1,234\.50 here/)
    assert.doesNotMatch(text, / by card/)
  }
})

test('every screen says when it is test money', async () => {
  house.accounts.splice(0, 1, liveAccount('Stand-in', true))
  const link = await live()
  const banner = page.getByText('Sandbox. No money is taken.')
  await page.goto(link.url)
  await banner.waitFor()
  await takePicture(page, 'hosted-sandbox')
  await card().click()
  await atNetwork()
  await page.getByRole('button', { name: /^Pay £[\d,.]+$/ }).click()
  await heading('Payment received')
  await banner.waitFor()
})

test('held money says so, and never that none was taken', async () => {
  const link = await newLink(house, order)
  await putInState(house, link, 'pending', { state: 'held' })
  await page.goto(link.url)
  await heading('Your payment needs a closer look')
  await page.getByText('Please don’t pay again.').waitFor()
  assert.doesNotMatch(await page.locator('main').innerText(), /No money has been taken/)
  await takePicture(page, 'hosted-held')
})

test('foreign posts open nothing', async () => {
  const link = await live()
  const body = new URLSearchParams({ account: 'acc_Stand-in', method: 'card' })
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const without = await call(`${link.url}/choose`, { method: 'POST', body: String(body), headers })
  assert.equal(without.status, 403)
  const { token } = JSON.parse((await call(`${link.url}/state`)).text) as { token: string }
  body.set('token', token)
  const foreign = { ...headers, 'sec-fetch-site': 'cross-site' }
  assert.equal(
    (await call(`${link.url}/choose`, { method: 'POST', body: String(body), headers: foreign })).status,
    403,
  )
  body.set('account', 'acc_of-somebody-else')
  const other = await call(`${link.url}/choose`, { method: 'POST', body: String(body), headers })
  assert.equal(other.status, 303)
  assert.equal(other.headers.get('location'), `/payment/${link.digits}`)
  assert.deepEqual(await readPages(house.db, keyOf(link)), [])
})

test('networks’ pages are accessible: every language, small, dark, and with a screen reader', async () => {
  const small = await browser.newPage({
    viewport: { width: 320, height: 700 },
    bypassCSP: true,
    colorScheme: 'dark',
  })
  for (const { code } of languages) {
    const link = await live()
    await small.goto(`${link.url}?lang=${code}`)
    await looksGood(small, `hosted-choice-${code}`)
    await small.locator('button.way').first().click()
    await small.waitForURL(/test-network/)
    await looksGood(small, `hosted-network-${code}`)
    await small.goto(`${link.url}/return?lang=${code}`)
    await looksGood(small, `hosted-returned-${code}`)
  }
  const wide = await browser.newPage({ viewport: { width: 1280, height: 800 }, locale: 'en-GB' })
  const link = await live()
  await wide.goto(link.url)
  await takePicture(wide, 'hosted-choice-wide')
  await wide.locator('button.way').first().click()
  await wide.waitForURL(/test-network/)
  await takePicture(wide, 'hosted-network-wide')
  await wide.close()
  await small.close()
})

async function looksGood(on: Page, name: string): Promise<void> {
  await takePicture(on, name)
  const wide = await on.evaluate<number>('document.documentElement.scrollWidth')
  assert.ok(wide <= 320, `${name} is ${wide} px wide`)
  if (!/-(en|ar)$/.test(name)) return
  assert.deepEqual(await violations(on), [], name)
}
