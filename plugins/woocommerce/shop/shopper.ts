import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { call, type House } from '../../../test/support/house.ts'
import { waitUntil } from '../../../test/support/wait-until.ts'
import { order, wordpress, type Order, type Storage } from './wordpress.ts'

// What shoppers and owners do, and what must hold after it.

export type Shop = {
  readonly house: House
  readonly url: string
  readonly product: number
  readonly page: Page
  readonly storage: Storage
}

export const cards = {
  good: '4242424242424242',
  declined: '4000000000000002',
  secure: '4000000000003220',
  disputed: '4000000000000259',
}

/** From the chair to the page of Florin. */
export async function goToFlorin(
  { page, url, product }: Shop,
  kind: 'blocks' | 'classic',
  { clicks = 1, quantity = 1, coupon }: { clicks?: number; quantity?: number; coupon?: string } = {},
): Promise<void> {
  await wordpress('checkout', { kind })
  await page.context().clearCookies()
  await page.goto(`${url}/?add-to-cart=${product}&quantity=${quantity}`)
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
    if (coupon !== undefined) await useCoupon(page, coupon)
    await page.locator('.blockOverlay').first().waitFor({ state: 'detached' })
    await page.locator('#place_order').click({ clickCount: clicks })
  }
  await page.waitForURL(/\/payment\/\d{32}/)
}

async function useCoupon(page: Page, coupon: string): Promise<void> {
  await page.locator('.showcoupon').click()
  await page.locator('#coupon_code').fill(coupon)
  await page.locator('button[name=apply_coupon]').click()
  await page.locator('.cart-discount').waitFor()
}

/** To the page of Florin, from the shop's page for one unpaid order. */
export async function payAgain({ page }: Shop): Promise<void> {
  await page.locator('#place_order').click()
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
export async function assertPaidOnce(
  { storage }: Shop,
  before: number,
  id?: number,
  chairs = 1,
): Promise<Order> {
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
  assert.equal(found.stock, before - chairs)
  assert.equal(found.storage, storage)
  assert.notEqual(found.transaction, '')
  return found
}

type Lookup = {
  status: string
  amount_minor: number
  mode: string
  items?: { name: string; quantity: number; unit_amount_minor: number; tax_rate?: string }[]
}

export async function atFlorin({ house }: Shop, txRef: string, key = house.secretKey): Promise<Lookup> {
  return (await call(`${house.url}/api/transaction/${txRef}`, { key })).json.data
}

type Told = {
  readonly id: string
  readonly target: string
  readonly status: string
  readonly attempts: readonly unknown[]
}

/** Sends everything again that Florin ever told the shop about this payment, all at once. */
export async function tellAgain({ house }: Shop, txRef: string): Promise<void> {
  const all = `${house.url}/api/transaction/${txRef}/notifications`
  const calls = async (): Promise<Told[]> => {
    const told: Told[] = (await call(all, { key: house.secretKey })).json.data
    return told.filter(({ target }) => target.startsWith('http'))
  }
  const before = await calls()
  assert.ok(before.length > 0, 'Florin told the shop nothing')
  for (const { id } of before)
    assert.equal((await call(`${all}/${id}/resend`, { method: 'POST', key: house.secretKey })).status, 200)
  await waitUntil('all were answered', async () =>
    (await calls()).every(({ id, status, attempts }) => {
      const earlier = before.find((one) => one.id === id)?.attempts.length ?? 0
      return status === 'delivered' && attempts.length > earlier
    }),
  )
}
