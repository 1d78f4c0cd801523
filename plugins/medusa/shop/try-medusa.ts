import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { call, post } from '../../../test/support/house.ts'
import { waitUntil } from '../../../test/support/wait-until.ts'
import type { Trial } from '../../woocommerce/shop/try-shop.ts'
import { startMedusa, type Medusa } from './medusa.ts'

// A cart in a real Medusa is paid in a browser and becomes one order, whoever is first: the storefront, Florin's webhook, or both at once.

type Storefront = { readonly url: string; readonly completed: Map<string, unknown> }
type Context = {
  readonly medusa: Medusa
  readonly shop: Storefront
  readonly page: Page
  readonly trial: Trial
}
type Cart = { readonly id: string; readonly collection: string; readonly session: Session }
type Session = {
  readonly id: string
  readonly data: { readonly tx_ref: string; readonly checkout_url: string }
}
type Store = Record<string, never>

export async function tryMedusa(trial: Trial): Promise<void> {
  const medusa = await startMedusa(trial.house, trial.say)
  const { server, shop } = await startStorefront(medusa)
  try {
    for (const [name, story] of Object.entries(stories)) {
      if (!trial.isAsked(name)) continue
      const page = await trial.browser.newPage()
      page.setDefaultTimeout(120_000)
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
    server.closeAllConnections()
    server.close()
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

/** What the page after paying does: the ten lines of docs/medusa.md. */
async function startStorefront(medusa: Medusa): Promise<{ server: Server; shop: Storefront }> {
  const completed = new Map<string, unknown>()
  const server = createServer((request, response) => {
    void (async () => {
      const { searchParams, pathname } = new URL(request.url ?? '/', 'http://shop')
      const cart = searchParams.get('cart')
      if (pathname === '/paid' && cart !== null) {
        const answer = await store(medusa, `/carts/${cart}/complete`, {}).catch((error: unknown) => ({
          type: 'error',
          error: String(error),
        }))
        completed.set(cart, answer)
        response.end(
          `<!doctype html><title>Shop</title><h1>${answer['type'] === 'order' ? 'Thank you' : 'Not paid'}</h1>`,
        )
      } else response.end('<!doctype html><title>Shop</title>')
    })()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { server, shop: { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, completed } }
}

async function newCart({ medusa, shop }: Context, quantity = 1): Promise<Cart> {
  const { cart } = (await store(medusa, '/carts', {
    region_id: medusa.region,
    sales_channel_id: medusa.channel,
    email: 'ada@example.com',
    items: [{ variant_id: medusa.variant, quantity }],
  })) as unknown as { cart: { id: string } }
  const { payment_collection: collection } = (await store(medusa, '/payment-collections', {
    cart_id: cart.id,
  })) as unknown as { payment_collection: { id: string } }
  return {
    id: cart.id,
    collection: collection.id,
    session: await newSession(medusa, shop, cart.id, collection.id),
  }
}

async function newSession(
  medusa: Medusa,
  shop: Storefront,
  cart: string,
  collection: string,
): Promise<Session> {
  const { payment_collection: made } = (await store(
    medusa,
    `/payment-collections/${collection}/payment-sessions`,
    {
      provider_id: 'pp_florin_florin',
      data: { email: 'ada@example.com', first_name: 'Ada', return_url: `${shop.url}/paid?cart=${cart}` },
    },
  )) as unknown as { payment_collection: { payment_sessions: Session[] } }
  return made.payment_sessions[0] ?? assert.fail('Medusa made no session')
}

async function pay(page: Page, session: Session, card = '4242424242424242'): Promise<void> {
  await page.goto(session.data.checkout_url)
  await page.getByLabel('Card number').fill(card)
  await page.getByLabel(/Expiry/).fill('12/40')
  await page.getByLabel(/CVC|Security code/).fill('123')
  await page.getByRole('button', { name: /^Pay £[\d.,]+$/ }).click()
}

type Order = { readonly id: string; readonly captured: string; readonly payment: string }

/** Exactly one order of this cart, with all of its money. */
async function assertOneOrder({ medusa }: Context, cart: Cart): Promise<Order> {
  let orders: { order_id: string }[] = []
  await waitUntil('there is an order', async () => {
    orders = await medusa.query('select order_id from order_cart where cart_id = $1 and deleted_at is null', [
      cart.id,
    ])
    return orders.length > 0
  })
  const paid = async () =>
    medusa.query<{ id: string; captured: string }>(
      `select payment.id, sum(capture.amount)::text as captured from payment join capture on capture.payment_id = payment.id
       where payment.payment_session_id = $1 group by payment.id`,
      [cart.session.id],
    )
  await waitUntil('it is captured', async () => (await paid()).length > 0)
  const [payment, ...others] = await paid()
  assert.deepEqual([orders.length, others.length], [1, 0])
  const total = await medusa.query<{ count: number }>(
    'select count(*)::int as count from order_cart where cart_id = $1',
    [cart.id],
  )
  assert.equal(total[0]?.count, 1)
  return { id: orders[0]?.order_id ?? '', captured: payment?.captured ?? '', payment: payment?.id ?? '' }
}

async function atFlorin({ trial: { house } }: Context, txRef: string) {
  const { json } = await call(`${house.url}/api/transaction/${txRef}`, { key: house.secretKey })
  return json.data as { status: string; refunded_minor: number; amount_minor: number }
}

const stories: Record<string, (context: Context) => Promise<void>> = {
  'the customer pays and comes back: one order, though the storefront completes twice and Florin reports it':
    async (context) => {
      const cart = await newCart(context)
      await pay(context.page, cart.session)
      await context.page.getByRole('heading', { name: 'Thank you' }).waitFor()
      await context.page.reload()
      const { captured } = await assertOneOrder(context, cart)
      assert.equal(Number(captured), 12.34)
    },
  'the tab is closed: the webhook alone places the order': async (context) => {
    const cart = await newCart(context, 3)
    await context.page.route(`${context.shop.url}/**`, (route) => route.abort())
    await pay(context.page, cart.session)
    assert.equal(Number((await assertOneOrder(context, cart)).captured), 37.02)
  },
  'nobody pays: completing the cart places no order': async (context) => {
    const cart = await newCart(context)
    await context.page.goto(`${context.shop.url}/paid?cart=${cart.id}`)
    await context.page.getByRole('heading', { name: 'Not paid' }).waitFor()
    const orders = await context.medusa.query(
      'select 1 from order_cart where cart_id = $1 and deleted_at is null',
      [cart.id],
    )
    assert.equal(orders.length, 0)
  },
  'a declined card, then a good one': async (context) => {
    const cart = await newCart(context)
    await pay(context.page, cart.session, '4000000000000002')
    await context.page.getByText('Your card was declined.').first().waitFor()
    await pay(context.page, cart.session)
    await context.page.getByRole('heading', { name: 'Thank you' }).waitFor()
    await assertOneOrder(context, cart)
  },
  'a session that is replaced ends its payment, and the new one is paid': async (context) => {
    const cart = await newCart(context)
    await store(context.medusa, `/carts/${cart.id}/line-items`, {
      variant_id: context.medusa.variant,
      quantity: 1,
    })
    const session = await newSession(context.medusa, context.shop, cart.id, cart.collection)
    assert.equal((await atFlorin(context, cart.session.data.tx_ref)).status, 'cancelled')
    assert.equal((await atFlorin(context, session.data.tx_ref)).amount_minor, 2_468)
    await pay(context.page, session)
    await context.page.getByRole('heading', { name: 'Thank you' }).waitFor()
    await assertOneOrder(context, { ...cart, session })
  },
  'the owner refunds half': async (context) => {
    const { medusa } = context
    const cart = await newCart(context)
    await pay(context.page, cart.session)
    await context.page.getByRole('heading', { name: 'Thank you' }).waitFor()
    const { payment } = await assertOneOrder(context, cart)
    const refund = await post(
      `${medusa.url}/admin/payments/${payment}/refund`,
      { amount: 6.17 },
      medusa.token,
    )
    assert.equal(refund.status, 200, refund.text)
    assert.equal((await atFlorin(context, cart.session.data.tx_ref)).refunded_minor, 617)
  },
}
