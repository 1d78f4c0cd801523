import { createHmac } from 'node:crypto'
import { makeGoCardlessBooks, makeId } from './gocardless-books.ts'
import type {
  BillingRequest,
  Event,
  GoCardlessAction,
  GoCardlessBooks,
  MandateStatus,
  Payment,
  PaymentStatus,
  Payout,
  PayoutStatus,
  Refund,
  RefundEnd,
} from './gocardless-books.ts'
import { makeRules } from './gocardless-rules.ts'
import { startStandIn, type StandIn } from './stand-in.ts'

// GoCardless, as far as we use it, on node:http.

export type GoCardlessStandIn = StandIn & {
  readonly accessToken: string
  readonly books: GoCardlessBooks
  /** How payments stand after a customer approved; `submitted` goes on by `movePayment`. */
  paymentsAre: 'confirmed' | 'submitted'
  /** What a customer does on the page, without a browser. */
  act(flowId: string, action: GoCardlessAction): void
  /** `cause`: why it failed or came back. */
  movePayment(id: string, status: PaymentStatus, cause?: string): void
  /** The customer or their bank ends a mandate. */
  moveMandate(id: string, status: MandateStatus): void
  moveRefund(id: string, status: RefundEnd): void
  /** Pays the merchant out: all that was confirmed, less a fee of half a percent. */
  payOut(): Payout
  movePayout(id: string, status: PayoutStatus): void
  sign(body: string, secret: string): string
}

export type GoCardlessStandInOptions = {
  readonly now?: () => Date
  readonly port?: number
  readonly accessToken?: string
  readonly tls?: { readonly key: string; readonly cert: string }
}

type SendEvent = (
  resource: 'billing_requests' | 'payments' | 'mandates' | 'refunds' | 'payouts',
  action: string,
  id: string,
  cause?: string,
) => void

export async function startGoCardless(options: GoCardlessStandInOptions = {}): Promise<GoCardlessStandIn> {
  const books = makeGoCardlessBooks(options.now ?? ((): Date => new Date()))
  const accessToken = options.accessToken ?? makeId('sandbox_')
  const own = { accessToken, books, sign, paymentsAre: 'confirmed' as GoCardlessStandIn['paymentsAre'] }
  let happenings: ReturnType<typeof makeHappenings> | undefined
  const standIn = await startStandIn((url, callbacks) => {
    const tell: SendEvent = (resource, action, id, cause) => {
      const event = eventOf(books, { resource, action, id, cause })
      books.events.push(event)
      callbacks.tell((secret) => {
        const body = JSON.stringify({ events: [event] })
        return {
          body,
          headers: { 'content-type': 'application/json', 'webhook-signature': sign(body, secret) },
        }
      })
    }
    happenings = makeHappenings(books, tell, () => own.paymentsAre)
    const { act } = happenings
    return makeRules({ accessToken, books, url, act, tell })
  }, options)
  return Object.assign(own, standIn, happenings as ReturnType<typeof makeHappenings>)
}

function makeHappenings(
  books: GoCardlessBooks,
  tell: SendEvent,
  paymentsAre: () => 'confirmed' | 'submitted',
) {
  function confirm(payment: Payment): void {
    payment.status = 'confirmed'
    books.ledger.push({ kind: 'payment', payment: payment.id, amount: payment.amount })
    tell('payments', 'confirmed', payment.id)
  }
  return {
    act: (flowId: string, action: GoCardlessAction): void => {
      const request = books.requests.get(books.flows.get(flowId)?.links.billing_request ?? '')
      // Who is refused by their bank may try again on the page.
      if (request?.status !== 'pending' || action !== 'pay') return
      const { amount, currency, metadata } = request.payment_request
      const payment: Payment = {
        id: makeId('PM'),
        created_at: books.now(),
        amount,
        currency,
        metadata,
        amount_refunded: 0,
        status: 'submitted',
      }
      books.payments.set(payment.id, payment)
      request.links.payment_request_payment = payment.id
      if (request.mandate_request) request.links.mandate_request_mandate = makeMandate(books, request)
      request.status = 'fulfilled'
      tell('billing_requests', 'fulfilled', request.id)
      if (paymentsAre() === 'confirmed') confirm(payment)
    },
    movePayment(id: string, status: PaymentStatus, cause?: string): void {
      const payment = books.payments.get(id)
      if (!payment) throw new Error(`there is no payment ${id}`)
      if (status === 'confirmed') return confirm(payment)
      payment.status = status
      tell('payments', status, id, cause)
    },
    moveMandate(id: string, status: MandateStatus): void {
      const mandate = books.mandates.get(id)
      if (!mandate) throw new Error(`there is no mandate ${id}`)
      mandate.status = status
      tell('mandates', status, id)
    },
    moveRefund(id: string, status: RefundEnd): void {
      const refund = books.refunds.get(id)
      if (!refund) throw new Error(`there is no refund ${id}`)
      refund.status = status
      tell('refunds', status, id)
    },
    ...payingOut(books, tell),
  }
}

function makeMandate(books: GoCardlessBooks, request: BillingRequest): string {
  const id = makeId('MD')
  const metadata = request.mandate_request?.metadata ?? {}
  books.mandates.set(id, { id, created_at: books.now(), metadata, status: 'active' })
  const bank = { bank_name: 'BARCLAYS BANK PLC', account_number_ending: '11' }
  request.resources = { customer_bank_account: bank }
  return id
}

function payingOut(books: GoCardlessBooks, tell: SendEvent) {
  return {
    payOut(): Payout {
      const paid = [...books.payments.values()].filter(({ status }) => status === 'confirmed')
      const items = [
        ...paid.flatMap(({ id, amount }) => [
          { type: 'payment_paid_out', amount: `${amount}.0`, links: { payment: id } },
          { type: 'gocardless_fee', amount: `-${(amount / 200).toFixed(1)}`, links: { payment: id } },
        ]),
        ...refundItems(books),
      ]
      for (const payment of paid) payment.status = 'paid_out'
      // Items have one decimal, and their sum is a whole number of pence.
      const tenths = items.reduce((sum, item) => sum + Math.round(Number(item.amount) * 10), 0)
      const fees = items.filter(({ type }) => type === 'gocardless_fee')
      const id = makeId('PO')
      const payout: Payout = {
        id,
        created_at: books.now(),
        arrival_date: books.now().slice(0, 10),
        amount: Math.round(tenths / 10),
        deducted_fees: Math.round(fees.reduce((sum, { amount }) => sum - Number(amount), 0)),
        currency: 'GBP',
        payout_type: 'merchant',
        reference: `CORNER-${id.slice(-6)}`,
        status: 'pending',
        items,
      }
      books.payouts.set(id, payout)
      return payout
    },
    movePayout(id: string, status: PayoutStatus): void {
      const payout = books.payouts.get(id)
      if (!payout) throw new Error(`there is no payout ${id}`)
      payout.status = status
      tell('payouts', status, id)
    },
  }
}

/** Each once: when it was sent, and when it came home. */
function refundItems(books: GoCardlessBooks) {
  const before = [...books.payouts.values()].flatMap(({ items }) => items)
  return [...books.refunds.values()].flatMap(({ id, amount, status, links: { payment } }) => {
    const sent = { type: 'payment_refunded', amount: `-${amount}.0`, links: { payment, refund: id } }
    const home = { type: 'refund_funds_returned', amount: `${amount}.0`, links: { payment, refund: id } }
    return (isHome(status) ? [sent, home] : [sent]).filter(
      ({ type }) => !before.some((item) => item.type === type && item.links.refund === id),
    )
  })
}

function isHome(status: Refund['status']): boolean {
  return status === 'bounced' || status === 'funds_returned'
}

type Happened = { resource: Parameters<SendEvent>[0]; action: string; id: string; cause: string | undefined }

function eventOf(books: GoCardlessBooks, { resource, action, id, cause }: Happened): Event {
  const named = {
    billing_requests: books.requests,
    payments: books.payments,
    mandates: books.mandates,
    refunds: books.refunds,
  }
  const found = resource === 'payouts' ? undefined : named[resource].get(id)
  const link = resource.slice(0, -1)
  const details = { origin: 'gocardless', cause: cause ?? `${link}_${action}`, description: 'It happened.' }
  return {
    id: makeId('EV'),
    created_at: books.now(),
    resource_type: resource,
    action,
    links: { [link]: id },
    details,
    metadata: {},
    resource_metadata: found?.metadata ?? {},
  }
}

function sign(body: string, secret: string): string {
  return createHmac('sha256', secret).update(body).digest('hex')
}
