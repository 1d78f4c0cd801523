import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMerchant } from '../../src/core/merchants/create-merchant.ts'
import { violations } from '../support/axe.ts'
import { openInspection } from '../support/dashboard/inspect-pages.ts'
import { pagesOf } from '../support/dashboard/pages-of.ts'
import { seedShop } from '../support/dashboard/seed-shop.ts'
import { newPerson, signedIn } from '../support/visitor.ts'

// Every page of the dashboard; dashboard-accessible.test.ts looks at one of each kind.

const site = openInspection()
/** Far more than it takes: on a busy machine every page waits for its turn. */
const timeout = 900_000

test('axe finds nothing on the signed-out pages, and they fit the smallest phone', { timeout }, async () => {
  await newPerson(site.house, { isOperator: true })
  const context = await site.openAs()
  const paths = ['sign-in', 'sign-up', 'forgotten', 'reset/over', 'nothing']
  await site.inspectAll(
    context,
    paths.map((path) => `/dashboard/${path}`),
  )
  await context.close()
})

/** What needs a provider of accounts, which this house does not have; and a mail by itself, which is no page of ours. */
const noPage = /\/openid$|\/mailbox\/[^/]+\/(?:html|attachment)$/

test(
  'axe finds nothing in a shop with data of every kind, and its pages fit the smallest phone',
  { timeout },
  async () => {
    const shop = await seedShop(site.house)
    const context = await site.openAs(shop.visitor)
    const live = shop.home.replace('/test', '/live')
    const paths = pagesOf(shop).pages.map(({ path }) => path)
    await site.inspectAll(context, [
      ...paths.filter((path) => !noPage.test(path)),
      live,
      `${live}/audit?what=key.`,
      `${live}/payments?search=nothing`,
    ])
    const page = await context.newPage()
    await page.goto(shop.home)
    await page.getByText('Corner shop').first().click()
    assert.deepEqual(await violations(page), [], 'with its menu open')
    await context.close()
  },
)

test('axe finds nothing in an empty shop, and its lists fit the smallest phone', { timeout }, async () => {
  const merchantId = await createMerchant(site.house.db, { name: 'A shop that is new' })
  const visitor = await signedIn(site.house, { role: 'owner', merchantId })
  const context = await site.openAs(visitor)
  // Lists are what looks otherwise when it is empty: they are one step below the shop.
  const { pages } = pagesOf({ things: { merchant: String(merchantId), mode: 'test' } })
  const lists = pages.filter(({ path }) => new RegExp(`/${merchantId}/test(?:/[^/]+)?$`).test(path))
  await site.inspectAll(
    context,
    lists.map(({ path }) => path),
  )
  await context.close()
})
