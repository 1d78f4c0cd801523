import type { Page } from 'playwright-core'
import { decide } from '../../../src/core/test-network/bank/decide.ts'
import { readPages } from '../networks/test-bank-records.ts'
import { sql } from '../../../src/platform/database/sql.ts'
import { newLink, putInState, type Link } from '../customer.ts'
import { paymentRequest } from '../payment-request.ts'
import { call } from '../house.ts'
import type { ScreensHouse } from './house-of-screens.ts'
import { mailScenes } from './mail-scenes.ts'

// Every screen of the checkout, each with a payment that shows it.

export type Scene = {
  readonly prepare: (house: ScreensHouse) => Promise<string>
  /** What somebody does there before the picture is taken. */
  readonly act?: (page: Page, house: ScreensHouse) => Promise<void>
  /** Our script does not arrive. */
  readonly withoutScript?: true
  /** The page itself, where it is a mail and not one of ours. */
  readonly letter?: (house: ScreensHouse, language: string) => Promise<string>
  /** Where the usual ones make no sense. */
  readonly widths?: readonly number[]
  /** The system picks the colours, as in Windows for those who see little. */
  readonly forcedColours?: true
  /** Changes the house for everybody: no other picture is taken meanwhile. */
  readonly alone?: true
}

const order = {
  return_url: 'https://shop.example/thanks',
  customization: {
    title: 'Two walnut chairs',
    description: 'Delivered on Thursday, the old ones taken away.',
  },
}

type State = Parameters<typeof putInState> extends [unknown, Link, ...infer Rest] ? Rest : never

let orders = 0

async function pending(
  house: ScreensHouse,
  changes: Record<string, unknown> = {},
  key?: string,
): Promise<Link> {
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

async function old(house: ScreensHouse): Promise<string> {
  const link = await pending(house)
  await putInState(house, link, 'success', { state: 'succeeded' })
  await house.db.query(sql`
    update attempts set started_at = now() - interval '200 days'
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

/** The press is never answered. */
async function pressInVain(page: Page): Promise<void> {
  await page.route(/\/(pay|challenge)(\?|$)/, () => {})
  await page.locator('main form .go').first().click()
}

/** The database breaks while the customer pays. */
async function breakDown(page: Page, { db }: ScreensHouse): Promise<void> {
  await fillIn(page, '4242 4242 4242 4242', '123')
  await db.query(sql`alter table attempts rename to attempts_away`)
  await press(page)
  await page.locator('[data-lost]').waitFor()
  await db.query(sql`alter table attempts_away rename to attempts`)
}

const items = [
  { name: 'Walnut chair', quantity: 2, unit_amount: '520.00', tax_rate: '20' },
  {
    name: 'A book about chairs, with a long name that does not fit a line',
    unit_amount: '204.50',
    tax_rate: '0',
  },
  { name: 'Old chairs taken away', unit_amount: '-10.00', tax_rate: '20' },
]

/** On the way to the network's page: the post that leads there was answered. */
async function chosen(house: ScreensHouse): Promise<Link> {
  const link = await pending(house, {}, house.liveKey)
  const { token } = (await call(`${link.url}/state`)).json as unknown as { token: string }
  await call(`${link.url}/choose`, {
    method: 'POST',
    body: new URLSearchParams({ token, account: 'acc_Stand-in', method: 'card' }).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })
  return link
}

/** Paid by a method that takes days. */
async function onItsWay(house: ScreensHouse): Promise<string> {
  const link = await chosen(house)
  const key = { merchantId: house.merchantId, number: link.digits.slice(8) }
  await house.db.query(sql`
    update attempts set state = 'submitted', next_check_at = now() + interval '1 day'
    where merchant_id = ${key.merchantId} and number = ${key.number}`)
  return link.url
}

async function paidThere(house: ScreensHouse): Promise<string> {
  const link = await chosen(house)
  const key = { merchantId: house.merchantId, number: link.digits.slice(8) }
  const [page] = await readPages(house.db, key)
  await decide(house.db, { ...key, reference: page?.reference ?? '' }, 'pay', new Date())
  await call(`${link.url}/return`)
  return link.url
}

/** The form of a shop, sent from anywhere. */
function sent(changes: Record<string, string>, keyOf = (house: ScreensHouse) => house.formKey): Scene {
  return {
    prepare: async (house) => `${house.url}/payment/${'1'.repeat(32)}`,
    async act(page, house) {
      const fields = {
        secret_key: keyOf(house),
        ...paymentRequest({ return_url: 'https://shop.example/' }),
        ...changes,
      }
      await page.evaluate(
        ([action, values]) => {
          type Input = { name: string; value: string }
          type Form = { method: string; action: string; append(input: Input): void; submit(): void }
          const { document } = globalThis as unknown as { document: Document }
          type Document = { createElement(name: string): Form & Input; body: { append(form: Form): void } }
          const form = document.createElement('form')
          Object.assign(form, { method: 'post', action })
          for (const [name, value] of Object.entries(values))
            form.append(Object.assign(document.createElement('input'), { name, value }))
          document.body.append(form)
          form.submit()
        },
        [`${house.url}/ext_transfer${new URL(page.url()).search}`, fields] as const,
      )
      await page.locator('#refused').waitFor()
    },
  }
}

function ofLink(fields: Record<string, string>, act?: Scene['act'], isPaused = false): Scene {
  return { prepare: async (house) => house.newPaymentLink(fields, isPaused), ...(act && { act }) }
}

const pages: Readonly<Record<string, Scene>> = {
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
  'pay-offline': pay({}, async (page) => {
    await fillIn(page, '4242 4242 4242 4242', '123')
    await page.evaluate("Object.defineProperty(navigator, 'onLine', { value: false })")
    await press(page)
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
  'pay-items': pay({ items }),
  'pay-plain': { prepare: async (house) => (await pending(house, {}, house.plainKey)).url },
  'pay-long-name': {
    prepare: async (house) =>
      (await pending(house, { amount: '123456789.50', currency: 'INR' }, house.longNameKey)).url,
  },
  interrupted: pay({}, undefined, '?interrupted=1'),
  declined: inState('pending', { state: 'declined', reason: 'insufficient_funds' }),
  choice: { prepare: async (house) => (await pending(house, {}, house.liveKey)).url },
  away: { prepare: async (house) => `${(await chosen(house)).url}/away`, withoutScript: true },
  challenge: inState('pending', { state: 'action_required' }),
  'challenge-pressed': { ...inState('pending', { state: 'action_required' }), act: pressInVain },
  waiting: inState('pending', { state: 'unknown' }),
  'on-its-way': { prepare: onItsWay },
  held: inState('pending', { state: 'held' }),
  paid: inState('success', { state: 'succeeded' }),
  'paid-items': {
    async prepare(house) {
      const link = await pending(house, { items, invoice_number: 'INV-2026-0042' })
      await putInState(house, link, 'success', { state: 'succeeded' })
      return link.url
    },
  },
  'paid-through': { prepare: paidThere },
  'paid-long': {
    async prepare(house) {
      const link = await pending(house, { amount: '123456789.50', currency: 'INR' }, house.longNameKey)
      await putInState(house, link, 'success', { state: 'succeeded' })
      return link.url
    },
  },
  'old-receipt': { prepare: old },
  cancelled: inState('cancelled'),
  expired: inState('expired'),
  failed: inState('failed', { state: 'declined', reason: 'declined' }),
  refunded: inState('refunded', { state: 'succeeded' }),
  reversed: inState('reversed', { state: 'succeeded' }),
  'not-found': { prepare: async (house) => `${house.url}/payment/${'1'.repeat(32)}` },
  broken: {
    prepare: async (house) => (await pending(house)).url,
    act: breakDown,
    withoutScript: true,
    alone: true,
  },
  'form-correct': sent({ email: 'ada@', first_name: '' }),
  'form-refused': sent({ amount: 'much' }),
  'form-unknown': sent({}, () => `fk_test_${'0'.repeat(40)}`),
  link: ofLink({ amount: '12.50', description: 'One seat, in the third row, with a cushion.' }),
  'link-long': ofLink({ amount: '987654321.125', currency: 'KWD' }),
  'link-open-amount': ofLink({ currency: 'KWD', least: '1', most: '987654321.125' }),
  'link-mistakes': ofLink({ least: '5' }, async (page) => {
    await page.locator('main form .go').click()
    await page.locator('.problem').waitFor()
  }),
  'link-closed': ofLink({ amount: '12.50' }, undefined, true),
}

const inForcedColours = [
  'pay',
  'pay-visa',
  'pay-mistakes',
  'pay-busy',
  'declined',
  'choice',
  'challenge',
  'waiting',
  'paid',
  'failed',
  'link-mistakes',
]

export const scenes: Readonly<Record<string, Scene>> = {
  ...pages,
  ...mailScenes,
  ...Object.fromEntries(
    inForcedColours.flatMap((name) => {
      const scene = pages[name]
      return scene
        ? [[`forced-${name}`, { ...scene, forcedColours: true as const, widths: [390, 1280] }]]
        : []
    }),
  ),
}
