import { test } from 'node:test'
import { openInspection } from '../support/dashboard/inspect-pages.ts'
import { pagesOf } from '../support/dashboard/pages-of.ts'
import { seedShop } from '../support/dashboard/seed-shop.ts'

// One page of each kind; dashboard-accessible.long.test.ts looks at all of them.

const site = openInspection()
const kinds = ['home', 'payments', 'payments.number', 'links.new', 'settings.shop', 'installation']

test('axe finds nothing on a page of each kind, and it fits the smallest phone', async () => {
  const shop = await seedShop(site.house)
  const { pages } = pagesOf(shop)
  const paths = kinds.map((kind) => {
    const found = pages.find(({ name }) => name === kind)
    if (!found) throw new Error(`The dashboard has no page ${kind}`)
    return found.path
  })
  const stranger = await site.openAs()
  await site.inspectAll(stranger, ['/dashboard/sign-in'])
  await stranger.close()
  const context = await site.openAs(shop.visitor)
  await site.inspectAll(context, paths)
  await context.close()
})
