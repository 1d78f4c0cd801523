import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { call, post } from '../../../test/support/house.ts'
import { waitUntil } from '../../../test/support/wait-until.ts'
import type { Trial } from '../../woocommerce/shop/try-shop.ts'
import { startMedusa, type Medusa } from './medusa.ts'
import { bundleSdk, startStorefront, type Storefront } from './storefront.ts'

// A cart in a real Medusa is paid in a browser and becomes one order, whoever is first: the storefront, Florin's webhook, or both at once.

type Context = {
  readonly medusa: Medusa
  readonly shop: Storefront
  readonly page: Page
  readonly trial: Trial
}
type Session = {
  readonly id: string
  readonly data: { readonly tx_ref: string; readonly checkout_url: string }
}
type Store = Record<string, never>

export async function tryMedusa(trial: Trial): Promise<void> {
  const sdk = bundleSdk()
  const medusa = await startMedusa(trial.house, trial.say)
  const shop = await startStorefront(medusa, sdk)
  try {
    for (const [name, story] of Object.entries(stories)) {
      if (!trial.isAsked(`Medusa: ${name}`)) continue
      const page = await trial.browser.newPage()
      page.setDefaultTimeout(300_000)
      try {
        await story({ medusa, shop, page, trial })
        trial.say(`ok      Medusa: ${name}`)
      } catch (error) {
        process.exitCode = 1
        trial.say(`FAILED  Medusa: ${name} at ${page.url()}\n${String(error)}`)
      }
      await page.close()
    }
  } finally {
    shop.stop()
    await medusa.stop()
  }
}

async function store(medusa: Medusa, path: string, body?: object): Promise<Store> {
  const answer = await call(`${medusa.url}/store${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { 'x-publishable-api-key': medusa.key, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  assert.ok(answer.status < 300, `${path}: ${answer.text}`)
  return answer.json as unknown as Store
}

async function newCart(medusa: Medusa, quantity = 1): Promise<string> {
  const { cart } = (await store(medusa, '/carts', {
    region_id: medusa.region,
    sales_channel_id: medusa.channel,
    email: 'ada@example.com',
    items: [{ variant_id: medusa.variant, quantity }],
  })) as unknown as { cart: { id: string } }
  return cart.id
}

/** From the storefront's checkout to the page of Florin, as the storefront's own lines do it. */
async function goToFlorin({ medusa, shop, page }: Context, cart: string): Promise<Session> {
  await page.goto(`${shop.url}/checkout?cart=${cart}`)
  await page.getByRole('button', { name: 'Pay' }).click()
  await page.waitForURL(/\/payment\/\d{32}/)
  const [session] = await medusa.query<Session>(
    `select payment_session.id, payment_session.data from payment_session join cart_payment_collection using (payment_collection_id)
     where cart_id = $1 and payment_session.deleted_at is null`,
    [cart],
  )
  return session ?? assert.fail('Medusa made no session')
}

async function pay({ page }: Context, card = '4242424242424242'): Promise<void> {
  await page.getByLabel('Card number').fill(card)
  await page.getByLabel(/Expiry/).fill('12/40')
  await page.getByLabel(/CVC|Security code/).fill('123')
  await page.getByRole('button', { name: /^Pay £[\d.,]+$/ }).click()
}

type Order = { readonly id: string; readonly captured: string; readonly payment: string }

/** Exactly one order of this cart, with all of its money. */
async function assertOneOrder({ medusa }: Context, cart: string, session: Session): Promise<Order> {
  let orders: { order_id: string }[] = []
  await waitUntil('there is an order', async () => {
    orders = await medusa.query('select order_id from order_cart where cart_id = $1 and deleted_at is null', [
      cart,
    ])
    return orders.length > 0
  })
  const paid = async () =>
    medusa.query<{ id: string; captured: string }>(
      `select payment.id, sum(capture.amount)::text as captured from payment join capture on capture.payment_id = payment.id
       where payment.payment_session_id = $1 group by payment.id`,
      [session.id],
    )
  await waitUntil('it is captured', async () => (await paid()).length > 0)
  const [payment, ...others] = await paid()
  assert.deepEqual([orders.length, others.length], [1, 0])
  // Completions that failed have left deleted rows.
  const later = await medusa.query('select 1 from order_cart where cart_id = $1 and deleted_at is null', [
    cart,
  ])
  assert.equal(later.length, 1)
  return { id: orders[0]?.order_id ?? '', captured: payment?.captured ?? '', payment: payment?.id ?? '' }
}

async function atFlorin({ trial: { house } }: Context, txRef: string) {
  const { json } = await call(`${house.url}/api/transaction/${txRef}`, { key: house.secretKey })
  return json.data as { status: string; refunded_minor: number; amount_minor: number }
}

const isThanked = (page: Page): Promise<void> => page.getByRole('heading', { name: 'Thank you' }).waitFor()

const stories: Record<string, (context: Context) => Promise<void>> = {
  'the customer pays and comes back: one order, though the storefront completes twice and Florin reports it':
    async (context) => {
      const cart = await newCart(context.medusa)
      const session = await goToFlorin(context, cart)
      await pay(context)
      await isThanked(context.page)
      await context.page.reload()
      await isThanked(context.page)
      const { captured } = await assertOneOrder(context, cart, session)
      assert.equal(Number(captured), 12.34)
    },
  'the tab is closed: the webhook alone places the order': async (context) => {
    const cart = await newCart(context.medusa, 3)
    const session = await goToFlorin(context, cart)
    await context.page.route(`${context.shop.url}/**`, (route) => route.abort())
    await pay(context)
    assert.equal(Number((await assertOneOrder(context, cart, session)).captured), 37.02)
  },
  'nobody pays: completing the cart places no order': async (context) => {
    const cart = await newCart(context.medusa)
    await goToFlorin(context, cart)
    await context.page.goto(`${context.shop.url}/paid?cart=${cart}`)
    await context.page.getByRole('heading', { name: 'Not paid' }).waitFor()
    const orders = await context.medusa.query(
      'select 1 from order_cart where cart_id = $1 and deleted_at is null',
      [cart],
    )
    assert.equal(orders.length, 0)
  },
  'a declined card, then a good one': async (context) => {
    const cart = await newCart(context.medusa)
    const session = await goToFlorin(context, cart)
    await pay(context, '4000000000000002')
    await context.page.getByText('Your card was declined.').first().waitFor()
    await pay(context)
    await isThanked(context.page)
    await assertOneOrder(context, cart, session)
  },
  'cancelled at Florin, and paid when the customer tries again': async (context) => {
    const { medusa, page } = context
    const cart = await newCart(medusa)
    const first = await goToFlorin(context, cart)
    await page.getByText('Cancel this payment').click()
    await page.getByRole('button', { name: 'Yes, cancel' }).click()
    await page
      .getByRole('link', { name: /^Return to/ })
      .first()
      .click()
    await page.getByRole('heading', { name: 'Not paid' }).waitFor()
    const second = await goToFlorin(context, cart)
    assert.notEqual(second.data.tx_ref, first.data.tx_ref)
    await pay(context)
    await isThanked(page)
    await assertOneOrder(context, cart, second)
  },
  'a cart that grows ends its first payment, and the new one is paid': async (context) => {
    const { medusa } = context
    const cart = await newCart(medusa)
    const first = await goToFlorin(context, cart)
    await store(medusa, `/carts/${cart}/line-items`, { variant_id: medusa.variant, quantity: 1 })
    const second = await goToFlorin(context, cart)
    assert.equal((await atFlorin(context, first.data.tx_ref)).status, 'cancelled')
    assert.equal((await atFlorin(context, second.data.tx_ref)).amount_minor, 2_468)
    await pay(context)
    await isThanked(context.page)
    await assertOneOrder(context, cart, second)
  },
  'the owner refunds half': async (context) => {
    const { medusa } = context
    const cart = await newCart(medusa)
    const session = await goToFlorin(context, cart)
    await pay(context)
    await isThanked(context.page)
    const { payment } = await assertOneOrder(context, cart, session)
    const refund = await post(
      `${medusa.url}/admin/payments/${payment}/refund`,
      { amount: 6.17 },
      medusa.token,
    )
    assert.equal(refund.status, 200, refund.text)
    assert.equal((await atFlorin(context, session.data.tx_ref)).refunded_minor, 617)
  },
}
