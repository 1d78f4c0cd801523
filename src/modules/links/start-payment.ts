import { inTransaction } from '../../platform/database/database.ts'
import { brokenRule, Refusal } from '../../platform/errors/refusals.ts'
import { plainAmount } from '../../platform/money/money.ts'
import { findPayments } from '../../core/payments/find-payment.ts'
import { readPayment, type PaymentRequest } from '../../core/payments/api/read-payment.ts'
import type { PaymentRow } from '../../core/payments/find-payment.ts'
import { findLinkPayment, insertLinkPayment } from './link-payment-store.ts'
import { linkState, type LinkState } from './link-state.ts'
import type { LinkPlace, Linking } from './linking.ts'
import { makeRoom } from './make-room.ts'
import { firstLook } from './settle.ts'
import { findLink, takeOne, type LinkRow } from './store.ts'
import type { Customer } from './read-link.ts'

// From a customer at a link to a payment. The place is taken first, in its own commit, and the caller generates its
// tx_ref: a form sent twice leads to one payment, and a server that dies between the two leaves a place without a
// payment, which is free again after ten minutes.

export type Started =
  | { readonly kind: 'started'; readonly number: string }
  | Closed
  /** This form has led to a payment that is over. */
  | { readonly kind: 'used' }

/** Nobody can pay here now, and why. */
type Closed = { readonly kind: 'closed'; readonly state: Exclude<LinkState, 'open'> }

/** `amountMinor` counts where the link leaves it to the customer. Refuses what breaks a rule, by field. */
export type LinkPaymentRequest = Customer & {
  readonly txRef: string
  readonly amountMinor: bigint | undefined
}

export async function startPayment(
  linking: Linking,
  place: LinkPlace,
  link: LinkRow,
  asked: LinkPaymentRequest,
): Promise<Started> {
  const request = checkPayment(place, link, asked)
  const key = { linkId: link.id, txRef: asked.txRef }
  const before = await findLinkPayment(linking.db, link.merchant_id, key)
  if (before?.state === 'over') return { kind: 'used' }
  if (!before && !(await takePlace(linking, link, asked.txRef))) {
    const closed = await closedNow(linking, link)
    // Paused or ended: no one loses a place that no one else can have.
    if (closed.state !== 'all_taken') return closed
    await makeRoom(linking, link)
    if (!(await takePlace(linking, link, asked.txRef))) return closedNow(linking, link)
  }
  return makePayment(linking, place, request)
}

async function makePayment(linking: Linking, place: LinkPlace, request: PaymentRequest): Promise<Started> {
  try {
    const { url } = await linking.createPayment(place, request, { type: 'Link' })
    return { kind: 'started', number: url.slice(-numberLength) }
  } catch (error) {
    // The same form, sent twice.
    if (!(error instanceof Refusal && error.code === 'tx_ref_taken')) throw error
    const payment = await paymentOf(linking, place, request.txRef)
    if (!payment) throw error
    const isAlive = payment.state === 'pending' || payment.state === 'success'
    return isAlive ? { kind: 'started', number: payment.number } : { kind: 'used' }
  }
}

const numberLength = 24

async function paymentOf(
  { db }: Linking,
  { merchant, mode }: LinkPlace,
  txRef: string,
): Promise<PaymentRow | undefined> {
  return (await findPayments(db, merchant.id, mode, [txRef])).get(txRef)
}

class NoPlace extends Error {}

/** Row and count in one commit: neither is there without the other. */
async function takePlace({ db, now: clock }: Linking, link: LinkRow, txRef: string): Promise<boolean> {
  const now = clock()
  const payment = { linkId: link.id, txRef }
  try {
    await inTransaction(db, async (tx) => {
      const isNew = await insertLinkPayment(tx, link.merchant_id, payment, { now, lookAt: firstLook(now) })
      if (isNew && !(await takeOne(tx, link.merchant_id, link.id, now))) throw new NoPlace()
    })
    return true
  } catch (error) {
    if (error instanceof NoPlace) return false
    throw error
  }
}

async function closedNow({ db, now }: Linking, link: LinkRow): Promise<Closed> {
  const current = (await findLink(db, link.merchant_id, link.id)) ?? link
  const state = linkState(current, now())
  // A place that became free this moment is for the next try.
  return { kind: 'closed', state: state === 'open' ? 'all_taken' : state }
}

type Wanted = Pick<
  LinkRow,
  'title' | 'description' | 'currency' | 'amount_minor' | 'least_minor' | 'most_minor'
>

/** Refuses what breaks a rule of payments or of this link. */
export function checkPayment(place: LinkPlace, link: Wanted, asked: LinkPaymentRequest): PaymentRequest {
  const body = {
    tx_ref: asked.txRef,
    currency: link.currency,
    email: asked.email,
    first_name: asked.firstName,
    last_name: asked.lastName,
    customization: { title: link.title, description: link.description },
    ...amountOf(link, asked.amountMinor),
  }
  // Whether a network takes the currency was looked at when the link was made and when it was opened.
  const payee = { ...place, bounds: undefined, networkTakes: () => true, needsEmail: true }
  const outside = outsideOf(link, asked.amountMinor)
  try {
    const request = readPayment(body, payee, JSON.stringify(body))
    if (outside) throw outside
    return request
  } catch (error) {
    // All mistakes are reported at once.
    if (!outside || error === outside || !(error instanceof Refusal) || !error.errors) throw error
    throw new Refusal('validation_failed', outside.message, {
      errors: { ...error.errors, ...outside.errors },
    })
  }
}

function outsideOf({ least_minor, most_minor }: Wanted, minor: bigint | undefined): Refusal | undefined {
  const isOutside =
    minor !== undefined &&
    ((least_minor !== null && minor < least_minor) || (most_minor !== null && minor > most_minor))
  return isOutside
    ? brokenRule('amount', 'amount must be between the lowest and the highest amount')
    : undefined
}

function amountOf(link: Wanted, asked: bigint | undefined): { amount?: string } {
  const minor = link.amount_minor ?? asked
  return minor === undefined ? {} : { amount: plainAmount(minor, link.currency) }
}
