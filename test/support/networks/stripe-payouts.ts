import { listed, missing, refuse, type Parameters } from './stripe-calls.ts'
import type { ApiAnswer } from './stand-in.ts'
import { makeId, type Booking, type Payout, type PayoutStatus, type StripeBooks } from './stripe-books.ts'

// What Stripe pays to the bank: the bookings in each payout, and what it still holds.

export type PayoutHappenings = {
  /** Pays out all that was booked and not paid out yet, of one currency. By hand: Stripe then keeps no list of what is in it. */
  payOut(options?: { readonly byHand?: boolean; readonly currency?: string }): Payout
  movePayout(id: string, status: PayoutStatus): void
  /** The list of what is in it is complete. */
  completePayout(id: string): void
}

type Tell = (type: string, object: object) => void

export function makePayoutHappenings(books: StripeBooks, tell: Tell): PayoutHappenings {
  return {
    payOut({ byHand = false, currency = 'gbp' } = {}) {
      const waiting = unpaid(books).filter((booking) => booking.currency === currency)
      const amount = waiting.reduce((sum, { net }) => sum + net, 0)
      const payout: Payout = {
        id: makeId('po'),
        object: 'payout',
        amount,
        currency,
        created: books.seconds(),
        arrival_date: books.seconds() + 2 * 86_400,
        automatic: !byHand,
        statement_descriptor: null,
        failure_code: null,
        failure_message: null,
        status: 'pending',
        reconciliation_status: byHand ? 'not_applicable' : 'in_progress',
        trace_id: null,
      }
      books.payouts.set(payout.id, payout)
      for (const { id } of waiting) books.paidIn.set(id, payout.id)
      book(books, payout, 'payout', -amount)
      tell('payout.created', payout)
      return payout
    },
    movePayout(id, status) {
      const payout = known(books, id)
      payout.status = status
      if (status === 'paid') payout.trace_id = { status: 'supported', value: `TRACE${id.slice(-8)}` }
      if (status === 'failed') {
        payout.failure_code = 'account_closed'
        payout.failure_message = 'The bank account has been closed'
        book(books, payout, 'payout_failure', payout.amount)
      }
      if (status === 'canceled') book(books, payout, 'payout_cancel', payout.amount)
      tell(status === 'paid' || status === 'failed' ? `payout.${status}` : 'payout.updated', payout)
    },
    completePayout(id) {
      const payout = known(books, id)
      payout.reconciliation_status = 'completed'
      tell('payout.reconciliation_completed', payout)
    },
  }
}

function known(books: StripeBooks, id: string): Payout {
  const found = books.payouts.get(id)
  if (!found) throw new Error(`there is no payout ${id}`)
  return found
}

/** A payout is a booking of its own balance, and part of its own list. */
function book(books: StripeBooks, payout: Payout, type: string, amount: number): void {
  books.book(type, amount, payout.currency, payout)
  const booking = books.bookings.at(-1)
  if (booking) books.paidIn.set(booking.id, payout.id)
}

function unpaid(books: StripeBooks): Booking[] {
  return books.bookings.filter(({ id }) => !books.paidIn.has(id))
}

export function listBookings(books: StripeBooks, sent: Parameters, path: string): ApiAnswer {
  const name = sent['payout'] as string | undefined
  if (name === undefined) return listed(books.bookings, sent, path)
  const payout = books.payouts.get(name)
  if (!payout) return missing('payout', name)
  if (!payout.automatic)
    return refuse(400, undefined, 'Balance transaction history can only be filtered on automatic transfers.')
  return listed(books.bookings, sent, path, ({ id }) => books.paidIn.get(id) === name)
}

export function balanceOf(books: StripeBooks): object {
  const now = books.seconds()
  const of = (isAvailable: boolean) => {
    const sums = new Map<string, number>()
    for (const { currency, net, available_on, type } of books.bookings)
      if ((available_on <= now || type.startsWith('payout')) === isAvailable)
        sums.set(currency, (sums.get(currency) ?? 0) + net)
    return [...sums].map(([currency, amount]) => ({ amount, currency, source_types: { card: amount } }))
  }
  return { object: 'balance', livemode: false, available: of(true), pending: of(false) }
}
