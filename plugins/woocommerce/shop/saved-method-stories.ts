import assert from 'node:assert/strict'
import { sql } from '../../../src/platform/database/sql.ts'
import { changeRules } from '../../../src/modules/saved-methods/rules.ts'
import { call } from '../../../test/support/house.ts'
import { waitUntil } from '../../../test/support/wait-until.ts'
import { assertPaidOnce, cards, isPaidPage, payWith, signIn, type Shop } from './shopper.ts'
import type { Stories } from './stories.ts'
import { order, wordpress } from './wordpress.ts'

// A signed-in customer saves a card, pays with it again and deletes it; a subscription renews with it.

type Token = { readonly id: string; readonly type: string; readonly name: string }

const tokens = async (): Promise<Token[]> => wordpress('tokens')

const asksLater = '4000002760003184'
const hardLater = '4000000000009979'

/** To the checkout with one chair, signed in. */
async function goToCheckout(shop: Shop, kind: 'blocks' | 'classic'): Promise<void> {
  const { page, url, product } = shop
  await wordpress('checkout', { kind })
  await wordpress('saving', { on: true })
  await signIn(shop)
  await page.goto(`${url}/?add-to-cart=${product}`)
  await page.goto(`${url}/checkout/`)
}

async function fillIn({ page }: Shop): Promise<void> {
  const fields = { first_name: 'Ada', last_name: 'Lovelace', address_1: '1 Oak Street', city: 'London' }
  const all = { ...fields, postcode: 'SW1A 1AA', phone: '02079460000', email: 'ada@example.com' }
  for (const [id, value] of Object.entries(all)) {
    const field = page.locator(`#billing_${id}`)
    if (await field.isVisible()) await field.fill(value)
  }
  await page.locator('.blockOverlay').first().waitFor({ state: 'detached' })
}

/** Returns the method that the customer saved by ticking the box. */
async function save(shop: Shop, card: string): Promise<Token> {
  const before = new Set((await tokens()).map(({ id }) => id))
  await goToCheckout(shop, 'classic')
  await fillIn(shop)
  const { page } = shop
  const other = page.locator('#wc-florin-payment-token-new')
  if (await other.isVisible()) await other.check()
  await page.locator('#wc-florin-new-payment-method').check()
  await page.locator('#place_order').click()
  await page.waitForURL(/\/payment\/\d{32}/)
  await page
    .getByText(/you agree that/)
    .first()
    .waitFor()
  await payWith(shop, card)
  await isPaidPage(page)
  let saved: Token | undefined
  await waitUntil('the method is saved in the shop', async () => {
    saved = (await tokens()).find(({ id }) => !before.has(id))
    return saved !== undefined
  })
  return saved ?? assert.fail()
}

async function methodAt({ house }: Shop, id: string): Promise<{ usable: boolean; ended_by?: string }> {
  return (await call(`${house.url}/api/saved-methods/${id}`, { key: house.secretKey })).json.data
}

type Renewal = { readonly order?: number; readonly fault?: 'away' | 'lost' }

/** With an order, that renewal is tried again, as Subscriptions does after a failure. */
async function renew({ product }: Shop, method: string, more: Renewal = {}): Promise<number> {
  return wordpress('renew', { product, method, at: '/charges', ...more })
}

async function chargesOf({ house }: Shop, id: number): Promise<number> {
  const rows = await house.db.query(sql`
    select from payments where (meta::jsonb)->>'order_id' = ${String(id)}`)
  return rows.length
}

export const savedMethodStories: Stories = {
  'classic, a card is saved, pays the next order without leaving the shop, and is deleted under My account':
    async (shop) => {
      await wordpress('forget-tokens')
      const saved = await save(shop, cards.good)
      assert.equal(saved.type, 'CC')
      assert.match(saved.name, /Visa ending in 4242/)
      const before = await wordpress<number>('stock')
      await goToCheckout(shop, 'classic')
      await fillIn(shop)
      const { page, url } = shop
      await page
        .getByLabel(/Visa ending in 4242/)
        .first()
        .check()
      await page.locator('#place_order').click()
      await isPaidPage(page)
      await assertPaidOnce(shop, before)
      await page.goto(`${url}/my-account/payment-methods/`)
      await page
        .getByText(/Visa ending in 4242/)
        .first()
        .waitFor()
      for (const _ of await tokens()) {
        await page.getByRole('link', { name: 'Delete' }).first().click()
        await page.waitForURL(/payment-methods/)
      }
      assert.deepEqual(await tokens(), [])
      assert.equal((await methodAt(shop, saved.id)).usable, false)
    },
  'a subscription renews with the saved card; a bank that asks leaves the order open; a card that ended fails it':
    async (shop) => {
      await wordpress('forget-tokens')
      const good = await save(shop, cards.good)
      const before = await wordpress<number>('stock')
      const renewed = await renew(shop, good.id)
      await assertPaidOnce(shop, before, renewed)

      const asks = await save(shop, asksLater)
      const open = await order(await renew(shop, asks.id))
      assert.equal(open.status, 'pending')
      assert.ok(
        open.notes.some((note) => note.includes('Florin e-mailed them a link')),
        open.notes.join('\n'),
      )

      const hard = await save(shop, hardLater)
      const failed = await order(await renew(shop, hard.id))
      assert.equal(failed.status, 'failed')
      assert.ok(!(await tokens()).some(({ id }) => id === hard.id), 'an ended method leaves the shop')
    },
  'a renewal that Florin refused, or could not answer, is charged once when it is tried again': async (
    shop,
  ) => {
    await wordpress('forget-tokens')
    const { house } = shop
    const of = { merchantId: house.merchantId, mode: 'test' as const }
    const owner = { kind: 'key', name: 'trial' } as const
    const { id: method } = await save(shop, cards.good)
    const wait = async (until: string) =>
      house.db.query(sql`update saved_methods set retry_at = now() + ${until}::interval where id = ${method}`)
    const allow = async (isStopped: boolean, methodMinor?: bigint) => {
      const ceilings = new Map([['GBP', { methodMinor }]])
      await changeRules({ db: house.db, now: () => new Date() }, of, { isStopped, ceilings }, owner)
    }
    const refusals: Record<string, { begin: () => Promise<unknown>; end: () => Promise<unknown> }> = {
      'are stopped for this account': { begin: () => allow(true), end: () => allow(false) },
      'daily ceiling': { begin: () => allow(false, 1n), end: () => allow(false) },
      'try again after': { begin: () => wait('1 hour'), end: () => wait('-1 hour') },
    }
    for (const [reason, { begin, end }] of Object.entries(refusals)) {
      await begin()
      const id = await renew(shop, method)
      await renew(shop, method, { order: id })
      const refused = await order(id)
      assert.equal(refused.status, 'failed')
      assert.equal(refused.notes.filter((note) => note.includes(reason)).length, 2, refused.notes.join('\n'))
      await end()
      const before = await wordpress<number>('stock')
      await renew(shop, method, { order: id })
      await assertPaidOnce(shop, before, id)
    }
    for (const fault of ['away', 'lost'] as const) {
      const before = await wordpress<number>('stock')
      const id = await renew(shop, method, { fault })
      await renew(shop, method, { order: id })
      await assertPaidOnce(shop, before, id)
      assert.equal(await chargesOf(shop, id), 1, fault)
      assert.ok((await order(id)).notes.some((note) => note.startsWith('Paid with Florin')))
    }
  },
}
