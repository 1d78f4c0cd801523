import assert from 'node:assert/strict'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { after, before, test } from 'node:test'
import { freePort } from '../support/free-port.ts'
import { createKey } from '../../src/core/merchants/change-keys.ts'
import { call, openHouse, post, type House } from '../support/house.ts'
import { openReceiver, type Received } from '../support/receiver.ts'
import { runFlorin, type Ended } from '../support/run-florin.ts'

// `florin doctor` with small shops, as good and as bad as those of real plugins.

let house: House
let worker: { stop(): Promise<void> }
let baseUrl: string
before(async () => {
  const port = await freePort()
  baseUrl = `http://127.0.0.1:${port}`
  house = await openHouse({ settings: { PORT: String(port), BASE_URL: baseUrl } })
  worker = house.app.startWorker()
})
after(async () => {
  await worker.stop()
  await house.close()
})

type Came = { readonly method: string; readonly query: URLSearchParams; readonly fields: URLSearchParams }
type LookUp = { readonly status: string; readonly data?: { readonly status: string } }

/** Says whether a call of the callback pays the order. */
type Plugin = (came: Came, lookUp: () => Promise<LookUp>) => boolean | Promise<boolean>

type Shop = { readonly callback: string; readonly order: string; close(): Promise<void> }

/** A shop with one order, which takes any tx_ref for its own, or one that it has no order for. */
async function openShop(plugin: Plugin, { hasOrder = true } = {}): Promise<Shop> {
  let isPaid = false
  const answer = async (came: Came): Promise<void> => {
    const txRef = came.query.get('tx_ref') ?? came.fields.get('tx_ref') ?? ''
    const lookUp = async () =>
      (await call(`${baseUrl}/api/transaction/${txRef}`, { key: house.secretKey })).json as LookUp
    isPaid ||= hasOrder && (await plugin(came, lookUp))
  }
  const behave = (request: IncomingMessage, response: ServerResponse, received: Received): void => {
    const url = new URL(received.url, baseUrl)
    if (url.pathname === '/order') return void response.end(`<b>${isPaid ? 'Processing' : 'Waiting'}</b>`)
    const came = { method: request.method ?? '', query: url.searchParams, fields: fieldsOf(received) }
    void answer(came).then(
      () => response.end('ok'),
      () => response.writeHead(500).end(),
    )
  }
  const receiver = await openReceiver(behave)
  return {
    callback: receiver.url,
    order: new URL('/order', receiver.url).href,
    close: () => receiver.close(),
  }
}

function fieldsOf({ headers, body }: Received): URLSearchParams {
  if (!headers['content-type']?.includes('json')) return new URLSearchParams(body)
  return new URLSearchParams(
    Object.entries(JSON.parse(body) as object).map(([name, value]) => [name, String(value)]),
  )
}

const isDataPaid = ({ data }: LookUp): boolean => data?.status === 'success'

async function check(shop: Shop, ...more: string[]): Promise<Ended> {
  const args = ['--plugin', shop.callback, '--order', shop.order, '--paid', 'Processing', '--wait', '0']
  return runFlorin(['doctor', ...args, ...more], { BASE_URL: baseUrl, FLORIN_KEY: house.secretKey })
}

test('a shop that looks the payment up and reads data.status is safe and works', async (t) => {
  const shop = await openShop(async (_, lookUp) => isDataPaid(await lookUp()))
  t.after(() => shop.close())
  const { code, out, err } = await check(shop, '--tx-ref', 'order-safe', '--amount', '12.50')
  assert.equal(code, 0, err)
  assert.match(out, /^Payment {2}order-safe, GBP 12\.50, unpaid, at http/)
  assert.match(out, /^Key {6}without a dialect/m)
  assert.equal(out.match(/ 200 ok +open$/gm)?.length, 5)
  assert.match(out, /After the payment\nFlorin notifies the shop {2}200 ok {2}completed\n/)
  assert.match(
    out,
    /\nSafe: no call completed the unpaid order\.\nWorks: the shop completed the paid order after this call: Florin notifies the shop\.\n$/,
  )
})

const unsafe: Readonly<Record<string, readonly [Plugin, string, RegExp]>> = {
  'a shop that trusts the outer status of the look-up': [
    async (_, lookUp) => (await lookUp()).status === 'success',
    'a customer comes back without paying',
    /the outer status of the look-up/,
  ],
  'a shop that trusts status in the address': [
    ({ query }) => query.get('status') === 'success',
    'a customer types status=success',
    /It trusts the address/,
  ],
  'a shop that trusts the fields of a form': [
    ({ method, fields }) => method === 'POST' && fields.get('status') === 'success',
    'a stranger sends a form',
    /It trusts the fields of a form/,
  ],
  'a shop that trusts any notification': [
    ({ fields }) => fields.get('event') === 'payment.success',
    'a stranger sends a notification without a signature',
    /notifications without a signature/,
  ],
}
for (const [name, [plugin, call_, mistake]] of Object.entries(unsafe))
  test(`${name} is unsafe, and doctor names the call that completed the unpaid order`, async (t) => {
    const shop = await openShop(plugin)
    t.after(() => shop.close())
    const { code, out } = await check(shop)
    assert.equal(code, 1)
    assert.match(
      out,
      new RegExp(`\n${call_} +200 ok +completed\n\nUNSAFE: .* after this call: ${call_}\\.\n`),
    )
    assert.match(out, mistake)
    assert.match(out, /Not tried: whether it completes a paid order\./)
  })

test('a shop that wants a signature but doesn’t check it is unsafe', async (t) => {
  const received: { headers: Record<string, string> }[] = []
  const shop = await openReceiver((_, response, one) => {
    if (one.url !== '/order') received.push(one)
    response.end(received.some(({ headers }) => headers['signature']) ? 'Processing' : 'Waiting')
  })
  t.after(() => shop.close())
  const { code, out } = await check({ ...shop, callback: shop.url, order: new URL('/order', shop.url).href })
  assert.equal(code, 1)
  assert.match(out, /UNSAFE: .* after this call: a stranger signs a notification wrongly\./)
})

test('a shop that ignores POST leaves a paid order open', async (t) => {
  const shop = await openShop(async ({ method }, lookUp) => method === 'GET' && isDataPaid(await lookUp()))
  t.after(() => shop.close())
  const { code, out } = await check(shop, '--tx-ref', 'order-get-only')
  assert.equal(code, 1)
  assert.match(out, /this proves little\.\nBROKEN: the shop left a paid order open\.\n$/)
})

test('a redirect is accepted from plugins of the family only, and pages are shown as their words', async (t) => {
  const shop = await openReceiver((request, response) => {
    const isNotification = request.headers['signature'] !== undefined
    response.writeHead(isNotification ? 302 : 200, { ...(isNotification && { location: '/thanks' }) })
    response.end('<!doctype html>\n<h1>Thank\n you</h1>')
  })
  t.after(() => shop.close())
  const family = { kind: 'secret', name: 'Plugin', dialect: 'family' } as const
  const { key } = await createKey(house.db, house.merchantId, family)
  const place = { ...shop, callback: shop.url, order: shop.url }
  const taken = await check(place, '--tx-ref', 'order-family', '--key', key)
  assert.match(taken.out, /a customer types status=success +200 Thank you +open\n/)
  assert.match(taken.out, /BROKEN: the shop left a paid order open\.\n$/)
  const refused = await check(place, '--tx-ref', 'order-plain')
  assert.match(refused.out, /BROKEN: .*\nIt did not accept the notification: see its answer above\.\n$/)
})

test('a payment that the shop made is checked, and one that is paid is refused', async (t) => {
  const shop = await openShop(async (_, lookUp) => isDataPaid(await lookUp()))
  t.after(() => shop.close())
  const body = {
    tx_ref: 'order-of-shop',
    amount: '7.00',
    currency: 'GBP',
    email: 'ada@example.com',
    first_name: 'Ada',
    last_name: 'Lovelace',
    callback_url: shop.callback,
  }
  assert.equal((await post(`${baseUrl}/api/payment`, body, house.secretKey)).status, 201)
  const first = await check(shop, '--tx-ref', 'order-of-shop', '--json')
  assert.equal(first.code, 0, first.err)
  const found = JSON.parse(first.out) as Record<string, unknown>
  assert.deepEqual(
    [found['tx_ref'], found['unpaid'], found['paid'], found['completed_by']],
    ['order-of-shop', 'open', 'completed', 'Florin notifies the shop'],
  )
  const again = await check(shop, '--tx-ref', 'order-of-shop')
  assert.deepEqual([again.code, again.out], [69, ''])
  assert.match(again.err, /The payment order-of-shop is success: take one that nobody has paid yet/)
  const other = await check(shop)
  assert.equal(other.code, 69)
  assert.match(other.err, /already shows this order as paid/)
})

test('doctor says what it couldn’t know', async (t) => {
  const shop = await openShop(async (_, lookUp) => isDataPaid(await lookUp()), { hasOrder: false })
  t.after(() => shop.close())
  const orphan = await check(shop)
  assert.equal(orphan.code, 69)
  assert.match(orphan.out, /this proves little\.\nDoctor made this payment, so the shop may have no order/)
  const unseen = await runFlorin(['doctor', '--plugin', shop.callback, '--wait', '0'], {
    BASE_URL: baseUrl,
    FLORIN_KEY: house.secretKey,
  })
  assert.equal(unseen.code, 69)
  assert.equal(unseen.out.match(/ 200 ok +not seen$/gm)?.length, 6)
  assert.match(
    unseen.out,
    /\nNot known: whether the shop completed an order, paid or unpaid\..*\nDoctor made this payment/,
  )
})

test('doctor refuses what it can’t work with', async (t) => {
  const shop = await openShop(() => false)
  t.after(() => shop.close())
  const missing = await check({ ...shop, order: `${shop.order}s/404` }, '--order', `${baseUrl}/nowhere`)
  assert.deepEqual([missing.code, missing.err.split('\n')[0]?.includes('answered 404')], [69, true])
  const gone = await check({ ...shop, callback: `http://127.0.0.1:${await freePort()}/callback` })
  assert.equal(gone.code, 69)
  assert.match(gone.err, /The plugin at http:\S+\/callback gave no answer \(ECONNREFUSED\)/)
  for (const [args, rule] of [
    [[], /--plugin is required/],
    [['--plugin', 'shop'], /--plugin must be a URL/],
    [['--plugin', shop.callback, '--order', shop.order], /--order needs --paid/],
    [['--plugin', shop.callback, '--paid', 'Processing'], /--order is required/],
    [['--plugin', shop.callback, '--wait', '601'], /--wait must be 0 to 600 seconds/],
    [['--plugin', shop.callback, '--key', house.liveKey], /must be a secret key for test mode/],
  ] as const) {
    const { code, err } = await runFlorin(['doctor', ...args], {
      BASE_URL: baseUrl,
      FLORIN_KEY: house.secretKey,
    })
    assert.equal(code, 64, err)
    assert.match(err, rule)
  }
})
