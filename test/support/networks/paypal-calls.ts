import {
  amountOf,
  makeId,
  unitsOf,
  type Amount,
  type Capture,
  type Order,
  type PayPalBooks,
  type Refund,
  type Webhook,
} from './paypal-books.ts'
import type { ApiAnswer } from './stand-in.ts'

// What each call of PayPal's API does, once its fields were found good.

export type Sent = Readonly<Record<string, unknown>>

export function refuse(status: number, issue: string, description: string, field?: string): ApiAnswer {
  const names: Readonly<Record<number, string>> = {
    400: 'INVALID_REQUEST',
    401: 'AUTHENTICATION_FAILURE',
    403: 'NOT_AUTHORIZED',
    404: 'RESOURCE_NOT_FOUND',
    409: 'RESOURCE_CONFLICT',
    422: 'UNPROCESSABLE_ENTITY',
  }
  const details = [{ issue, description, ...(field !== undefined && { field }) }]
  return {
    status,
    body: { name: names[status] ?? 'ERROR', message: description, debug_id: 'standin', details },
  }
}

export function missing(): ApiAnswer {
  return refuse(404, 'INVALID_RESOURCE_ID', 'The specified resource does not exist.')
}

/** An approval that nobody captured is taken back by PayPal. */
const approvalLifeMs = 3 * 3_600_000

export function lapse(books: PayPalBooks, order: Order): boolean {
  const isLate = order.approvedAt !== undefined && books.nowMs() - order.approvedAt > approvalLifeMs
  if (order.status !== 'APPROVED' || !isLate) return false
  order.status = 'VOIDED'
  return true
}

type Unit = {
  readonly amount: Amount & { readonly breakdown?: { item_total?: Amount; discount?: Amount } }
  readonly custom_id?: string
  readonly description?: string
  readonly items?: readonly { name: string; quantity: string; unit_amount: Amount }[]
}

export function createOrder(books: PayPalBooks, sent: Sent): ApiAnswer {
  const [unit] = sent['purchase_units'] as Unit[]
  const context = (sent['payment_source'] as { paypal: { experience_context: Record<string, string> } })
    .paypal.experience_context
  if (!unit) return missing()
  if (!addsUp(unit)) return refuse(422, 'AMOUNT_MISMATCH', 'The breakdown does not equal the amount.')
  if (unitsOf(unit.amount) <= 0n)
    return refuse(422, 'CANNOT_BE_ZERO_OR_NEGATIVE', 'Must be greater than zero.')
  const { currency_code, value } = unit.amount
  const order: Order = {
    id: makeId(),
    amount: { currency_code, value },
    custom_id: unit.custom_id ?? '',
    description: unit.description ?? '',
    lines: (unit.items ?? []).map((item) => `${item.quantity} × ${item.name}: ${item.unit_amount.value}`),
    return_url: context['return_url'] ?? '',
    cancel_url: context['cancel_url'] ?? '',
    create_time: books.now(),
    captureKeys: new Set(),
    status: 'PAYER_ACTION_REQUIRED',
    willBe: 'pay',
  }
  books.orders.set(order.id, order)
  return { status: 201, body: { id: order.id } }
}

function addsUp({ amount, items }: Unit): boolean {
  const { breakdown } = amount
  if (!breakdown) return items === undefined
  const lines = (items ?? []).reduce(
    (sum, { quantity, unit_amount }) => sum + BigInt(quantity) * unitsOf(unit_amount),
    0n,
  )
  const total = breakdown.item_total ? unitsOf(breakdown.item_total) : 0n
  const discount = breakdown.discount ? unitsOf(breakdown.discount) : 0n
  return lines === total && total - discount === unitsOf(amount)
}

/** As PayPal shows it now: what comes again with a request id is told the present state. */
export function shownOrder(books: PayPalBooks, id: string, url: string): ApiAnswer {
  const order = books.orders.get(id)
  if (!order) return missing()
  const captures = [...books.captures.values()].filter(({ order: of }) => of === id)
  const refunds = [...books.refunds.values()].filter(({ capture }) =>
    captures.some((one) => one.id === capture),
  )
  const rel = order.status === 'CREATED' ? 'approve' : 'payer-action'
  const { amount, custom_id, description, status, create_time } = order
  const payments = {
    ...(captures.length > 0 && { captures: captures.map(shownCapture) }),
    ...(refunds.length > 0 && { refunds: refunds.map(shownRefund) }),
  }
  const unit = { reference_id: 'default', amount, custom_id, description, payments }
  const links = [
    { rel: 'self', href: `${url}/v2/checkout/orders/${id}`, method: 'GET' },
    { rel, href: `${url}/checkoutnow?token=${id}`, method: 'GET' },
  ]
  return { status: 200, body: { id, intent: 'CAPTURE', status, create_time, purchase_units: [unit], links } }
}

export function shownCapture({ order, ...capture }: Capture): object {
  return { ...capture, final_capture: true, supplementary_data: { related_ids: { order_id: order } } }
}

export function shownRefund({ capture, ...refund }: Refund): object {
  return { ...refund, links: [{ rel: 'up', href: `https://standin/v2/payments/captures/${capture}` }] }
}

/** Undefined: taken, or being reviewed. */
export function captureOrder(books: PayPalBooks, order: Order, key: string): ApiAnswer | undefined {
  order.captureKeys.add(key)
  if (order.capture !== undefined) return refuse(422, 'ORDER_ALREADY_CAPTURED', 'Order already captured.')
  if (order.status === 'VOIDED') return refuse(422, 'ORDER_EXPIRED', 'The order has expired.')
  if (order.status !== 'APPROVED')
    return refuse(422, 'ORDER_NOT_APPROVED', 'Payer has not yet approved the Order.')
  if (order.willBe === 'decline')
    return refuse(422, 'INSTRUMENT_DECLINED', 'The instrument presented was declined by the bank.')
  const { amount, custom_id } = order
  const status = order.willBe === 'pending' ? 'PENDING' : 'COMPLETED'
  const capture: Capture = {
    id: makeId(),
    order: order.id,
    amount,
    custom_id,
    create_time: books.now(),
    status,
  }
  books.captures.set(capture.id, capture)
  order.capture = capture.id
  order.status = 'COMPLETED'
  bookCapture(books, capture)
  return undefined
}

/** A capture under review is listed from the start, under the day it was made. 2.9 %, rounded down, which is as good as any. */
export function bookCapture(
  books: PayPalBooks,
  { id, amount, custom_id, create_time, status }: Capture,
): void {
  const transaction_status = status === 'COMPLETED' ? 'S' : status === 'PENDING' ? 'P' : 'D'
  const booked = books.ledger.find(({ transaction_id }) => transaction_id === id)
  if (booked) {
    booked.transaction_status = transaction_status
    return
  }
  books.ledger.push({
    transaction_id: id,
    transaction_event_code: 'T0006',
    transaction_initiation_date: create_time,
    transaction_amount: amount,
    fee_amount: amountOf((-unitsOf(amount) * 29n) / 1_000n, amount.currency_code),
    transaction_status,
    custom_field: custom_id,
  })
}

export function createRefund(
  books: PayPalBooks,
  captureId: string,
  sent: Sent,
  status: 'COMPLETED' | 'PENDING',
): ApiAnswer {
  const capture = books.captures.get(captureId)
  if (!capture) return missing()
  const before = [...books.refunds.values()].filter(
    ({ capture: of, status: is }) => of === captureId && isOut(is),
  )
  const refunded = before.reduce((sum, { amount }) => sum + unitsOf(amount), 0n)
  const left = unitsOf(capture.amount) - refunded
  const amount = (sent['amount'] as Amount | undefined) ?? amountOf(left, capture.amount.currency_code)
  if (amount.currency_code !== capture.amount.currency_code)
    return refuse(422, 'REFUND_CURRENCY_MISMATCH', 'Another currency than that of the capture.')
  if (left <= 0n) return refuse(422, 'CAPTURE_FULLY_REFUNDED', 'The capture has already been fully refunded.')
  if (unitsOf(amount) > left) return refuse(422, 'REFUND_AMOUNT_EXCEEDED', 'More than can be refunded.')
  const custom_id = (sent['custom_id'] as string | undefined) ?? ''
  const refund: Refund = {
    id: makeId(),
    capture: captureId,
    amount,
    custom_id,
    create_time: books.now(),
    status,
  }
  books.refunds.set(refund.id, refund)
  capture.status = unitsOf(amount) === left ? 'REFUNDED' : 'PARTIALLY_REFUNDED'
  books.ledger.push({
    transaction_id: refund.id,
    paypal_reference_id: captureId,
    transaction_event_code: 'T1107',
    transaction_initiation_date: books.now(),
    transaction_amount: amountOf(-unitsOf(amount), amount.currency_code),
    transaction_status: 'S',
    custom_field: custom_id,
  })
  return { status: 201, body: { id: refund.id } }
}

function isOut(status: Refund['status']): boolean {
  return status === 'COMPLETED' || status === 'PENDING'
}

export function createWebhook(books: PayPalBooks, sent: Sent): ApiAnswer {
  const { url, event_types } = sent as Pick<Webhook, 'url' | 'event_types'>
  if ([...books.webhooks.values()].some((one) => one.url === url))
    return refuse(400, 'WEBHOOK_URL_ALREADY_EXISTS', 'Webhook URL already exists.')
  const webhook = { id: makeId(), url, event_types }
  books.webhooks.set(webhook.id, webhook)
  return { status: 201, body: webhook }
}

/** The last hours are not ready to be listed from. */
const unreadyMs = 36 * 3_600_000
const transactionsMax = 10_000

export function listTransactions(books: PayPalBooks, query: URLSearchParams): ApiAnswer {
  const [start, end] = [Date.parse(query.get('start_date') ?? ''), Date.parse(query.get('end_date') ?? '')]
  if (end - start > 31 * 86_400_000)
    return refuseSearch('INVALID_REQUEST', 'Date range is greater than 31 days')
  if (start > books.nowMs() - unreadyMs)
    return refuseSearch('INVALID_REQUEST', 'Data for the given start date is not available.')
  const size = Number(query.get('page_size') ?? 100)
  const page = Number(query.get('page') ?? 1)
  const found = books.ledger
    .filter(({ transaction_initiation_date: at }) => Date.parse(at) >= start && Date.parse(at) <= end)
    .toReversed()
  if (found.length > transactionsMax)
    return refuseSearch(
      'RESULTSET_TOO_LARGE',
      'Result set size is greater than the maximum limit. Change the filter criteria and try again.',
    )
  return {
    status: 200,
    body: {
      transaction_details: found
        .slice((page - 1) * size, page * size)
        .map((transaction_info) => ({ transaction_info })),
      page,
      total_items: found.length,
      total_pages: Math.ceil(found.length / size),
    },
  }
}

/** Without details: the sentence says all. */
function refuseSearch(name: string, message: string): ApiAnswer {
  return { status: 400, body: { name, message, debug_id: 'standin', details: [], links: [] } }
}

export function readBalances(books: PayPalBooks): ApiAnswer {
  const sums = new Map<string, bigint>()
  for (const { transaction_amount, fee_amount, transaction_status } of books.ledger) {
    if (transaction_status !== 'S') continue
    const { currency_code } = transaction_amount
    const net = unitsOf(transaction_amount) + (fee_amount ? unitsOf(fee_amount) : 0n)
    sums.set(currency_code, (sums.get(currency_code) ?? 0n) + net)
  }
  const balances = [...sums].map(([currency, sum]) => ({ currency, total_balance: amountOf(sum, currency) }))
  return { status: 200, body: { balances, as_of_time: books.now() } }
}

export function listDisputes(books: PayPalBooks, query: URLSearchParams, url: string): ApiAnswer {
  const since = query.get('start_time') ?? ''
  const size = Number(query.get('page_size') ?? 10)
  const from = Number(query.get('next_page_token') ?? 0)
  const found = [...books.disputes.values()].toReversed().filter(({ create_time }) => create_time >= since)
  const isMore = from + size < found.length
  const next = `${url}/v1/customer/disputes?next_page_token=${from + size}`
  const self = { rel: 'self', href: `${url}/v1/customer/disputes`, method: 'GET' }
  const links = isMore ? [self, { rel: 'next', href: next, method: 'GET' }] : [self]
  const items = found.slice(from, from + size).map(({ dispute_id, status }) => ({ dispute_id, status }))
  return { status: 200, body: { items, links } }
}
