import { randomUUID, sign as signWith } from 'node:crypto'
import { crc32 } from 'node:zlib'
import {
  amountOf,
  makeId,
  makePayPalBooks,
  unitsOf,
  type CaptureStatus,
  type Dispute,
  type Entry,
  type PayPalAction,
  type PayPalBooks,
  type RefundEnd,
} from './paypal-books.ts'
import { bookCapture, shownCapture, shownRefund } from './paypal-calls.ts'
import { signingKey } from './paypal-certificate.ts'
import { certificatePath, makeRules } from './paypal-rules.ts'
import { startStandIn, type StandIn } from './stand-in.ts'

// PayPal, as far as we use it, on node:http.

export type PayPalStandIn = StandIn & {
  readonly clientId: string
  readonly clientSecret: string
  readonly books: PayPalBooks
  refundsAre: 'COMPLETED' | 'PENDING'
  /** What a customer does on the page, without a browser. */
  act(orderId: string, action: PayPalAction): void
  /** A capture under review is decided, or a decided one moves on. */
  moveCapture(id: string, status: CaptureStatus): void
  moveRefund(id: string, status: RefundEnd): void
  /** The approval is taken back by PayPal, as nobody captured it. */
  lapse(orderId: string): void
  disputed(captureId: string): Dispute
  decide(disputeId: string, outcome: string): void
  /** To the merchant's bank. */
  payOut(amount: string, currency: string): Entry
  /** From now on no token is good that was given out before. */
  endTokens(): void
  sign(body: string, webhookId: string, at?: string): Record<string, string>
}

export type PayPalStandInOptions = {
  readonly now?: () => Date
  readonly port?: number
  readonly clientId?: string
  readonly clientSecret?: string
  readonly tls?: { readonly key: string; readonly cert: string }
}

type SendEvent = (event: string, resource: object) => void

export async function startPayPal(options: PayPalStandInOptions = {}): Promise<PayPalStandIn> {
  const books = makePayPalBooks(options.now ?? ((): Date => new Date()))
  const clientId = options.clientId ?? `A${makeId(30)}`
  const clientSecret = options.clientSecret ?? `E${makeId(30)}`
  let happenings: ReturnType<typeof makeHappenings> | undefined
  let address = (): string => ''
  const own = {
    clientId,
    clientSecret,
    books,
    refundsAre: 'COMPLETED' as PayPalStandIn['refundsAre'],
    endTokens: (): void => books.tokens.clear(),
    sign: (body: string, webhookId: string, at = books.now()): Record<string, string> => {
      const id = randomUUID()
      const signed = `${id}|${at}|${webhookId}|${crc32(Buffer.from(body))}`
      return {
        'content-type': 'application/json',
        'paypal-transmission-id': id,
        'paypal-transmission-time': at,
        'paypal-transmission-sig': signWith('sha256', Buffer.from(signed), signingKey).toString('base64'),
        'paypal-cert-url': `${address()}${certificatePath}`,
        'paypal-auth-algo': 'SHA256withRSA',
      }
    },
  }
  const standIn = await startStandIn((url, callbacks) => {
    address = url
    const tell: SendEvent = (event, resource) =>
      callbacks.tell((webhookId) => {
        const body = JSON.stringify(eventOf(books, event, resource))
        return { body, headers: own.sign(body, webhookId) }
      })
    happenings = makeHappenings(books, tell)
    const { act, disputed } = happenings
    const refundsAre = () => own.refundsAre
    return makeRules({ clientId, clientSecret, books, url, act, tell, refundsAre, disputed })
  }, options)
  return Object.assign(own, standIn, happenings as ReturnType<typeof makeHappenings>)
}

function eventOf(books: PayPalBooks, event_type: string, resource: object): object {
  return {
    id: `WH-${makeId()}-${makeId()}`,
    event_version: '1.0',
    resource_version: '2.0',
    create_time: books.now(),
    event_type,
    summary: 'It happened.',
    resource,
  }
}

function makeHappenings(books: PayPalBooks, tell: SendEvent) {
  return {
    act: (orderId: string, action: PayPalAction): void => {
      const order = books.orders.get(orderId)
      if (order?.status !== 'PAYER_ACTION_REQUIRED' || action === 'cancel') return
      order.status = 'APPROVED'
      order.approvedAt = books.nowMs()
      order.willBe = action
      const { id, status, custom_id, amount } = order
      tell('CHECKOUT.ORDER.APPROVED', {
        id,
        status,
        intent: 'CAPTURE',
        purchase_units: [{ custom_id, amount }],
      })
    },
    lapse(orderId: string): void {
      const order = books.orders.get(orderId)
      if (order?.status !== 'APPROVED') return
      order.status = 'VOIDED'
      const units = [{ custom_id: order.custom_id }]
      tell('CHECKOUT.PAYMENT-APPROVAL.REVERSED', { order_id: orderId, purchase_units: units })
    },
    moveCapture(id: string, status: CaptureStatus): void {
      const capture = books.captures.get(id)
      if (!capture) throw new Error(`there is no capture ${id}`)
      const wasPending = capture.status === 'PENDING'
      capture.status = status
      if (wasPending) bookCapture(books, capture)
      tell(
        status === 'COMPLETED' ? 'PAYMENT.CAPTURE.COMPLETED' : 'PAYMENT.CAPTURE.DENIED',
        shownCapture(capture),
      )
    },
    moveRefund(id: string, status: RefundEnd): void {
      const refund = books.refunds.get(id)
      if (!refund) throw new Error(`there is no refund ${id}`)
      refund.status = status
      tell(status === 'COMPLETED' ? 'PAYMENT.CAPTURE.REFUNDED' : 'PAYMENT.REFUND.FAILED', shownRefund(refund))
    },
    ...disputing(books, tell),
    payOut(amount: string, currency: string): Entry {
      const entry: Entry = {
        transaction_id: makeId(),
        transaction_event_code: 'T0400',
        transaction_initiation_date: books.now(),
        transaction_amount: amountOf(-unitsOf({ value: amount, currency_code: currency }), currency),
        transaction_status: 'S',
      }
      books.ledger.push(entry)
      return entry
    },
  }
}

const answerMs = 10 * 86_400_000

function disputing(books: PayPalBooks, tell: SendEvent) {
  return {
    disputed: (captureId: string): Dispute => {
      const capture = books.captures.get(captureId)
      if (!capture) throw new Error(`there is no capture ${captureId}`)
      const dispute: Dispute = {
        dispute_id: `PP-D-${makeId(6)}`,
        create_time: books.now(),
        reason: 'MERCHANDISE_OR_SERVICE_NOT_RECEIVED',
        dispute_amount: capture.amount,
        disputed_transactions: [{ seller_transaction_id: captureId, custom: capture.custom_id }],
        seller_response_due_date: new Date(books.nowMs() + answerMs).toISOString(),
        status: 'WAITING_FOR_SELLER_RESPONSE',
      }
      books.disputes.set(dispute.dispute_id, dispute)
      tell('CUSTOMER.DISPUTE.CREATED', dispute)
      return dispute
    },
    decide(disputeId: string, outcome: string): void {
      const dispute = books.disputes.get(disputeId)
      if (!dispute) throw new Error(`there is no dispute ${disputeId}`)
      dispute.status = 'RESOLVED'
      dispute.dispute_outcome = { outcome_code: outcome }
      const { dispute_amount: amount, disputed_transactions: of } = dispute
      if (outcome === 'RESOLVED_BUYER_FAVOUR') {
        const moved = { type: 'DEBIT', amount, reason: 'DISPUTE_SETTLEMENT' } as const
        dispute.money_movements = [{ affected_party: 'SELLER', ...moved }]
        books.ledger.push({
          transaction_id: makeId(),
          transaction_event_code: 'T1106',
          transaction_initiation_date: books.now(),
          transaction_amount: amountOf(-unitsOf(amount), amount.currency_code),
          transaction_status: 'S',
          ...(of[0] && { paypal_reference_id: of[0].seller_transaction_id }),
        })
      }
      tell('CUSTOMER.DISPUTE.RESOLVED', dispute)
    },
  }
}
