import type { Page } from 'playwright-core'
import { sql } from '../../../src/database/sql.ts'
import { newLink, putInState, type Link } from '../customer.ts'
import type { House } from '../house.ts'

// Every screen of the checkout, each with a payment that shows it.

export type Scene = {
  readonly prepare: (house: House) => Promise<string>
  /** What somebody does there before the picture is taken. */
  readonly act?: (page: Page, house: House) => Promise<void>
}

const order = {
  return_url: 'https://shop.example/thanks',
  customization: {
    title: 'Two walnut chairs',
    description: 'Delivered on Thursday, the old ones taken away.',
  },
}

type State = Parameters<typeof putInState> extends [House, Link, ...infer Rest] ? Rest : never

let orders = 0

async function pending(house: House, changes: Record<string, unknown> = {}, key?: string): Promise<Link> {
  orders += 1
  // The same number in every run: it stands on the page.
  return newLink(house, { ...order, tx_ref: `order-${1000 + orders}`, ...changes }, key ?? house.secretKey)
}

function inState(...state: State): Scene {
  return {
    async prepare(house) {
      const link = await pending(house)
      await putInState(house, link, ...state)
      return link.url
    },
  }
}

function pay(changes: Record<string, unknown> = {}, act?: Scene['act'], query = ''): Scene {
  return {
    prepare: async (house) => (await pending(house, changes)).url + query,
    ...(act && { act }),
  }
}

async function old(house: House): Promise<string> {
  const link = await pending(house)
  await putInState(house, link, 'success', { state: 'succeeded' })
  await house.db.query(sql`
    update attempts set started_at = started_at - interval '200 days'
    where merchant_id = ${house.merchantId} and number = ${link.digits.slice(8)}`)
  return link.url
}

async function fillIn(page: Page, number: string, cvc: string): Promise<void> {
  await page.locator('#number').fill(number)
  await page.locator('#expiry').fill('12 / 34')
  await page.locator('#cvc').fill(cvc)
  await page.locator('#number').blur()
}

const press = async (page: Page): Promise<void> => page.locator('form[data-pay] .go').click()

/** The press goes nowhere, as when a load is stopped. */
async function pressInVain(page: Page): Promise<void> {
  await page.evaluate("document.addEventListener('submit', (event) => event.preventDefault())")
  await page.locator('main form .go').first().click()
}

/** The database breaks while the customer pays. */
async function breakDown(page: Page, { db }: House): Promise<void> {
  await fillIn(page, '4242 4242 4242 4242', '123')
  await db.query(sql`alter table attempts rename to attempts_away`)
  await press(page)
  await page.locator('[data-lost]').waitFor()
  await db.query(sql`alter table attempts_away rename to attempts`)
}

export const scenes: Readonly<Record<string, Scene>> = {
  pay: pay(),
  'pay-without-way-back': pay({ return_url: undefined, customization: undefined }),
  'pay-visa': pay({}, async (page) => fillIn(page, '4242 4242 4242 4242', '123')),
  'pay-amex': pay({}, async (page) => fillIn(page, '3782 822463 10005', '1234')),
  'pay-mistakes': pay({}, async (page) => {
    await page.locator('#name').fill('')
    await press(page)
  }),
  'pay-busy': pay({}, async (page) => {
    await fillIn(page, '4242 4242 4242 4242', '123')
    await pressInVain(page)
  }),
  'pay-folds': pay({}, async (page) => {
    for (const summary of await page.locator('summary:visible').all()) {
      if (!(await summary.evaluate((each: { parentElement: { open: boolean } }) => each.parentElement.open)))
        await summary.click()
    }
    for (const code of await page.locator('.on-phone img:visible').all()) {
      await code.evaluate((image: { decode(): Promise<void> }) => image.decode())
    }
  }),
  'pay-long': pay({ amount: '987654321.125', currency: 'KWD' }),
  interrupted: pay({}, undefined, '?interrupted=1'),
  declined: inState('pending', { state: 'declined', reason: 'insufficient_funds' }),
  choice: { prepare: async (house) => (await pending(house, {}, house.liveKey)).url },
  challenge: inState('pending', { state: 'action_required' }),
  'challenge-pressed': { ...inState('pending', { state: 'action_required' }), act: pressInVain },
  waiting: inState('pending', { state: 'unknown' }),
  held: inState('pending', { state: 'held' }),
  paid: inState('success', { state: 'succeeded' }),
  'old-receipt': { prepare: old },
  cancelled: inState('cancelled'),
  expired: inState('expired'),
  failed: inState('failed', { state: 'declined', reason: 'declined' }),
  refunded: inState('refunded', { state: 'succeeded' }),
  reversed: inState('reversed', { state: 'succeeded' }),
  'not-found': { prepare: async (house) => `${house.url}/payment/${'1'.repeat(32)}` },
  broken: { prepare: async (house) => (await pending(house)).url, act: breakDown },
}
