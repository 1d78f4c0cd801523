import { createHmac } from 'node:crypto'
import { randomText } from '../../../../src/platform/database/random-id.ts'
import { startStandIn, type StandIn } from '../stand-in.ts'
import {
  makePaystackBooks,
  type Dispute,
  type LaterCharge,
  type PaystackAction,
  type PaystackBooks,
  type Refund,
  type RefundStatus,
  type Settlement,
  type SettlementStatus,
  type Transaction,
  type TransactionStatus,
} from './books.ts'
import { bookRefund, shown, shownDispute } from './calls.ts'
import { makeRules } from './rules.ts'
import { keepCard } from './saved.ts'

// Paystack, as far as we use it, on node:http.

export type PaystackStandIn = StandIn &
  ReturnType<typeof makeHappenings> & {
    readonly secretKey: string
    readonly books: PaystackBooks
    /** How refunds stand as soon as they are asked for; `pending` goes on by `moveRefund`. */
    refundsAre: 'pending' | 'processed'
    /** How later charges of saved cards come out. */
    chargesAre: LaterCharge
    sign(body: string, secret: string): string
  }

export type PaystackStandInOptions = {
  readonly now?: () => Date
  readonly port?: number
  readonly secretKey?: string
  readonly tls?: { readonly key: string; readonly cert: string }
}

type SendEvent = (event: string, data: object) => void

export async function startPaystack(options: PaystackStandInOptions = {}): Promise<PaystackStandIn> {
  const books = makePaystackBooks(options.now ?? ((): Date => new Date()))
  const secretKey = options.secretKey ?? `sk_test_${randomText('0123456789abcdef', 40)}`
  const own = {
    secretKey,
    books,
    sign,
    refundsAre: 'pending' as PaystackStandIn['refundsAre'],
    chargesAre: 'success' as LaterCharge,
  }
  let happenings: ReturnType<typeof makeHappenings> | undefined
  const standIn = await startStandIn((url, callbacks) => {
    const tell: SendEvent = (event, data) =>
      callbacks.tell((secret) => {
        const body = JSON.stringify({ event, data })
        return {
          body,
          headers: { 'content-type': 'application/json', 'x-paystack-signature': sign(body, secret) },
        }
      })
    happenings = makeHappenings(books, tell)
    const moods = { refundsAre: () => own.refundsAre, chargesAre: () => own.chargesAre }
    return makeRules({ secretKey, books, url, ...happenings, ...moods })
  }, options)
  return Object.assign(own, standIn, happenings as ReturnType<typeof makeHappenings>)
}

function sign(body: string, secret: string): string {
  return createHmac('sha512', secret).update(body).digest('hex')
}

function makeHappenings(books: PaystackBooks, tell: SendEvent) {
  const transactionOf = (reference: string): Transaction => found(books.transactions, reference)
  function pay(transaction: Transaction, amount = transaction.requested_amount): void {
    transaction.status = 'success'
    transaction.amount = amount
    transaction.paid_at = books.now()
    // A cent of every hundred and a half, as in Nigeria.
    transaction.fees = Math.floor((amount * 3) / 200)
    books.ledger.push({ kind: 'charge', reference: transaction.reference, amount })
    if (transaction.authorization === null) keepCard(books, transaction)
    tell('charge.success', shown(transaction, books))
  }
  return {
    pay: (transaction: Transaction): void => pay(transaction),
    /** What a customer does on the page, without a browser. It takes money once, whenever that is: it can't be closed. */
    act(reference: string, action: PaystackAction): void {
      const transaction = transactionOf(reference)
      const isOpen = ['abandoned', 'failed', 'ongoing'].includes(transaction.status)
      if (!isOpen) return
      if (action === 'pay') pay(transaction)
      if (action === 'refuse') transaction.status = 'failed'
      if (action === 'transfer') transaction.status = 'ongoing'
    },
    /** The transfer of a customer comes in, of this amount. */
    transferComes(reference: string, amount: number): void {
      pay(transactionOf(reference), amount)
    },
    moveTransaction(reference: string, status: TransactionStatus): void {
      if (status === 'success') return pay(transactionOf(reference))
      transactionOf(reference).status = status
    },
    tellRefund(id: string): void {
      const refund = found(books.refunds, id)
      tell(`refund.${refund.status}`, refundEvent(refund))
    },
    moveRefund(id: string, status: RefundStatus): void {
      const refund = found(books.refunds, id)
      if (status === 'failed') {
        const { transaction_reference: reference, amount } = refund
        books.ledger.push({ kind: 'refund_home', reference, amount })
        transactionOf(reference).status = 'success'
      }
      refund.status = status
      tell(`refund.${status}`, refundEvent(refund))
    },
    ...disputing(books, tell),
    ...payingOut(books),
  }
}

function refundEvent({ id, status, transaction_reference, amount, currency }: Refund): object {
  return { id, status, transaction_reference, refund_reference: null, amount: String(amount), currency }
}

function disputing(books: PaystackBooks, tell: SendEvent) {
  return {
    dispute(reference: string): Dispute {
      const { amount, currency } = found(books.transactions, reference)
      const dispute: Dispute = {
        id: books.nextId(),
        reference,
        refund_amount: amount,
        currency,
        category: 'chargeback',
        createdAt: books.now(),
        dueAt: books.later(86_400_000),
        status: 'awaiting-merchant-feedback',
        resolution: null,
      }
      books.disputes.set(String(dispute.id), dispute)
      tell('charge.dispute.create', shownDispute(books, dispute))
      return dispute
    },
    moveDispute(id: number, status: Dispute['status'], resolution: string | null = null): void {
      const dispute = found(books.disputes, String(id))
      dispute.status = status
      dispute.resolution = resolution
      if (resolution?.endsWith('accepted')) {
        const transaction = found(books.transactions, dispute.reference)
        bookRefund(books, transaction, dispute.refund_amount, null, dispute.id)
      }
      if (status === 'resolved') tell('charge.dispute.resolve', shownDispute(books, dispute))
    },
  }
}

function payingOut(books: PaystackBooks) {
  return {
    /** Pays the merchant out: all that was charged in this currency, less the fees and what was refunded. */
    payOut(currency: string): Settlement {
      const isNew = (one: { currency: string; settlement: number | null }): boolean =>
        one.currency === currency && one.settlement === null
      const paid = [...books.transactions.values()].filter((one) => one.paid_at !== null && isNew(one))
      const deducted = [...books.refunds.values()].filter((one) => one.status !== 'failed' && isNew(one))
      const sum = (amounts: readonly number[]): number => amounts.reduce((all, amount) => all + amount, 0)
      const total_processed = sum(paid.map(({ amount }) => amount))
      const total_fees = sum(paid.map(({ fees }) => fees ?? 0))
      const total_amount = total_processed - total_fees
      const settlement: Settlement = {
        id: books.nextId(),
        domain: 'test',
        currency,
        total_processed,
        total_fees,
        total_amount,
        effective_amount: total_amount - sum(deducted.map(({ deducted_amount: each }) => each)),
        settlement_date: `${books.now().slice(0, 10)}T00:00:00.000Z`,
        createdAt: books.now(),
        status: 'pending',
      }
      books.settlements.set(String(settlement.id), settlement)
      for (const each of [...paid, ...deducted]) each.settlement = settlement.id
      return settlement
    },
    movePayout(id: number, status: SettlementStatus): void {
      found(books.settlements, String(id)).status = status
    },
  }
}

function found<T>(all: ReadonlyMap<string, T>, name: string): T {
  const one = all.get(name)
  if (!one) throw new Error(`Paystack knows nothing of the name ${name}`)
  return one
}
