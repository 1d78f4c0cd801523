import { makeId, type BillingRequest, type GoCardlessBooks, type Payment } from './gocardless-books.ts'
import { pageOf } from './parameters.ts'
import type { ApiAnswer } from './stand-in.ts'
import type { Metadata } from './stripe-books.ts'

// What each call of GoCardless' API does, once its fields were found good.

export type Sent = Readonly<Record<string, unknown>>

export function refuse(
  status: number,
  type: 'invalid_api_usage' | 'invalid_state' | 'validation_failed',
  reason: string,
  message: string,
  more: Readonly<Record<string, unknown>> = {},
): ApiAnswer {
  const errors = [{ reason, message, ...more }]
  return { status, body: { error: { message, errors, type, code: status, request_id: 'standin' } } }
}

export function missing(): ApiAnswer {
  return refuse(404, 'invalid_api_usage', 'resource_not_found', 'Resource not found')
}

export function createRequest(books: GoCardlessBooks, sent: Sent): ApiAnswer {
  const { amount, currency, description, metadata } = sent['payment_request'] as {
    amount: number
    currency: string
    description?: string
    metadata?: Metadata
  }
  const mandateRequest = sent['mandate_request'] as { metadata?: Metadata } | undefined
  const request: BillingRequest = {
    id: makeId('BRQ'),
    created_at: books.now(),
    metadata: (sent['metadata'] ?? {}) as Metadata,
    payment_request: { amount, currency, description: description ?? null, metadata: metadata ?? {} },
    mandate_request: mandateRequest ? { metadata: mandateRequest.metadata ?? {} } : null,
    links: {},
    resources: null,
    status: 'pending',
  }
  books.requests.set(request.id, request)
  return { status: 201, body: { billing_requests: request } }
}

export function createFlow(books: GoCardlessBooks, sent: Sent, url: string): ApiAnswer {
  const { billing_request } = sent['links'] as { billing_request: string }
  const request = books.requests.get(billing_request)
  if (!request) return missing()
  if (request.status === 'cancelled' || request.status === 'fulfilled') {
    return refuse(422, 'invalid_state', 'billing_request_not_pending', 'Billing request is not pending')
  }
  const id = makeId('BRF')
  const flow = {
    id,
    authorisation_url: `${url}/flow/${id}`,
    redirect_uri: sent['redirect_uri'] as string,
    exit_uri: sent['exit_uri'] as string,
    links: { billing_request },
  }
  books.flows.set(id, flow)
  return { status: 201, body: { billing_request_flows: flow } }
}

export function cancelRequest(books: GoCardlessBooks, id: string): ApiAnswer {
  const request = books.requests.get(id)
  if (!request) return missing()
  if (request.status !== 'pending' && request.status !== 'ready_to_fulfil') {
    return refuse(422, 'invalid_state', 'cancellation_failed', `Billing request is ${request.status}`)
  }
  request.status = 'cancelled'
  return { status: 200, body: { billing_requests: request } }
}

const ended = ['failed', 'cancelled', 'expired', 'consumed', 'blocked']

/** A debit, which takes days. */
export function createPayment(books: GoCardlessBooks, sent: Sent): ApiAnswer {
  const { mandate: id } = sent['links'] as { mandate: string }
  const mandate = books.mandates.get(id)
  if (!mandate) return missing()
  if (ended.includes(mandate.status))
    return refuse(422, 'invalid_state', 'mandate_is_inactive', `Mandate is ${mandate.status}`)
  const payment: Payment = {
    id: makeId('PM'),
    created_at: books.now(),
    amount: sent['amount'] as number,
    currency: sent['currency'] as string,
    metadata: (sent['metadata'] ?? {}) as Metadata,
    links: { mandate: id },
    amount_refunded: 0,
    status: 'pending_submission',
  }
  books.payments.set(payment.id, payment)
  return { status: 201, body: { payments: payment } }
}

export function cancelMandate(books: GoCardlessBooks, id: string): ApiAnswer {
  const mandate = books.mandates.get(id)
  if (!mandate) return missing()
  if (ended.includes(mandate.status))
    return refuse(422, 'invalid_state', 'cancellation_failed', `Mandate is ${mandate.status}`)
  mandate.status = 'cancelled'
  return { status: 200, body: { mandates: mandate } }
}

export function createRefund(books: GoCardlessBooks, sent: Sent): ApiAnswer {
  const { payment: id } = sent['links'] as { payment: string }
  const payment = books.payments.get(id)
  if (!payment) return missing()
  if (payment.status !== 'confirmed' && payment.status !== 'paid_out') {
    return refuse(422, 'invalid_state', 'refund_payment_invalid_state', `Payment is ${payment.status}`)
  }
  const amount = sent['amount'] as number
  const total = payment.amount_refunded + amount
  if (sent['total_amount_confirmation'] !== total) {
    return refuse(
      422,
      'validation_failed',
      'total_amount_confirmation_invalid',
      'does not match the total amount refunded',
      {
        field: 'total_amount_confirmation',
      },
    )
  }
  if (total > payment.amount) {
    return refuse(422, 'invalid_state', 'refund_amount_too_large', 'More than was paid', { field: 'amount' })
  }
  return {
    status: 201,
    body: { refunds: bookRefund(books, payment, amount, (sent['metadata'] ?? {}) as Metadata) },
  }
}

function bookRefund(books: GoCardlessBooks, payment: Payment, amount: number, metadata: Metadata) {
  payment.amount_refunded += amount
  const refund = {
    id: makeId('RF'),
    created_at: books.now(),
    amount,
    currency: payment.currency,
    metadata,
    links: { payment: payment.id },
    status: 'created' as const,
  }
  books.refunds.set(refund.id, refund)
  books.ledger.push({ kind: 'refund', payment: payment.id, amount: -amount })
  return refund
}

/** The newest first, with GoCardless' cursors; things without an id have their place for one. */
export function listed<T extends object>(
  member: string,
  found: readonly T[],
  query: URLSearchParams,
  fits: (item: T) => boolean = () => true,
): ApiAnswer {
  const names = new Map(found.map((item, place) => [item, 'id' in item ? String(item.id) : `item${place}`]))
  const nameOf = (item: T): string => names.get(item) ?? ''
  const limit = Number(query.get('limit') ?? 50)
  const paging = {
    limit,
    after: query.get('after') ?? undefined,
    before: query.get('before') ?? undefined,
  }
  const page = pageOf(found.toReversed(), nameOf, fits, paging)
  if (!page)
    return refuse(422, 'validation_failed', 'invalid', 'is no cursor of this list', { field: 'after' })
  const [first, last] = [page.items[0], page.items.at(-1)]
  const cursors = {
    before: page.hasEarlier && first ? nameOf(first) : null,
    after: page.hasMore && last ? nameOf(last) : null,
  }
  return { status: 200, body: { [member]: page.items, meta: { cursors, limit } } }
}
