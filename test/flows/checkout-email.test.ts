import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { sql } from '../../src/platform/database/sql.ts'
import { readCustomers } from '../../src/modules/customers/customers.ts'
import { indexPayments } from '../../src/core/payments/search/index-payments.ts'
import { violations } from '../support/axe.ts'
import { openBrowser, type TestBrowser } from '../support/chromium.ts'
import { goodCard, newLink, stateOf, takePicture, typeCard, type Link } from '../support/customer.ts'
import { call, openHouse, type House } from '../support/house.ts'

// A payment created without an e-mail address: the checkout page asks for it, and nothing is charged before.

let house: House
let browser: TestBrowser

before(async () => {
  house = await openHouse()
  browser = await openBrowser()
})
after(async () => {
  await browser.close()
  await house.close()
})

const newPayment = async () =>
  newLink(house, { email: undefined, customization: { title: 'Two chairs', description: 'In oak' } })

async function lookUp({ txRef }: Link): Promise<Record<string, unknown>> {
  const { json } = await call(`${house.url}/api/transaction/${txRef}`, { key: house.secretKey })
  return json.data
}

async function tokenOf({ url }: Link): Promise<string> {
  return ((await call(`${url}/state`)).json as unknown as { token: string }).token
}

async function send(link: Link, form: 'email' | 'pay', fields: Record<string, string>): Promise<void> {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const body = new URLSearchParams({ token: await tokenOf(link), ...fields }).toString()
  await call(`${link.url}/${form}`, { method: 'POST', headers, body })
}

const card = { number: goodCard, expiry: '12 / 34', cvc: '123', name: 'Ada Lovelace' }

const sizes = { phone: { width: 390, height: 844 }, desktop: { width: 1280, height: 900 } }
for (const [name, viewport] of Object.entries(sizes)) {
  test(`on a ${name}, a customer types their e-mail address, then pays and gets the receipt`, async () => {
    const link = await newPayment()
    const context = await browser.newContext({ bypassCSP: true, viewport, locale: 'en-GB' })
    const page = await context.newPage()
    await page.goto(link.url)
    await takePicture(page, `email-${name}`)
    await fits(page)
    await page.getByLabel('E-mail address').fill('ada@')
    await page.getByRole('button', { name: 'Continue to payment' }).click()
    await page.locator('#email[aria-invalid]').waitFor()
    await takePicture(page, `email-wrong-${name}`)
    await fits(page)
    assert.equal(await page.getByLabel('E-mail address').inputValue(), 'ada@')
    await page.getByLabel('E-mail address').fill(` ${name}@example.com `)
    await page.getByRole('button', { name: 'Continue to payment' }).click()
    await page.getByLabel('Card number').waitFor()
    assert.deepEqual((await lookUp(link))['email'], `${name}@example.com`)
    await typeCard(page, goodCard)
    await page.getByRole('button', { name: 'Pay £1,234.50', exact: true }).click()
    await page.getByRole('heading', { name: 'Payment received' }).waitFor()
    assert.equal(await stateOf(house, link), 'success')
    const [mail] = await house.app.mailbox.list({ merchantId: house.merchantId, mode: 'test' })
    assert.equal(mail?.to, `${name}@example.com`)
    await context.close()
  })
}

async function fits(page: Page): Promise<void> {
  assert.deepEqual(await violations(page), [])
  const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'
  assert.equal(await page.evaluate(overflow), 0)
}

test('a card sent before the e-mail address is known isn’t charged', async () => {
  const link = await newPayment()
  await send(link, 'pay', card)
  assert.deepEqual((await lookUp(link))['status'], 'pending')
  const number = link.digits.slice(8)
  assert.deepEqual(await house.db.query(sql`select 1 from attempts where number = ${number}`), [])
  await send(link, 'email', { email: 'ada@example.com' })
  await send(link, 'pay', card)
  assert.deepEqual((await lookUp(link))['status'], 'success')
})

test('an address that is known, or of a payment that has ended, can’t be replaced', async () => {
  const known = await newLink(house)
  await send(known, 'email', { email: 'eve@example.com' })
  assert.equal((await lookUp(known))['email'], 'ada@example.com')
  const ended = await newPayment()
  await call(`${house.url}/api/transaction/${ended.txRef}/cancel`, { method: 'POST', key: house.secretKey })
  await send(ended, 'email', { email: 'eve@example.com' })
  assert.equal((await lookUp(ended))['email'], '')
})

test('the list of customers and the search index leave out a missing address, and have it once it is typed', async () => {
  const link = await newPayment()
  const number = link.digits.slice(8)
  const scope = { merchantId: house.merchantId, mode: 'test' } as const
  const customers = async () =>
    (await readCustomers(house.db, scope, {})).customers
      .map(({ email }) => email)
      .includes('grace@example.com')
  const indexed = async () =>
    (await house.db.query<{ text: string }>(sql`select text from search_entries where number = ${number}`))[0]
      ?.text
  await house.db.query(sql`
    update payments set created_at = now() - interval '2 minutes' where number = ${number}`)
  await indexPayments(house.db, house.merchantId)
  assert.doesNotMatch((await indexed()) ?? assert.fail(), /@/)
  const emails = (await readCustomers(house.db, scope, {})).customers.map(({ email }) => email)
  assert.ok(!emails.includes(''))
  await send(link, 'email', { email: 'grace@example.com' })
  assert.match((await indexed()) ?? '', /grace@example\.com/)
  assert.ok(await customers())
})
