import { randomText } from '../../../../src/platform/database/random-id.ts'
import type { ApiAnswer } from '../stand-in.ts'
import type { LaterCharge, PaystackBooks, Transaction } from './books.ts'
import { done, newTransaction, refuse, shown, type Sent } from './calls.ts'

// Cards that Paystack keeps with every payment, and charges of them without the customer.

/** The card that a customer paid with; Paystack can charge it again. */
export function keepCard(books: PaystackBooks, transaction: Transaction): void {
  if (!transaction.channels.includes('card')) return
  const authorization_code = `AUTH_${randomText('abcdefghijkmnpqrstuvwxyz0123456789', 10)}`
  const card = {
    authorization_code,
    bin: '408408',
    last4: '4081',
    exp_month: '08',
    exp_year: '2029',
    channel: 'card',
    card_type: 'visa ',
    brand: 'visa',
    reusable: true,
    signature: 'SIG_standin',
  }
  const { email } = transaction
  books.authorizations.set(authorization_code, { authorization_code, email, card, active: true })
  transaction.authorization = authorization_code
}

export function chargeAuthorization(
  books: PaystackBooks,
  sent: Sent,
  later: LaterCharge,
  pay: (transaction: Transaction) => void,
): ApiAnswer {
  if (books.transactions.has(sent['reference'] as string))
    return refuse(400, 'duplicate_reference', 'Duplicate Transaction Reference')
  const authorization = books.authorizations.get(sent['authorization_code'] as string)
  // Bound to the e-mail address that it was made with.
  if (!authorization?.active || authorization.email !== sent['email'])
    return refuse(400, 'invalid_params', 'Authorization code is invalid')
  const metadata: unknown = JSON.parse((sent['metadata'] ?? '{}') as string)
  const transaction = newTransaction(books, { ...sent, metadata, channels: ['card'] })
  transaction.authorization = authorization.authorization_code
  if (later === 'success') pay(transaction)
  else if (later === 'paused') Object.assign(transaction, { paused: true, status: 'ongoing' })
  else Object.assign(transaction, { status: 'failed', gateway_response: later.says })
  return done('Charge attempted', shown(transaction, books))
}

export function deactivate(books: PaystackBooks, sent: Sent): ApiAnswer {
  const authorization = books.authorizations.get(sent['authorization_code'] as string)
  if (!authorization?.active) return refuse(400, 'not_found', 'Authorization code not found')
  authorization.active = false
  return done('Authorization has been deactivated', undefined)
}
