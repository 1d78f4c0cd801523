import type { Transaction } from '../../database/database.ts'
import { announceAll } from '../../notifications/announce.ts'
import type { IpnEvent } from '../../notifications/events.ts'
import type { PaymentEvent } from '../state-machine.ts'
import { lockPayment, type LockedPayment, type PaymentKey } from '../store.ts'
import { announcementOf, transition, type TransitionDeps } from '../transition.ts'
import type { StoredDispute } from './dispute-view.ts'
import { setDispute } from './disputed-store.ts'

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
  readonly event: Extract<IpnEvent, `dispute.${string}`> | undefined
}

/** In the caller's commit: what is shown, where the money is, and the announcement. */
export async function applyDispute(
  deps: TransitionDeps,
  tx: Transaction,
  before: LockedPayment,
  { stored, moneyTaken, event }: DisputeNow,
): Promise<LockedPayment> {
  let payment: LockedPayment = { ...before, ...(await setDispute(tx, before, JSON.stringify(stored))) }
  const move = moveOf(payment, moneyTaken)
  if (move !== undefined) payment = (await transition(deps, tx, payment, move)).payment
  if (event !== undefined) await announceAll(deps.outbox, tx, [announcementOf(payment, event, deps.baseUrl)])
  return payment
}

function moveOf(payment: LockedPayment, moneyTaken: boolean): PaymentEvent | undefined {
  const isReversed = payment.state === 'reversed'
  if (moneyTaken === isReversed) return undefined
  if (moneyTaken) return 'reversed_by_bank'
  return payment.refunded_minor === payment.amount_minor ? 'given_back_refunded' : 'given_back_by_bank'
}
