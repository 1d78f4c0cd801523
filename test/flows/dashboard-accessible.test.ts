import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { BrowserContext, Page } from 'playwright-core'
import { createMerchant } from '../../src/merchants/create-merchant.ts'
import { violations } from '../support/axe.ts'
import { openBrowser, type TestBrowser } from '../support/chromium.ts'
import { pagesOf } from '../support/dashboard/pages-of.ts'
import { seedShop } from '../support/dashboard/seed-shop.ts'
import { openHouse, type House } from '../support/house.ts'
import { newPerson, Visitor } from '../support/visitor.ts'

// Every page of the dashboard for those who can't see it, in the dark, and on the smallest phone. Each is loaded once: what
// axe looks at is the same in the dark but for the contrast of colours, and on a phone it has to fit.

let house: House
let browser: TestBrowser
const wide = { width: 1280, height: 800 }
const phone = { width: 320, height: 640 }

before(async () => {
  house = await openHouse({ settings: { SIGN_UP: 'on', RATE_LIMIT_BURST: '1000' } })
  browser = await openBrowser()
})
after(async () => {
  await browser.close()
  await house.close()
})

/** Far more than it takes: on a busy machine every page waits for its turn. */
const timeout = 900_000

/** A browser with the session of somebody who signed in without one. */
async function openAs(visitor?: Visitor): Promise<BrowserContext> {
  // axe is a script of its own, which our content policy rightly refuses: hence bypassCSP.
  const context = await browser.newContext({ bypassCSP: true, viewport: wide })
  const cookies = [...(visitor?.cookies ?? [])]
  await context.addCookies(cookies.map(([name, value]) => ({ name, value, url: house.url })))
  return context
}

/** Two at a time, as there are two cores or more. */
async function inspectAll(context: BrowserContext, paths: readonly string[]): Promise<void> {
  const left = [...paths]
  const work = async (): Promise<void> => {
    const page = await context.newPage()
    page.on('pageerror', (error) => assert.fail(error))
    for (let path = left.shift(); path !== undefined; path = left.shift()) await inspect(page, path)
    await page.close()
  }
  await Promise.all([work(), work()])
}

const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'

/** Tables that are moved sideways, and figures that do not say what they are. */
const unfit = `[
  ...[...document.querySelectorAll('.scroll')].filter((one) => one.scrollWidth > one.clientWidth),
  ...[...document.querySelectorAll('td:not(:first-child, .nothing)')].filter((one) =>
    ['none', '""', 'normal'].includes(getComputedStyle(one, '::before').content)),
].map((one) => one.outerHTML.slice(0, 200))`

async function inspect(page: Page, path: string): Promise<void> {
  const answer = await page.goto(house.url + path, { waitUntil: 'domcontentloaded' })
  assert.match(answer?.headers()['content-type'] ?? '', /^text\/html/, path)
  assert.deepEqual(await violations(page), [], path)
  await page.emulateMedia({ colorScheme: 'dark' })
  assert.deepEqual(await violations(page, 'contrast'), [], `${path} in the dark`)
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize(phone)
  assert.equal(await page.evaluate(overflow), 0, `${path} on a phone`)
  assert.deepEqual(await page.evaluate(unfit), [], `tables of ${path} on a phone`)
  await page.setViewportSize(wide)
}

test(
  'axe finds nothing on the pages before the door, and they fit the smallest phone',
  { timeout },
  async () => {
    await newPerson(house, { isOperator: true })
    const context = await openAs()
    const paths = ['sign-in', 'sign-up', 'forgotten', 'reset/over', 'nothing']
    await inspectAll(
      context,
      paths.map((path) => `/dashboard/${path}`),
    )
    await context.close()
  },
)

/** What needs a provider of accounts, which this house does not have; and a mail by itself, which is no page of ours. */
const noPage = /\/openid$|\/mailbox\/[^/]+\/(?:html|attachment)$/

test('nor behind it, in a shop that has something of everything', { timeout }, async () => {
  const shop = await seedShop(house)
  const context = await openAs(shop.visitor)
  const live = shop.home.replace('/test', '/live')
  const paths = pagesOf(shop).pages.map(({ path }) => path)
  await inspectAll(context, [
    ...paths.filter((path) => !noPage.test(path)),
    live,
    `${live}/audit?what=key.`,
    `${live}/payments?search=nothing`,
  ])
  const page = await context.newPage()
  await page.goto(house.url + shop.home)
  await page.getByText('Corner shop').first().click()
  assert.deepEqual(await violations(page), [], 'with its menu open')
  await context.close()
})

test('nor where a shop has nothing yet', { timeout }, async () => {
  const merchantId = await createMerchant(house.db, { name: 'A shop that is new' })
  const visitor = new Visitor(house)
  await visitor.signIn(await newPerson(house, { role: 'owner', merchantId }))
  const context = await openAs(visitor)
  // Lists are what looks otherwise when it is empty: they are one step below the shop.
  const { pages } = pagesOf({ things: { merchant: String(merchantId), mode: 'test' } })
  const lists = pages.filter(({ path }) => new RegExp(`/${merchantId}/test(?:/[^/]+)?$`).test(path))
  await inspectAll(
    context,
    lists.map(({ path }) => path),
  )
  await context.close()
})
