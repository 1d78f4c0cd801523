import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createKey } from '../src/merchants/change-keys.ts'
import { createMerchant } from '../src/merchants/create-merchant.ts'
import { newLink } from '../test/support/customer.ts'
import { startStripe, type StripeStandIn } from '../test/support/networks/stripe.ts'
import { countAttempts, declining, tryCard } from '../test/support/stranger.ts'
import { waitUntil } from '../test/support/wait-until.ts'
import { walkHotPaths } from './hot-paths.ts'
import { openClusterHouse, type ClusterHouse } from './open-cluster-house.ts'
import { explain, isOfOneMerchant, isOneTask, noteStatements, shownRoute, type Route } from './routing.ts'

// Where each statement goes that a payment needs on its way: to one node, straight.

let stripe: StripeStandIn
let opened: ClusterHouse | undefined
before(async () => {
  stripe = await startStripe()
  opened = await openClusterHouse({ STRIPE_URL: stripe.url })
})
after(async () => {
  await opened?.close()
  await stripe.close()
})

test('every statement of what happens all day is one task on one node', async (context) => {
  if (!opened) return context.diagnostic('note: no PostgreSQL with Citus, so no routes were looked at')
  const { house } = opened
  const { noted, stop } = noteStatements()
  await walkHotPaths(house, stripe)
  // Some of it is done in the background.
  await waitUntil(`something is written to each of ${written.join(', ')}`, () =>
    written.every((table) => [...noted.keys()].some((text) => text.includes(`insert into ${table} `))),
  )
  stop()
  const routes = await routesOf(house.databaseUrl, noted)
  const shows = process.env['FLORIN_SHOW_ROUTES'] === 'on'
  for (const route of shows ? routes : []) context.diagnostic(`note: ${shownRoute(route)}`)
  assert.deepEqual(routes.filter((route) => !isOneTask(route)).map(shownRoute), [])
})

/** What the walk has to write to, so that it can't become shorter than it says. */
const written = [
  'payments',
  'attempts',
  'payment_history',
  'daily_total_changes',
  'daily_totals',
  'decline_levels',
  'deliveries',
  'delivery_attempts',
  'receivers',
  'refunds',
  'refund_history',
  'request_log',
  'callback_events',
  'test_network.charges',
]

test('declined cards are counted in one task each, and whoever sent them has to wait', async (context) => {
  if (!opened) return context.diagnostic('note: no PostgreSQL with Citus, so no cards were declined')
  const merchantId = await createMerchant(opened.house.db, { name: 'Corner shop' })
  const { key } = await createKey(opened.house.db, merchantId, { kind: 'secret', mode: 'test', name: 'test' })
  const house = { ...opened.house, merchantId, secretKey: key }
  const { noted, stop } = noteStatements()
  const first = await newLink(house)
  for (let count = 0; count < 5; count += 1) {
    const { status } = await tryCard(house, first, { number: declining[count % 4] ?? '' })
    assert.equal(status, 303)
  }
  stop()
  const refused = await tryCard(house, await newLink(house))
  assert.equal(refused.status, 429)
  assert.equal(await countAttempts(house), 5)
  const routes = await routesOf(house.databaseUrl, noted)
  assert.deepEqual(routes.filter((route) => !isOneTask(route)).map(shownRoute), [])
})

async function routesOf(url: string, noted: ReturnType<typeof noteStatements>['noted']): Promise<Route[]> {
  return (await explain(url, noted.values())).filter(isOfOneMerchant)
}
