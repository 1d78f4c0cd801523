import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { openBrowser, type TestBrowser } from '../support/chromium.ts'
import { takePicture } from '../support/customer.ts'
import { makeOrder, makePage, withReference } from '../support/hosted-orders.ts'
import { openGoCardless, openStripe } from '../support/networks/open-networks.ts'
import { openReceiver, type Receiver } from '../support/receiver.ts'

// The stand-ins themselves: a customer clicks, the network tells, and what a real one would refuse is refused.

type World = Awaited<ReturnType<typeof openStripe>> | Awaited<ReturnType<typeof openGoCardless>>

const never = new AbortController().signal
let browser: TestBrowser
let shop: Receiver
let stripe: Awaited<ReturnType<typeof openStripe>>
let gocardless: Awaited<ReturnType<typeof openGoCardless>>
before(async () => {
  browser = await openBrowser()
  shop = await openReceiver()
  stripe = await openStripe()
  gocardless = await openGoCardless()
})
after(async () => {
  await browser.close()
  await Promise.all([stripe.close(), gocardless.close(), shop.close()])
})

async function openPage(world: World) {
  const [method = 'card'] = world.connector.methods('GBP')
  const order = {
    ...makeOrder({ connector: world.connector, currency: 'GBP', method }),
    startedAt: world.now(),
  }
  const addresses = { returnUrl: `${shop.url}/return`, cancelUrl: `${shop.url}/cancel` }
  const opened = await world.connector.open(world.account, order, { ...makePage(), ...addresses }, never)
  assert.equal(opened.kind, 'open')
  return { order: withReference(order, opened), url: opened.url }
}

async function click(page: Page, label: string): Promise<void> {
  await page.getByRole('button', { name: label, exact: true }).click()
}

test('a customer pays at Stripe after a declined card, and returns', async () => {
  const { order, url } = await openPage(stripe)
  const page = await browser.newPage({ viewport: { width: 320, height: 700 } })
  await page.goto(url)
  await takePicture(page, 'stand-in-stripe')
  await click(page, 'Use a card that is declined')
  assert.match((await page.getByRole('alert').textContent()) ?? '', /declined/)
  assert.equal((await stripe.connector.fetch(stripe.account, order, never)).kind, 'open')
  await click(page, 'Pay')
  await page.waitForURL(`${shop.url}/return`)
  assert.equal((await stripe.connector.fetch(stripe.account, order, never)).kind, 'charged')
  await page.goto(url)
  assert.equal(page.url(), `${shop.url}/return`, 'a page that was paid sends the customer on')
  await page.close()
})

test('a customer who goes back leaves the page open until it is withdrawn', async () => {
  for (const world of [stripe, gocardless]) {
    const { order, url } = await openPage(world)
    const page = await browser.newPage()
    await page.goto(url)
    await click(page, 'Back to the shop')
    await page.waitForURL(`${shop.url}/cancel`)
    assert.equal((await world.connector.fetch(world.account, order, never)).kind, 'open')
    assert.equal((await world.connector.withdraw(world.account, order, never)).kind, 'declined')
    await page.goto(url)
    assert.equal(await page.getByRole('button').count(), 0)
    await page.close()
  }
})

test('a customer approves in their bank at GoCardless, and returns', async () => {
  const { order, url } = await openPage(gocardless)
  const page = await browser.newPage()
  await page.goto(url)
  await takePicture(page, 'stand-in-gocardless')
  await click(page, 'Refuse in my bank')
  await click(page, 'Approve in my bank')
  await page.waitForURL((to) => to.href.startsWith(`${shop.url}/return?outcome=success`))
  assert.equal((await gocardless.connector.fetch(gocardless.account, order, never)).kind, 'charged')
  await page.close()
})

test('stand-ins sign callbacks like the networks, twice, late or newest first', async () => {
  for (const world of [stripe, gocardless]) {
    const pay = payAt(world)
    const receiver = await openReceiver()
    const { callbacks } = world.network
    callbacks.to(receiver.url, world.account.credentials['webhook_secret'] ?? '')
    callbacks.manner = 'twice'
    const first = await openPage(world)
    pay(first)
    await callbacks.settled()
    assert.equal(receiver.received.length % 2, 0)
    const read = receiver.received.map(({ body, headers }) =>
      world.connector.readCallback(world.account, Buffer.from(body), headers, world.now()),
    )
    assert.ok(read.every((hints) => hints?.[0]?.idempotencyKey === first.order.idempotencyKey))

    callbacks.manner = 'held'
    const already = receiver.received.length
    pay(await openPage(world))
    pay(await openPage(world))
    assert.equal(receiver.received.length, already)
    await callbacks.release('newest_first')
    const sent = callbacks.sent.slice(-(receiver.received.length - already)).map(({ signed }) => signed.body)
    assert.deepEqual(
      receiver.received.slice(already).map(({ body }) => body),
      sent.toReversed(),
    )
    await receiver.close()
  }
})

function payAt(world: World): (opened: { url: string }) => void {
  return ({ url }) => world.network.act(url.slice(url.lastIndexOf('/') + 1), 'pay')
}

test('the Stripe stand-in refuses undocumented and missing parameters', async () => {
  const good =
    'mode=payment&ui_mode=hosted_page&success_url=https://a.test&line_items[0][quantity]=1' +
    '&line_items[0][price_data][currency]=gbp&line_items[0][price_data][unit_amount]=100' +
    '&line_items[0][price_data][product_data][name]=x'
  const send = async (body: string, key = stripe.network.secretKey) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/x-www-form-urlencoded' }
    const answer = await fetch(`${stripe.network.url}/v1/checkout/sessions`, {
      method: 'POST',
      headers,
      body,
    })
    const { error } = (await answer.json()) as { error?: { code?: string; type: string; param?: string } }
    return [answer.status, error?.code, error?.param]
  }
  assert.deepEqual(await send(good), [200, undefined, undefined])
  assert.deepEqual(await send(`${good}&amount=1`), [400, 'parameter_unknown', 'amount'])
  assert.deepEqual(await send(good.replace('mode=payment&', '')), [400, 'parameter_missing', 'mode'])
  assert.deepEqual(await send(good.replace('hosted_page', 'hosted')), [400, 'parameter_invalid', 'ui_mode'])
  assert.deepEqual(await send(good.replace('gbp', 'xyz')), [
    400,
    'parameter_invalid',
    'line_items[0][price_data][currency]',
  ])
  assert.deepEqual(await send(good.replace('=100', '=1.5')), [
    400,
    'parameter_invalid',
    'line_items[0][price_data][unit_amount]',
  ])
  assert.deepEqual(await send(`${good}&expires_at=1`), [400, undefined, 'expires_at'])
  assert.deepEqual(await send(good, 'sk_test_other'), [401, undefined, undefined])
})

test('the GoCardless stand-in refuses undocumented fields, a fourth metadata key and an unknown version', async () => {
  const good = { payment_request: { amount: 100, currency: 'GBP' } }
  const send = async (inside: object, version = '2015-07-06') => {
    const headers = {
      authorization: `Bearer ${gocardless.network.accessToken}`,
      'gocardless-version': version,
    }
    const body = JSON.stringify({ billing_requests: inside })
    const answer = await fetch(`${gocardless.network.url}/billing_requests`, {
      method: 'POST',
      headers,
      body,
    })
    const { error } = (await answer.json()) as { error?: { type: string; errors: { field?: string }[] } }
    return [answer.status, error?.type, error?.errors[0]?.field]
  }
  assert.deepEqual(await send(good), [201, undefined, undefined])
  assert.deepEqual(await send({ ...good, amount: 1 }), [422, 'validation_failed', 'amount'])
  assert.deepEqual(await send({}), [422, 'validation_failed', 'payment_request'])
  assert.deepEqual(await send({ ...good, metadata: { a: '', b: '', c: '', d: '' } }), [
    422,
    'validation_failed',
    'metadata',
  ])
  assert.deepEqual(await send({ payment_request: { amount: 100, currency: 'USD' } }), [
    422,
    'validation_failed',
    'payment_request[currency]',
  ])
  assert.deepEqual(await send(good, '2014-01-01'), [400, 'invalid_api_usage', undefined])
})
