import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, afterEach, before, beforeEach } from 'node:test'
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { openBrowser, type TestBrowser } from './chromium.ts'
import { openHouse, type House, type HouseOptions } from './house.ts'

// A customer with a browser: one house, one browser and one shop to come back to for a test file, and a page in a context of
// its own for every test.

export type Customer = {
  house: House
  browser: TestBrowser
  context: BrowserContext
  page: Page
  shopUrl: string
  /** Presses the button that pays. */
  readonly pay: (on?: Page) => Promise<void>
  /** Waits for the page with this heading. */
  readonly heading: (name: string) => Promise<void>
}

export type CustomerOptions = {
  readonly house?: HouseOptions
  readonly context?: BrowserContextOptions
  /** What every test needs of its page. */
  readonly ready?: (customer: Customer) => Promise<void> | void
}

/** Its fields are there from the first test on. */
export function customerInBrowser(options: CustomerOptions = {}): Customer {
  const customer = {
    pay: async (on = customer.page) => on.getByRole('button', { name: /^Pay £[\d,.]+$/ }).click(),
    heading: async (name: string) => customer.page.getByRole('heading', { level: 1, name }).waitFor(),
  } as Customer
  let shop: Server | undefined
  before(async () => {
    shop = createServer((_, reply) => {
      reply.setHeader('content-type', 'text/html').end('<title>Shop</title>Welcome back')
    }).listen(0)
    customer.shopUrl = `http://localhost:${(shop.address() as AddressInfo).port}`
    // Neither waits for the other.
    ;[customer.house, customer.browser] = await Promise.all([openHouse(options.house), openBrowser()])
  })
  after(async () => {
    await customer.browser?.close()
    await customer.house?.close()
    shop?.close()
  })
  beforeEach(async () => {
    customer.context = await customer.browser.newContext({
      locale: 'en-GB',
      viewport: { width: 1000, height: 900 },
      ...options.context,
    })
    customer.page = await customer.context.newPage()
    await options.ready?.(customer)
  })
  afterEach(async () => customer.context.close())
  return customer
}
