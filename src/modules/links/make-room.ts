import { Refusal } from '../../platform/errors/refusals.ts'
import { bySystem } from '../../core/audit/audit.ts'
import { cancelPayment } from '../../core/payments/cancel-payment.ts'
import type { Paying } from '../../core/payments/attempts/paying.ts'
import { findPayments, type PaymentRow } from '../../core/payments/find-payment.ts'
import { listOpenBefore, type LinkPaymentRow } from './link-payment-store.ts'
import type { Linking } from './linking.ts'
import { settleLink } from './settle.ts'
import type { LinkRow } from './store.ts'

// The last places of a link must not be held by people who do not pay. Who begins a payment has its place for half an
// hour; after that it is given to the next customer who asks, unless the payment is being paid at that moment.

export const heldMinutes = 30
/** Each takes a call to the network that has a page open. */
const cancelledAtOnce = 3
/** More than are cancelled: those that are being paid, which may take days, must not hide the others. */
const lookedAtMax = 20 // No test: any number well above cancelledAtOnce will do

function oldOf(linking: Linking, link: LinkRow): Promise<LinkPaymentRow[]> {
  const before = new Date(linking.now().getTime() - heldMinutes * 60_000)
  const filter = { linkId: link.id, before, max: lookedAtMax }
  return listOpenBefore(linking.db, link.merchant_id, filter)
}

/** Whether a customer who asks now could get a place of a link without any left. Changes nothing. */
export async function hasOldPayments(linking: Linking, link: LinkRow): Promise<boolean> {
  return (await oldOf(linking, link)).length > 0
}

export async function makeRoom(linking: Linking, link: LinkRow): Promise<void> {
  const { db, paying } = linking
  await settleLink(linking, link.merchant_id, link.id)
  const old = await oldOf(linking, link)
  if (old.length === 0) return
  const txRefs = old.map(({ tx_ref }) => tx_ref)
  const payments = await findPayments(db, link.merchant_id, link.mode, txRefs)
  let cancelled = 0
  for (const txRef of txRefs) {
    const payment = payments.get(txRef)
    if (payment && (await isCancelled(paying, payment))) cancelled += 1
    if (cancelled >= cancelledAtOnce) break
  }
  await settleLink(linking, link.merchant_id, link.id)
}

async function isCancelled(paying: Paying, { merchant_id, number }: PaymentRow): Promise<boolean> {
  try {
    await cancelPayment(paying, { merchantId: merchant_id, number }, bySystem)
    return true
  } catch (error) {
    // Paid or being paid: then the place is rightly theirs.
    if (error instanceof Refusal && error.code === 'not_cancellable') return false
    throw error
  }
}
