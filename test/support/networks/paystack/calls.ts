import { randomText } from '../../../../src/platform/database/random-id.ts'
import type { ApiAnswer } from '../stand-in.ts'
import type { Dispute, PaystackBooks, Refund, Transaction } from './books.ts'

// What each call of Paystack's API does, once its fields were found good.

export type Sent = Readonly<Record<string, unknown>>

export function refuse(status: number, code: string, message: string): ApiAnswer {
  const body = { status: false, message, meta: { nextStep: 'Try again' }, type: 'validation_error', code }
  return { status, body }
}

export function done(message: string, data: unknown, meta?: object): ApiAnswer {
  return { status: 200, body: { status: true, message, data, ...(meta && { meta }) } }
}

const least: Readonly<Record<string, number>> = {
  NGN: 5_000,
  GHS: 10,
  KES: 300,
  ZAR: 100,
  USD: 200,
  XOF: 100,
}
const most = 1_000_000_000
/** Only these channels exist in a country. */
const channels: Readonly<Record<string, readonly string[]>> = {
  NGN: ['card', 'bank', 'ussd', 'qr', 'bank_transfer'],
  GHS: ['card', 'mobile_money'],
  KES: ['card', 'mobile_money'],
  ZAR: ['card', 'eft', 'qr'],
  USD: ['card'],
  XOF: ['card', 'mobile_money'],
}

export function initialize(books: PaystackBooks, sent: Sent, url: string): ApiAnswer {
  const amount = sent['amount'] as number
  const currency = (sent['currency'] ?? 'NGN') as string
  const reference = (sent['reference'] ?? randomText('abcdefghijkmnpqrstuvwxyz', 10)) as string
  if (books.transactions.has(reference))
    return refuse(400, 'duplicate_reference', 'Duplicate Transaction Reference')
  const chosen = (sent['channels'] ?? channels[currency]) as readonly string[]
  if (!chosen.every((channel) => channels[currency]?.includes(channel)))
    return refuse(400, 'invalid_params', 'No active channel')
  const isTransfer = chosen.includes('bank_transfer') && amount < 10_000
  if (amount < (least[currency] ?? 0) || isTransfer)
    return refuse(400, 'invalid_amount', `The minimum amount for ${currency} is higher`)
  if (amount > most) return refuse(400, 'amount_limit_exceeded', 'Transaction amount limit exceeded')
  const transaction = newTransaction(books, { ...sent, currency, reference, channels: chosen })
  return done('Authorization URL created', {
    authorization_url: `${url}/pay/${transaction.access_code}`,
    access_code: transaction.access_code,
    reference,
  })
}

export function newTransaction(books: PaystackBooks, sent: Sent): Transaction {
  const transaction: Transaction = {
    id: books.nextId(),
    domain: 'test',
    reference: sent['reference'] as string,
    access_code: randomText('abcdefghijkmnpqrstuvwxyz0123456789', 15),
    requested_amount: sent['amount'] as number,
    amount: sent['amount'] as number,
    currency: sent['currency'] as string,
    email: sent['email'] as string,
    channels: sent['channels'] as readonly string[],
    callback_url: (sent['callback_url'] ?? '') as string,
    metadata: (sent['metadata'] ?? {}) as Transaction['metadata'],
    created_at: books.now(),
    gateway_response: null,
    authorization: null,
    paused: false,
    paid_at: null,
    fees: null,
    status: 'abandoned',
    settlement: null,
  }
  books.transactions.set(transaction.reference, transaction)
  return transaction
}

/** Neither the page nor its code is ever told again. */
export function shown(transaction: Transaction, books?: PaystackBooks) {
  const { access_code: _, callback_url: __, settlement: ___, email, channels: asked, ...more } = transaction
  return {
    ...more,
    paidAt: transaction.paid_at,
    channel: asked[0],
    gateway_response:
      transaction.gateway_response ??
      (transaction.status === 'success' ? 'Successful' : 'The transaction was not completed'),
    customer: { id: 1, email, customer_code: 'CUS_standin' },
    log: null,
    authorization: books?.authorizations.get(transaction.authorization ?? '')?.card ?? {},
  }
}

export function verify(books: PaystackBooks, reference: string): ApiAnswer {
  const found = books.transactions.get(decodeURIComponent(reference))
  return found
    ? done('Verification successful', shown(found, books))
    : refuse(400, 'transaction_not_found', 'Transaction reference not found.')
}

export function createRefund(
  books: PaystackBooks,
  sent: Sent,
  status: Refund['status'] = 'pending',
): ApiAnswer {
  const named = sent['transaction'] as string
  const found =
    books.transactions.get(named) ?? [...books.transactions.values()].find(({ id }) => String(id) === named)
  if (!found) return refuse(404, 'transaction_not_found', 'Transaction not found')
  if (found.status === 'reversed')
    return refuse(400, 'transaction_reversed', 'Transaction has been fully reversed')
  if (found.status !== 'success') return refuse(400, 'invalid_transaction', 'Transaction was not successful')
  const currency = sent['currency'] ?? found.currency
  if (currency !== found.currency) return refuse(400, 'invalid_currency', 'Currency mismatch')
  const before = refundsOf(books, found.reference).reduce((sum, { amount }) => sum + amount, 0)
  const amount = (sent['amount'] ?? found.amount - before) as number
  if (before + amount > found.amount)
    return refuse(400, 'invalid_amount', 'Refund amount cannot be more than the transaction amount')
  const refund = bookRefund(books, found, amount, (sent['merchant_note'] ?? null) as string | null)
  refund.status = status
  return done('Refund has been queued for processing', {
    ...shownRefund(books, refund),
    transaction: shown(found),
    settlement: undefined,
  })
}

export function shownRefund(books: PaystackBooks, refund: Refund): object {
  const found = books.transactions.get(refund.transaction_reference)
  return {
    ...refund,
    integration: 463_433,
    domain: 'test',
    refunded_at: refund.status === 'processed' ? books.now() : null,
    refunded_by: 'merchant@example.com',
    customer_note: 'Refund for transaction',
    fully_deducted: 1,
    bank_reference: null,
    reason: 'PORTAL_REFUND',
    customer: { id: 1, email: found?.email },
    refund_type: 'full',
    transaction_amount: found?.amount ?? 0,
    initiated_by: 'merchant@example.com',
    refund_channel: 'migs',
    session_id: null,
    collect_account_number: false,
  }
}

export function refundsOf({ refunds }: PaystackBooks, reference: string): Refund[] {
  return [...refunds.values()].filter(
    (each) => each.transaction_reference === reference && each.status !== 'failed',
  )
}

export function bookRefund(
  books: PaystackBooks,
  found: Transaction,
  amount: number,
  merchant_note: string | null,
  dispute: number | null = null,
): Refund {
  const refund: Refund = {
    id: books.nextId(),
    transaction: found.id,
    transaction_reference: found.reference,
    amount,
    deducted_amount: amount,
    currency: found.currency,
    merchant_note,
    createdAt: books.now(),
    dispute,
    settlement: null,
    status: 'pending',
  }
  books.refunds.set(String(refund.id), refund)
  books.ledger.push({ kind: 'refund', reference: found.reference, amount: -amount })
  const back = refundsOf(books, found.reference).reduce((sum, each) => sum + each.amount, 0)
  if (back === found.amount) found.status = 'reversed'
  return refund
}

export function shownDispute(books: PaystackBooks, dispute: Dispute) {
  const { reference, ...more } = dispute
  const found = books.transactions.get(reference)
  return {
    ...more,
    domain: 'test',
    transaction: found && shown(found),
    transaction_reference: null,
    customer: { id: 1 },
    bin: '408408',
    last4: '4081',
    resolvedAt: dispute.status === 'resolved' ? books.now() : null,
    updatedAt: books.now(),
    evidence: null,
    attachments: null,
    note: null,
    history: [],
    messages: [],
  }
}

/** The newest first, by page numbers. Every name but those in `knows` is ignored. */
export function listed<T extends object>(
  found: readonly T[],
  query: URLSearchParams,
  timeOf: (item: T) => string,
  knows: { readonly size: 'perPage' | 'per_page'; readonly from: boolean },
): ApiAnswer {
  const perPage = Number(query.get(knows.size) ?? 50)
  const page = Number(query.get('page') ?? 1)
  const [from, to] = knows.from ? [query.get('from') ?? '', query.get('to') ?? '9'] : ['', '9']
  const fitting = found.filter((item) => timeOf(item) >= from && timeOf(item) <= to).toReversed()
  const skipped = (page - 1) * perPage
  const pageCount = Math.ceil(fitting.length / perPage)
  const meta = { total: fitting.length, skipped, perPage, page, pageCount }
  return done('Retrieved', fitting.slice(skipped, skipped + perPage), meta)
}
