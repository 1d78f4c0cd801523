import type { Transaction } from '../../../platform/database/database.ts'
import { announceAll } from '../../notifications/announce.ts'
import type { PaymentIpnEvent } from '../../notifications/events.ts'
import type { PaymentEvent } from '../state-machine.ts'
import { lockPayment, type LockedPayment, type PaymentKey } from '../store.ts'
import { noFigures } from '../daily-totals/tally.ts'
import { insertUntally } from '../daily-totals/total-store.ts'
import { announcementOf, transition, type TransitionDeps } from '../transition.ts'
import type { StoredDispute } from './dispute-view.ts'
import { setDispute } from './disputed-store.ts'
import { takenByBank } from './loss.ts'

// What a dispute does to its payment. A dispute is locked after its payment, like everything that belongs to one.

export type { LockedPayment, TransitionDeps }

export async function lockDisputedPayment(
  tx: Transaction,
  key: PaymentKey,
): Promise<LockedPayment | undefined> {
  return lockPayment(tx, key)
}

export type DisputeNow = {
  /** The dispute shown. */
  readonly stored: StoredDispute
  /** By any dispute of this payment. */
  readonly moneyTaken: boolean
  readonly event: Extract<PaymentIpnEvent, `dispute.${string}`> | undefined
}

/** In the caller's commit: what is shown, where the money is, and the announcement. */
export async function applyDispute(
  deps: TransitionDeps,
  tx: Transaction,
  before: LockedPayment,
  { stored, moneyTaken, event }: DisputeNow,
): Promise<LockedPayment> {
  const move = moveOf(before, moneyTaken)
  let payment = before
  // What the bank gives back is what it had taken, by the dispute as it was; what it takes, by the dispute as it is.
  if (move !== undefined && !moneyTaken) payment = (await transition(deps, tx, payment, move)).payment
  payment = { ...payment, ...(await setDispute(tx, before, JSON.stringify(stored))) }
  if (move !== undefined && moneyTaken) payment = (await transition(deps, tx, payment, move)).payment
  if (move === undefined) await countMore(tx, before, payment)
  if (event !== undefined) await announceAll(deps.outbox, tx, [announcementOf(payment, event, deps.baseUrl)])
  return payment
}

/** The bank took more, or gave some back: that counts on the day on which it took the first of it. */
async function countMore(tx: Transaction, before: LockedPayment, after: LockedPayment): Promise<void> {
  const reversedMinor = takenByBank(after) - takenByBank(before)
  if (reversedMinor === 0n) return
  const { merchant_id: merchantId, mode, currency, number } = after
  const more = { mode, currency, ...noFigures, reversedMinor, number, sinceState: 'reversed' } as const
  await tx.query(insertUntally(merchantId, more))
}

function moveOf(payment: LockedPayment, moneyTaken: boolean): PaymentEvent | undefined {
  const isReversed = payment.state === 'reversed'
  if (moneyTaken === isReversed) return undefined
  if (moneyTaken) return 'reversed_by_bank'
  return payment.refunded_minor === payment.amount_minor ? 'given_back_refunded' : 'given_back_by_bank'
}
