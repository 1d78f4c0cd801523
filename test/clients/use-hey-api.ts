import { client } from './hey-api/client.gen.ts'
import { createPayment, createProject, findTransaction, listTransactions } from './hey-api/sdk.gen.ts'
import type { PaymentEvent, Transaction } from './hey-api/types.gen.ts'

// What a merchant's developer writes with @hey-api/openapi-ts. It is compiled with the project's own compiler,
// strictly, and then run.

const { FLORIN_URL = '', FLORIN_KEY = '', FLORIN_API_KEY = '' } = process.env
client.setConfig({ baseUrl: FLORIN_URL, auth: FLORIN_KEY })

export type Paid = PaymentEvent & { event: 'payment.success' }

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

const order = { currency: 'GBP', email: 'ada@example.com', first_name: 'Ada', last_name: 'Lovelace' }
const created = await createPayment({
  body: { ...order, tx_ref: 'hey-1', amount: '20.00', meta: { cart: 7 } },
})
if (!created.data) throw new Error(created.error.message)
const link: string = created.data.data.checkout_url

const again = await createPayment({ body: { ...order, tx_ref: 'hey-1', amount: 20 } })
const rules: string[] = Object.values(again.error?.errors ?? {}).flat()

const found = await findTransaction({ path: { tx_ref: 'hey-1' } })
if (!found.data) throw new Error(found.error.message)
const cart: unknown = found.data.data.meta['cart']

const listed = await listTransactions({ query: { status: 'pending', limit: 1 } })
const next: string | null | undefined = listed.data?.meta.next_cursor

// An operation that may be reached elsewhere (SEO_URL) is told where.
const project = await createProject({ body: { project: 'Hey' }, auth: FLORIN_API_KEY, baseUrl: FLORIN_URL })
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
