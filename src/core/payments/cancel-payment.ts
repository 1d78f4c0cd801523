import { inMerchantTransaction } from '../../platform/database/database.ts'
import { Refusal } from '../../platform/errors/refusals.ts'
import { recordAct, type Actor } from '../audit/audit.ts'
import { giveUpChallenge } from './attempts/answer-challenge.ts'
import { leavePage } from './attempts/hosted/leave-page.ts'
import { findLastAttempt, isInFlight, attemptKey } from './attempts/attempt-store.ts'
import type { PaymentState } from './state-machine.ts'
import { nameActor } from './history-store.ts'
import { lockPayment, type PaymentKey, type PaymentRow } from './store.ts'
import { transition } from './transition.ts'
import type { Paying } from './attempts/paying.ts'

/** A customer, or someone acting for the merchant. */
export type CancelledBy = 'customer' | Actor

const reasons: Readonly<Record<Exclude<PaymentState, 'pending'>, string>> = {
  cancelled: 'This payment is already cancelled',
  success: 'This payment was paid and can no longer be cancelled',
  failed: 'This payment failed and can no longer be cancelled',
  expired: 'This payment expired and can no longer be cancelled',
  refunded: 'This payment was refunded and can no longer be cancelled',
  reversed: 'This payment was reversed and can no longer be cancelled',
}

/** For a customer cancelling twice is no mistake: the button was there twice. A customer who cancels on the 3-D Secure page walks away from it first, and a network's own page is closed there first. */
export async function cancelPayment(paying: Paying, key: PaymentKey, by: CancelledBy): Promise<PaymentRow> {
  const last = await findLastAttempt(paying.db, key)
  if (last?.account_id) await leavePage(paying, key)
  else if (by === 'customer' && last?.state === 'action_required')
    await giveUpChallenge(paying, attemptKey(last))
  return inMerchantTransaction(paying.db, async (tx) => {
    const before = await lockPayment(tx, key)
    if (!before) throw new Refusal('not_found', 'Transaction not found')
    if (before.state === 'cancelled' && by === 'customer') return before
    if (before.state !== 'pending') throw new Refusal('not_cancellable', reasons[before.state])
    if (await isInFlight(tx, key)) {
      throw new Refusal('not_cancellable', 'This payment is being paid right now; try again shortly')
    }
    const event = by === 'customer' ? 'cancelled_by_customer' : 'cancelled_by_merchant'
    const { payment } = await transition(paying, tx, before, event)
    if (by !== 'customer') {
      await nameActor(tx, key, { event, actor: by.name })
      const { tx_ref: subject, mode, state } = before
      await recordAct(tx, key.merchantId, by, {
        action: 'payment.cancelled',
        subject,
        before: { mode, state },
        after: { mode, state: payment.state },
      })
    }
    return payment
  })
}
