import createClient from 'openapi-fetch'
import type { components, paths, webhooks } from './florin.d.ts'

// What a merchant's developer writes with openapi-typescript and openapi-fetch. It is compiled with the project's own
// compiler, strictly, and then run.

const { FLORIN_URL = '', FLORIN_KEY = '', FLORIN_API_KEY = '' } = process.env
const shop = createClient<paths>({ baseUrl: FLORIN_URL, headers: { authorization: `Bearer ${FLORIN_KEY}` } })
const projects = createClient<paths>({
  baseUrl: FLORIN_URL,
  headers: { authorization: `Bearer ${FLORIN_API_KEY}` },
})

type Transaction = components['schemas']['Transaction']
export type Paid = webhooks['payment.success']['post']['requestBody']['content']['application/json']

function words(transaction: Transaction): string {
  switch (transaction.status) {
    case 'pending':
      return transaction.checkout_url ?? 'closed'
    case 'success':
      return `${transaction.amount} ${transaction.currency}`
    case 'failed':
    case 'cancelled':
    case 'expired':
      return 'no money was taken'
    case 'refunded':
    case 'reversed':
      return transaction.refunded ?? 'gone'
    default:
      return transaction.status // open: more may be added
  }
}

const created = await shop.POST('/api/payment', {
  body: {
    tx_ref: 'fetch-1',
    amount: '20.00',
    currency: 'GBP',
    email: 'ada@example.com',
    first_name: 'Ada',
    last_name: 'Lovelace',
    meta: { cart: 7, gift: { wrapped: true } },
  },
})
if (!created.data) throw new Error(created.error.message)
const link: string = created.data.data.checkout_url

const again = await shop.POST('/api/payment', {
  body: {
    tx_ref: 'fetch-1',
    amount: 20,
    currency: 'GBP',
    email: 'ada@example.com',
    first_name: 'Ada',
    last_name: 'Lovelace',
  },
})
const rules: string[] = Object.values(again.error?.errors ?? {}).flat()

const found = await shop.GET('/api/transaction/{tx_ref}', { params: { path: { tx_ref: 'fetch-1' } } })
if (!found.data) throw new Error(found.error.message)
const cart: unknown = found.data.data.meta['cart']

const listed = await shop.GET('/api/transactions', { params: { query: { status: 'pending', limit: 1 } } })
const next: string | null | undefined = listed.data?.meta.next_cursor

const project = await projects.POST('/api/v1/projects', { body: { project: 'Fetch' } })
const named: string | undefined = project.data?.data.project

process.stdout.write(
  JSON.stringify({
    isSame: words(found.data.data) === link,
    cart,
    code: again.error?.code,
    rules,
    listed: listed.data?.data.map((each) => each.tx_ref),
    next,
    named,
  }),
)
