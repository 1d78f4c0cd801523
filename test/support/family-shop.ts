import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { call, post } from './house.ts'
import { openReceiver, type Received } from './receiver.ts'

// Shops with clients of our own that decide as plugins for PayChangu and Chapa do. They are careless as those are: a
// reference from the query is put into the address of the look-up as it came, and its first digits are the order.

export type Seen = {
  readonly http: number
  readonly outer: unknown
  readonly data: {
    readonly status?: string
    readonly amount?: string
    readonly meta?: { readonly order_id?: string }
  }
  readonly query: URLSearchParams
}

export type Client = {
  readonly isPaid: (seen: Seen) => boolean
  /** The order that it completes; without this, the number that the reference in the query begins with. */
  readonly orderOf?: (seen: Seen) => string | undefined
  readonly getOnly?: true
  readonly sends?: Readonly<Record<string, unknown>>
  readonly asForm?: true
  /** The customer's browser posts a form with the form key as public_key. */
  readonly byWebForm?: true
  /** Its handler is the return_url, too. */
  readonly oneUrl?: true
  /** It completes orders by its webhook alone, and checks the signature. */
  readonly signed?: true
  /** Safe with any key, as it also reads data.status. */
  readonly readsData?: true
}

const amount = '20.00'
const outer = ({ outer: status }: Seen): boolean => status === 'success'
const customer = { email: 'ada@example.com', first_name: 'Ada', last_name: 'Lovelace' }
const nested = { email: undefined, first_name: undefined, last_name: undefined, customer }

export const clients: Readonly<Record<string, Client>> = {
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
    signed: true,
    readsData: true,
  },
  'Chapa for WooCommerce': {
    isPaid: (seen) => outer(seen) && seen.data.amount === amount,
    byWebForm: true,
    oneUrl: true,
  },
  'Chapa for better-auth': {
    isPaid: (seen) => outer(seen) && seen.query.get('status') === 'success',
    getOnly: true,
    sends: { email: undefined, last_name: undefined },
  },
  'an app on chapa-nodejs': { isPaid: outer, sends: { first_name: undefined, last_name: undefined } },
  'an app on chapa-php': { isPaid: outer, asForm: true, sends: { amount: '1,234.50' } },
  'an app on chapa-laravel': { isPaid: outer, getOnly: true },
  'an app on the Paychangu Laravel SDK': { isPaid: outer, sends: { first_name: '', last_name: '' } },
}

export type Florin = {
  readonly url: string
  readonly key: string
  readonly formKey: string
  readonly webhookKey: string
}
export type Order = {
  readonly id: string
  readonly txRef: string
  readonly merchantId: number
  readonly number: string
}

let count = 1000
const formType = { 'content-type': 'application/x-www-form-urlencoded' }

/**
 * A shop with one plugin. `completed`: its orders, each when the plugin completes it. `again`: orders that the plugin found
 * paid once more.
 */
export async function openShop(client: Client, florin: Florin) {
  const completed: string[] = []
  const again: string[] = []
  const orders = new Set<string>()
  let secret = ''

  async function complete(txRef: string, query: URLSearchParams): Promise<void> {
    const { status: http, json } = await call(`${florin.url}/api/transaction/${txRef}`, { key: florin.key })
    assert.notEqual(http, 429, 'a call that is turned away tries nothing')
    const seen: Seen = { http, outer: json.status, data: json.data ?? {}, query }
    const order = client.orderOf ? client.orderOf(seen) : String(Number.parseInt(txRef, 10))
    if (order === undefined || !orders.has(order) || !client.isPaid(seen)) return
    ;(completed.includes(order) ? again : completed).push(order)
  }

  /** The reference in a webhook that Florin signed. */
  function signedReference({ body, headers }: Received): string | undefined {
    const mine = createHmac('sha256', secret).update(body).digest('hex')
    return headers['signature'] === mine ? (JSON.parse(body) as { tx_ref: string }).tx_ref : undefined
  }

  const receiver = await openReceiver((request, response, received) => {
    const { searchParams: query, pathname } = new URL(request.url ?? '', 'http://shop')
    const isWrongMethod = client.getOnly && request.method !== 'GET'
    if (isWrongMethod || (client.signed && pathname !== '/webhook')) {
      response.writeHead(isWrongMethod ? 404 : 200).end()
      return
    }
    const txRef = client.signed
      ? signedReference(received)
      : (query.get('tx_ref') ?? query.get('trx_ref') ?? '')
    if (txRef === undefined) {
      response.writeHead(400).end()
      return
    }
    const [status, headers] = client.signed ? [200, {}] : [302, { location: '/thanks' }]
    void complete(txRef, query).finally(() => response.writeHead(status, headers).end())
  })
  const webhook = receiver.url.replace('/ipn', '/webhook')
  if (client.signed) {
    const made = await post(`${florin.url}/api/endpoints`, { url: webhook }, florin.webhookKey)
    secret = (made.json.data as { secret: string }).secret
  }

  const create = async (id: string, txRef: string): Promise<Order> =>
    createPayment(client, florin, receiver.url, { id, txRef })

  return {
    completed,
    again,
    close: async () => receiver.close(),
    async order(): Promise<Order> {
      count += 1
      orders.add(String(count))
      return create(String(count), String(count))
    },
    /** The customer pays the same order with a new payment. */
    payAgain: async ({ id }: Order): Promise<Order> => create(id, `${id}-again`),
    async visit(query: string): Promise<void> {
      for (const method of ['GET', 'POST']) await call(`${receiver.url}?${query}`, { method })
    },
    /** A webhook that Florin didn't sign. */
    async forge(txRef: string): Promise<number> {
      const body = JSON.stringify({ event: 'payment.success', status: 'success', tx_ref: txRef })
      const forged = { signature: createHmac('sha256', florin.key).update(body).digest('hex') }
      return (await post(webhook, body, undefined, forged)).status
    },
  }
}

/** As the client sends it. */
async function createPayment(
  { sends, oneUrl, asForm, byWebForm }: Client,
  florin: Florin,
  callback: string,
  { id, txRef }: Pick<Order, 'id' | 'txRef'>,
): Promise<Order> {
  const back = oneUrl ? callback : callback.replace('/ipn', '/cart')
  const urls = { callback_url: callback, return_url: back }
  const fields = { tx_ref: txRef, amount, currency: 'GBP', ...urls, ...customer, ...sends }
  const form = { ...(fields as Record<string, string>), 'meta[order_id]': id }
  const formOf = (more: object): string => new URLSearchParams({ ...form, ...more }).toString()
  if (byWebForm) {
    const body = formOf({ public_key: florin.formKey })
    const { status, headers, text } = await post(`${florin.url}/ext_transfer`, body, undefined, formType)
    assert.equal(status, 303, text)
    return orderAt(headers.get('location') ?? '')
  }
  const made = asForm
    ? await post(`${florin.url}/api/payment`, formOf({}), florin.key, formType)
    : await post(`${florin.url}/api/payment`, { ...fields, meta: { order_id: id } }, florin.key)
  assert.equal(made.status, 201, made.text)
  return orderAt((made.json.data as { checkout_url: string }).checkout_url)

  function orderAt(page: string): Order {
    const digits = page.slice(-32)
    return { id, txRef, merchantId: Number(digits.slice(0, 8)), number: digits.slice(8) }
  }
}
