import { askNetwork } from '../ask-network.ts'
import { findLastAttempt, type AttemptRow } from '../attempt-store.ts'
import { recordOutcome, type PayResult } from '../record-outcome.ts'
import type { PaymentKey } from '../../store.ts'
import type { Paying } from '../paying.ts'
import { withdrawAtNetwork } from './ask-hosted.ts'

/**
 * Closes the network's page on which this payment could still be paid, first at the network and then here. True if
 * there was one and it can't charge any more, so that another attempt may start.
 */
export async function leavePage(paying: Paying, key: PaymentKey): Promise<boolean> {
  const last = await findLastAttempt(paying.db, key)
  if (!last?.account_id || last.state !== 'action_required') return false
  return isLeft(await withdrawPage(paying, last))
}

/** Nothing can charge there any more, and another attempt may start. */
export function isLeft({ kind }: PayResult): boolean {
  return kind === 'declined' || kind === 'not_sent'
}

export async function withdrawPage(paying: Paying, attempt: AttemptRow): Promise<PayResult> {
  const word = await askNetwork(paying.log, async (signal) => withdrawAtNetwork(paying, attempt, signal))
  return recordOutcome(paying, attempt, word)
}
