import type { Database } from '../../database/database.ts'
import type { DisputeNews, DisputeStatus } from '../connector.ts'
import { findMerchantsToTell } from './dispute-look-store.ts'
import { claimToReport, findDisputed, type DisputedCharge } from './dispute-store.ts'
import type { ChargeRow } from './store.ts'

// Disputes: a moment after the charge a dispute is opened and the money taken, and a minute later it is decided,
// depending on the card. The state is computed from the clock, so nothing has to run for it.

export const opensAfterMs = 5_000
export const decidedAfterMs = 60_000

const prefix = 'dp_'

export function opensAt(chargedAt: Date): Date {
  return new Date(chargedAt.getTime() + opensAfterMs)
}

/** Like a live network's callbacks: when a dispute is opened, when it is decided, and once more. */
export async function newsOfDisputes(db: Database, now: Date, max: number): Promise<readonly DisputeNews[]> {
  const news: DisputeNews[] = []
  for (const merchantId of await findMerchantsToTell(db, now, max)) {
    const told = await claimToReport(db, merchantId, { now, max, opensAfterMs, decidedAfterMs })
    for (const reference of told) news.push({ merchantId, disputeReference: prefix + reference })
  }
  return news
}

export async function reportDispute(
  db: Database,
  { merchantId, disputeReference }: DisputeNews,
  now: Date,
): Promise<DisputeStatus | undefined> {
  if (!disputeReference.startsWith(prefix)) return undefined
  const charge = await findDisputed(db, merchantId, disputeReference.slice(prefix.length))
  return charge && statusOf(charge, merchantId, now)
}

/** Whether the bank has the money of a charge, refunded or not. */
export function hasTaken(
  { disputed, received_at }: Pick<ChargeRow, 'disputed' | 'received_at'>,
  now: Date,
): boolean {
  const opens = opensAt(new Date(received_at))
  return disputed !== null && now >= opens && (disputed === 'lost' || now < decidedAt(opens))
}

function decidedAt(opens: Date): Date {
  return new Date(opens.getTime() + decidedAfterMs)
}

function statusOf(charge: DisputedCharge, merchantId: number, now: Date): DisputeStatus | undefined {
  const opens = opensAt(new Date(charge.received_at))
  const decided = decidedAt(opens)
  if (now < opens) return undefined
  const isDecided = now >= decided
  return {
    kind: isDecided ? charge.disputed : 'evidence_due',
    moneyTaken: hasTaken(charge, now),
    disputeReference: prefix + charge.reference,
    chargeReference: charge.reference,
    money: { amountMinor: charge.amount_minor, currency: charge.currency },
    reason: charge.disputed === 'lost' ? 'fraudulent' : 'product_not_received',
    evidenceDueAt: decided,
    order: { merchantId, paymentNumber: charge.payment_number, idempotencyKey: charge.idempotency_key },
  }
}
