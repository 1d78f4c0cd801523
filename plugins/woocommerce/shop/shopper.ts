import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import type { House } from '../../../test/support/house.ts'
import { waitUntil } from '../../../test/support/wait-until.ts'
import { order, storage, wordpress, type Order } from './wordpress.ts'

// What shoppers and owners do, and what must hold after it.

export type Shop = {
  readonly house: House
  readonly url: string
  readonly product: number
  readonly page: Page
}

export const cards = { good: '4242424242424242', declined: '4000000000000002', secure: '4000000000003220' }

/** From the chair to the page of Florin. */
export async function goToFlorin(
  { page, url, product }: Shop,
  kind: 'blocks' | 'classic',
  clicks = 1,
): Promise<void> {
  await wordpress('checkout', { kind })
  await page.context().clearCookies()
  await page.goto(`${url}/?add-to-cart=${product}`)
  await page.goto(`${url}/checkout/`)
  if (kind === 'blocks') {
    await page.getByLabel('Email address').fill('ada@example.com')
    for (const [label, value] of Object.entries(customer)) {
      const field = page.locator('#billing').getByLabel(label, { exact: true })
      if ((await field.count()) > 0) await field.first().fill(value)
    }
    await page.getByText('Card or bank').first().waitFor()
    await page.getByRole('button', { name: 'Place order' }).click({ clickCount: clicks })
  } else {
    for (const [id, value] of Object.entries(classicCustomer)) {
      const field = page.locator(`#billing_${id}`)
      if (await field.isVisible()) await field.fill(value)
    }
    await page.locator('.blockOverlay').first().waitFor({ state: 'detached' })
    await page.locator('#place_order').click({ clickCount: clicks })
  }
  await page.waitForURL(/\/payment\/\d{32}/)
}

const customer = {
  'First name': 'Ada',
  'Last name': 'Lovelace',
  Address: '1 Oak Street',
  City: 'London',
  Postcode: 'SW1A 1AA',
  'Postal code': 'SW1A 1AA',
}
const classicCustomer = {
  first_name: 'Ada',
  last_name: 'Lovelace',
  address_1: '1 Oak Street',
  city: 'London',
  postcode: 'SW1A 1AA',
  phone: '02079460000',
  email: 'ada@example.com',
}

export async function payWith({ page }: Shop, card: string): Promise<void> {
  await page.getByLabel('Card number').fill(card)
  await page.getByLabel(/Expiry/).fill('12/40')
  await page.getByLabel(/CVC|Security code/).fill('123')
  await page.getByRole('button', { name: /^Pay £[\d.,]+$/ }).click()
}

export async function signIn({ page, url }: Shop): Promise<void> {
  await page.goto(`${url}/wp-login.php`)
  await page.locator('#user_login').fill('admin')
  await page.locator('#user_pass').fill('admin')
  await page.locator('#wp-submit').click()
  await page.waitForURL(/wp-admin/)
}

export const isPaidPage = (page: Page): Promise<void> => page.waitForURL(/order-received/)

/** Paid once: one note of ours, one chair gone. */
export async function assertPaidOnce(before: number, id?: number): Promise<Order> {
  let found = await order(id)
  await waitUntil('the order is paid', async () => {
    found = await order(found.id)
    return found.status === 'completed' || found.status === 'processing'
  })
  assert.equal(
    found.notes.filter((note) => note.startsWith('Paid with Florin')).length,
    1,
    found.notes.join('\n'),
  )
  assert.equal(found.stock, before - 1)
  assert.equal(found.storage, storage)
  assert.notEqual(found.transaction, '')
  return found
}
