import { certificate, authority } from './paypal-certificate.ts'
import type { Order, PayPalAction, PayPalBooks } from './paypal-books.ts'
import {
  captureOrder,
  createOrder,
  createRefund,
  createWebhook,
  lapse,
  listDisputes,
  listTransactions,
  missing,
  readBalances,
  refuse,
  shownCapture,
  shownOrder,
  shownRefund,
  type Sent,
} from './paypal-calls.ts'
import * as fields from './paypal-form.ts'
import { makeId } from './paypal-books.ts'
import { findProblem, readForm, type Fields } from './parameters.ts'
import { drawPage } from './payment-page.ts'
import type { ApiAnswer, ApiRequest, PageAnswer, Rules } from './stand-in.ts'

// Who may call, what a request id remembers, and which call does what.

export type World = {
  readonly clientId: string
  readonly clientSecret: string
  readonly books: PayPalBooks
  readonly url: () => string
  readonly act: (id: string, action: PayPalAction) => void
  readonly tell: (event: string, resource: object) => void
  readonly refundsAre: () => 'COMPLETED' | 'PENDING'
  readonly disputed: (captureId: string) => void
}

export const certificatePath = '/v1/notifications/certs/CERT-360caa42-fca2a594-5edc0ebc'
const tokenLifeSeconds = 32_400
const orderKeysMs = 6 * 3_600_000
const refundKeysMs = 45 * 86_400_000

type Saved = { readonly fingerprint: string; readonly id: string; readonly endsMs: number }

export function makeRules(world: World): Rules {
  const saved = new Map<string, Saved>()
  return {
    page: (request) => pageOf(world, request),
    api(request) {
      if (request.path === '/v1/oauth2/token') return giveToken(world, request)
      const refusal = refuseStranger(world, request)
      if (refusal) return refusal
      const answer = request.method === 'GET' ? readOne(world, request) : makeOne(world, saved, request)
      return { ...answer, body: structuredClone(answer.body) }
    },
    failure: (status) =>
      status === 500
        ? { status, body: { name: 'INTERNAL_SERVER_ERROR', message: 'Sorry', debug_id: 'standin' } }
        : refuse(status, status === 409 ? 'PREVIOUS_REQUEST_IN_PROGRESS' : 'NOT_NOW', 'Not now.'),
  }
}

function giveToken({ clientId, clientSecret, books }: World, { headers, text }: ApiRequest): ApiAnswer {
  const basic = Buffer.from(`${clientId}:${clientSecret}`).toString('base64')
  if (headers['authorization'] !== `Basic ${basic}` || text !== 'grant_type=client_credentials')
    return {
      status: 401,
      body: {
        error: 'invalid_client',
        error_description: `Client Authentication failed ${headers['authorization']}`,
      },
    }
  const access_token = `A21AA${makeId(40)}`
  books.tokens.set(access_token, books.nowMs() + tokenLifeSeconds * 1_000)
  books.tokensMade += 1
  return {
    status: 200,
    body: {
      access_token,
      token_type: 'Bearer',
      expires_in: tokenLifeSeconds,
      app_id: 'APP-80W284485P519543T',
    },
  }
}

function refuseStranger({ books }: World, { headers }: ApiRequest): ApiAnswer | undefined {
  const token = (headers['authorization'] ?? '').replace(/^Bearer /, '')
  if ((books.tokens.get(token) ?? 0) > books.nowMs()) return undefined
  return {
    status: 401,
    body: { error: 'invalid_token', error_description: 'Token signature verification failed' },
  }
}

function readOne({ books, url }: World, { path, query }: ApiRequest): ApiAnswer {
  const allowed = fields.lists[path]
  if (allowed) {
    const problem = problemOf(readForm(query), allowed)
    if (problem) return problem
    if (path === '/v1/reporting/transactions') return listTransactions(books, query)
    if (path === '/v1/reporting/balances') return readBalances(books)
    if (path === '/v1/customer/disputes') return listDisputes(books, query, url())
    return { status: 200, body: { webhooks: [...books.webhooks.values()] } }
  }
  const id = path.slice(path.lastIndexOf('/') + 1)
  if (path.startsWith('/v2/checkout/orders/')) {
    const order = books.orders.get(id)
    if (order) lapse(books, order)
    return shownOrder(books, id, url())
  }
  const refund = path.startsWith('/v2/payments/refunds/') ? books.refunds.get(id) : undefined
  if (refund) return { status: 200, body: shownRefund(refund) }
  const dispute = path.startsWith('/v1/customer/disputes/') ? books.disputes.get(id) : undefined
  return dispute ? { status: 200, body: dispute } : missing()
}

function makeOne(world: World, saved: Map<string, Saved>, request: ApiRequest): ApiAnswer {
  const { books } = world
  const { path, headers, text } = request
  const sent = readJson(text)
  if (headers['content-type'] !== 'application/json' || !sent)
    return refuse(400, 'MALFORMED_REQUEST_JSON', 'The request JSON is not well formed.')
  if (path === '/v1/notifications/webhooks')
    return problemOf(sent, fields.createWebhook) ?? createWebhook(books, sent)
  const key = headers['paypal-request-id']
  if (key === undefined || key.length > 108)
    return refuse(400, 'PAYPAL_REQUEST_ID_REQUIRED', 'A PayPal-Request-Id is required.')
  const before = saved.get(key)
  const fingerprint = `${path} ${text}`
  if (before && before.endsMs > books.nowMs()) {
    if (before.fingerprint !== fingerprint)
      return refuse(422, 'DUPLICATE_REQUEST_ID', 'The request id has already been used.')
    return { ...shownAs(world, path, before.id), status: path.endsWith('/refund') ? 201 : 200 }
  }
  const [made, endsMs] = make(world, path, sent, key)
  if (made.status >= 300) return made
  const { id } = made.body as { id: string }
  saved.set(key, { fingerprint, id, endsMs: books.nowMs() + endsMs })
  return { ...shownAs(world, path, id), status: 201 }
}

function shownAs({ books, url }: World, path: string, id: string): ApiAnswer {
  const refund = path.endsWith('/refund') ? books.refunds.get(id) : undefined
  return refund ? { status: 201, body: shownRefund(refund) } : shownOrder(books, id, url())
}

function make(world: World, path: string, sent: Sent, key: string): [ApiAnswer, number] {
  const { books } = world
  const id = path.split('/').at(-2) ?? ''
  if (path === '/v2/checkout/orders')
    return [problemOf(sent, fields.createOrder) ?? createOrder(books, sent), orderKeysMs]
  if (/^\/v2\/checkout\/orders\/\w+\/capture$/.test(path))
    return [problemOf(sent, fields.captureOrder) ?? captured(world, id, key), orderKeysMs]
  if (/^\/v2\/payments\/captures\/\w+\/refund$/.test(path))
    return [problemOf(sent, fields.createRefund) ?? refunded(world, id, sent), refundKeysMs]
  return [missing(), 0]
}

function captured({ books, tell, disputed }: World, id: string, key: string): ApiAnswer {
  const order = books.orders.get(id)
  if (!order) return missing()
  lapse(books, order)
  const refusal = captureOrder(books, order, key)
  if (refusal) return refusal
  const capture = books.captures.get(order.capture ?? '')
  if (capture) tell(`PAYMENT.CAPTURE.${capture.status}`, shownCapture(capture))
  if (capture && order.willBe === 'dispute') disputed(capture.id)
  return { status: 201, body: { id } }
}

function refunded({ books, tell, refundsAre }: World, id: string, sent: Sent): ApiAnswer {
  const answer = createRefund(books, id, sent, refundsAre())
  const refund = answer.status === 201 ? books.refunds.get((answer.body as { id: string }).id) : undefined
  if (refund) {
    const event = refund.status === 'PENDING' ? 'PAYMENT.REFUND.PENDING' : 'PAYMENT.CAPTURE.REFUNDED'
    tell(event, shownRefund(refund))
  }
  return answer
}

function problemOf(sent: Sent, allowed: Fields): ApiAnswer | undefined {
  const problem = findProblem(sent, allowed)
  if (!problem) return undefined
  const { kind, field, why } = problem
  if (/^[A-Z_]+$/.test(why)) return refuse(422, why, 'Not possible.', field)
  return refuse(
    400,
    kind === 'missing' ? 'MISSING_REQUIRED_PARAMETER' : 'INVALID_PARAMETER_VALUE',
    why,
    field,
  )
}

function readJson(text: string): Sent | undefined {
  try {
    const read: unknown = JSON.parse(text)
    return typeof read === 'object' && read !== null ? (read as Sent) : undefined
  } catch {
    return undefined
  }
}

const choices: readonly { action: PayPalAction; label: string }[] = [
  { action: 'pay', label: 'Pay now' },
  { action: 'pending', label: 'Pay, and PayPal reviews it for days' },
  { action: 'decline', label: 'Pay, and my bank refuses it' },
  { action: 'dispute', label: 'Pay, then dispute the payment' },
  { action: 'cancel', label: 'Cancel and return to the shop' },
]

function pageOf(world: World, request: ApiRequest): PageAnswer | undefined {
  if (request.path === certificatePath) {
    world.books.certificatesRead += 1
    return { html: `${certificate}\n${authority}\n` }
  }
  const order =
    request.path === '/checkoutnow' ? world.books.orders.get(request.query.get('token') ?? '') : undefined
  if (!order) return undefined
  lapse(world.books, order)
  const chosen = request.method === 'POST' ? new URLSearchParams(request.text).get('action') : null
  const action = choices.find((each) => each.action === chosen)?.action
  if (action) world.act(order.id, action)
  if (action === 'cancel') return { location: wayBack(order.cancel_url, order, false) }
  if (order.status === 'APPROVED' || order.status === 'COMPLETED')
    return { location: wayBack(order.return_url, order, true) }
  const isOpen = order.status === 'PAYER_ACTION_REQUIRED'
  return {
    html: drawPage({
      network: 'PayPal',
      title: order.description,
      amount: `${order.amount.value} ${order.amount.currency_code}`,
      lines: order.lines,
      action: `/checkoutnow?token=${order.id}`,
      ...(!isOpen && { notice: 'This order has expired.' }),
      choices: isOpen ? choices : [],
    }),
  }
}

/** PayPal adds names of its own to the address. */
function wayBack(address: string, { id }: Order, isApproved: boolean): string {
  const url = new URL(address)
  url.searchParams.set('token', id)
  if (isApproved) url.searchParams.set('PayerID', 'STANDINPAYER')
  return url.href
}
