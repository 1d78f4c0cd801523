import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createKey } from '../../src/core/merchants/change-keys.ts'
import { call, openHouse, post, type House } from '../support/house.ts'
import { happens } from '../support/pay.ts'
import { openReceiver } from '../support/receiver.ts'
import { waitUntil } from '../support/wait-until.ts'

// Clients of our own that decide as plugins for PayChangu and Chapa do. With a key of the dialect none of them completes an
// order that is not paid, whatever is typed into the callback's address.

type Seen = {
  readonly http: number
  readonly outer: unknown
  readonly data: {
    readonly status?: string
    readonly amount?: string
    readonly meta?: { readonly order_id?: string }
  }
  readonly query: URLSearchParams
}
type Client = {
  readonly isPaid: (seen: Seen) => boolean
  /** The order that it completes; without this, the order whose reference is in the query. */
  readonly orderOf?: (seen: Seen) => string | undefined
  readonly getOnly?: true
  readonly sends?: Readonly<Record<string, unknown>>
  readonly asForm?: true
  /** Its handler is the return_url, too. */
  readonly oneUrl?: true
  /** Safe with any key, as it also reads data.status. */
  readonly readsData?: true
}

const amount = '20.00'
const outer = ({ outer: status }: Seen): boolean => status === 'success'
const customer = { email: 'ada@example.com', first_name: 'Ada', last_name: 'Lovelace' }
const nested = { email: undefined, first_name: undefined, last_name: undefined, customer }

const clients: Readonly<Record<string, Client>> = {
  'PayChangu for WooCommerce': {
    isPaid: (seen) =>
      seen.http === 200 && outer(seen) && Number(seen.data.amount?.replaceAll(',', '')) === 20,
    orderOf: ({ data }) => data.meta?.order_id,
    sends: { amount: 20 },
  },
  'PayChangu for GiveWP': { isPaid: outer, getOnly: true },
  'PayChangu for WHMCS': {
    isPaid: (seen) => outer(seen) && seen.data.status === 'success',
    sends: nested,
    readsData: true,
  },
  'PayChangu for aMember': {
    isPaid: (seen) =>
      outer(seen) && seen.data.status === 'success' && Number.parseFloat(seen.data.amount ?? '') >= 20,
    sends: { amount: 20 },
    readsData: true,
  },
  'Chapa for WooCommerce': { isPaid: (seen) => outer(seen) && seen.data.amount === amount, oneUrl: true },
  'Chapa for better-auth': {
    isPaid: (seen) => outer(seen) && seen.query.get('status') === 'success',
    getOnly: true,
    sends: { email: undefined, last_name: undefined },
  },
  'an app on chapa-nodejs': { isPaid: outer, sends: { first_name: undefined, last_name: undefined } },
  'an app on chapa-php': { isPaid: outer, asForm: true },
  'an app on chapa-laravel': { isPaid: outer, getOnly: true },
  'an app on the Paychangu Laravel SDK': { isPaid: outer, sends: { first_name: '', last_name: '' } },
}

// Hundreds of look-ups of what doesn't exist, by one key.
const busy = { RATE_LIMIT_PER_SECOND: '10000', RATE_LIMIT_BURST: '10000', MISS_LIMIT_PER_SECOND: '10000' }

let house: House
const keys: Record<'family' | 'florin', string> = { family: '', florin: '' }
let count = 0
let turnedAway = 0

before(async () => {
  house = await openHouse({ settings: busy })
  for (const dialect of ['family', 'florin'] as const)
    keys[dialect] = (
      await createKey(house.db, house.merchantId, { kind: 'secret', name: dialect, dialect })
    ).key
})
after(async () => {
  assert.equal(turnedAway, 0, 'a call that is turned away tries nothing')
  await house.close()
})

type Order = { readonly txRef: string; readonly merchantId: number; readonly number: string }

/** A shop with one plugin. `completed`: its orders, each time the plugin completes one. */
async function openShop(client: Client, key: string) {
  const completed: string[] = []
  const orders = new Set<string>()
  async function complete(txRef: string, query: URLSearchParams): Promise<void> {
    const { status: http, json } = await call(`${house.url}/api/transaction/${txRef}`, { key })
    if (http === 429) turnedAway += 1
    const seen: Seen = { http, outer: json.status, data: json.data ?? {}, query }
    const order = client.orderOf ? client.orderOf(seen) : txRef
    // A shop has only orders of its own, by their whole reference.
    const isOpen = order !== undefined && orders.has(order) && !completed.includes(order)
    if (isOpen && client.isPaid(seen)) completed.push(order)
  }
  const receiver = await openReceiver((request, response) => {
    if (client.getOnly && request.method !== 'GET') {
      response.writeHead(404).end()
      return
    }
    const { searchParams: query } = new URL(request.url ?? '', 'http://shop')
    const txRef = query.get('tx_ref') ?? query.get('trx_ref') ?? ''
    // Careless, as plugins are: the reference is put into the address as it came.
    void complete(txRef, query).finally(() => response.writeHead(302, { location: '/thanks' }).end())
  })
  return {
    completed,
    close: async () => receiver.close(),
    async order(): Promise<Order> {
      count += 1
      const txRef = `family-${count}`
      const common = { tx_ref: txRef, amount, currency: 'GBP', callback_url: receiver.url, ...customer }
      const urls = { return_url: client.oneUrl ? receiver.url : receiver.url.replace('/ipn', '/cart') }
      const fields = { ...common, ...urls, meta: { order_id: txRef }, ...client.sends }
      const { meta: _, ...flat } = fields
      const body = new URLSearchParams({
        ...(flat as Record<string, string>),
        'meta[order_id]': txRef,
      }).toString()
      const type = { 'content-type': 'application/x-www-form-urlencoded' }
      const made = client.asForm
        ? await post(`${house.url}/api/payment`, body, key, type)
        : await post(`${house.url}/api/payment`, fields, key)
      assert.equal(made.status, 201, made.text)
      orders.add(txRef)
      const digits = (made.json.data as { checkout_url: string }).checkout_url.slice(-32)
      return { txRef, merchantId: Number(digits.slice(0, 8)), number: digits.slice(8) }
    },
    async visit(query: string): Promise<void> {
      for (const method of ['GET', 'POST']) await call(`${receiver.url}?${query}`, { method })
    },
  }
}

/** What customers type: their own order, made to look paid, paths beside it, and another order that is paid. */
function typed(txRef: string, paid: string): string[] {
  const beside = [
    '/notifications',
    '/refunds',
    '/../../account',
    '/../../transactions',
    '?status=success',
    '#',
    '/.',
    '/',
  ]
  const references = [txRef, ...beside.map((end) => txRef + end), '../account', '../transactions', '', paid]
  return references.flatMap((reference) => {
    const written = encodeURIComponent(reference)
    return [
      `tx_ref=${written}`,
      `trx_ref=${written}&status=success`,
      `tx_ref=${written}&trx_ref=${encodeURIComponent(paid)}&status=success&order_id=${txRef}`,
      `tx_ref=${encodeURIComponent(written)}&status=success`,
    ]
  })
}

const unpaid = [undefined, 'cancelled_by_customer', 'attempts_used_up', 'ran_out_of_time'] as const

for (const [name, client] of Object.entries(clients)) {
  test(`${name}: with the dialect only paid orders are completed, once, in whatever order calls arrive`, async () => {
    const shop = await openShop(client, keys.family)
    const returnsFirst = await shop.order()
    await happens(house, returnsFirst, 'paid')
    const visit = `tx_ref=${returnsFirst.txRef}&trx_ref=${returnsFirst.txRef}&status=success`
    await shop.visit(visit)
    assert.deepEqual(shop.completed, [returnsFirst.txRef], 'the customer returns before the notification')

    const worker = house.app.startWorker()
    for (const event of unpaid) {
      const order = await shop.order()
      if (event) await happens(house, order, event)
      for (const query of typed(order.txRef, returnsFirst.txRef)) await shop.visit(query)
      assert.deepEqual(shop.completed, [returnsFirst.txRef], event ?? 'unpaid')
    }
    const calledFirst = await shop.order()
    await happens(house, calledFirst, 'paid')
    await waitUntil('the notification completes the order', async () => shop.completed.length === 2)
    await shop.visit(visit.replaceAll(returnsFirst.txRef, calledFirst.txRef))
    assert.deepEqual(shop.completed, [returnsFirst.txRef, calledFirst.txRef])
    await worker.stop()
    await shop.close()
  })
}

test('the control: without the dialect each client that reads only the envelope completes an unpaid order', async () => {
  for (const [name, client] of Object.entries(clients)) {
    const shop = await openShop({ ...client, sends: {} }, keys.florin)
    const { txRef } = await shop.order()
    await shop.visit(`tx_ref=${txRef}&trx_ref=${txRef}&status=success`)
    assert.deepEqual(shop.completed, client.readsData ? [] : [txRef], name)
    await shop.close()
  }
})
