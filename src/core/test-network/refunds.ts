import type { Database } from '../../platform/database/database.ts'
import { randomHex } from '../../platform/database/random-id.ts'
import type { RefundOrder, RefundStatus } from '../networks/connector.ts'
import { refundOutcomeOf } from './cards.ts'
import { hasTaken } from './disputes.ts'
import { findCardRefund, findChargedCard, insertCardRefund } from './refund-store.ts'

// Refunds of cards at the test network: most succeed at once, two cards show what happens later.

/** How long a card whose refund is decided later keeps everybody waiting. */
export const undecidedRefundMs = 3_000

export async function refund(db: Database, order: RefundOrder, at: Date): Promise<RefundStatus> {
  const charge = await findChargedCard(db, order)
  if (!charge) return { kind: 'failed', reason: 'no_such_charge' }
  // Like live networks. A refund made before the dispute stands, and the bank still takes the money.
  if (hasTaken(charge, at)) {
    const known = await fetchRefund(db, order, at)
    return known.kind === 'not_found' ? { kind: 'failed', reason: 'charge_disputed' } : known
  }
  const outcome = refundOutcomeOf(charge.card_last4)
  await insertCardRefund(db, order, {
    reference: `tr_${randomHex(24)}`,
    outcome: outcome === 'fails' ? 'failed' : 'succeeded',
    at,
    toldFrom: outcome === 'succeeds' ? at : new Date(at.getTime() + undecidedRefundMs),
  })
  const told = await fetchRefund(db, order, at)
  return told.kind === 'not_found' ? { kind: 'failed', reason: 'more_than_was_charged' } : told
}

export async function fetchRefund(db: Database, order: RefundOrder, at: Date): Promise<RefundStatus> {
  const found = await findCardRefund(db, order)
  if (!found) return { kind: 'not_found' }
  const { reference: refundReference, outcome } = found
  const leftMs = Date.parse(found.told_from) - at.getTime()
  // More than the whole span is left when it was asked for while the clock ran ahead: it is decided then.
  if (leftMs > 0 && leftMs <= undecidedRefundMs) return { kind: 'submitted', refundReference }
  return outcome === 'succeeded'
    ? { kind: 'succeeded', refundReference }
    : { kind: 'failed', reason: 'card_closed', refundReference }
}
