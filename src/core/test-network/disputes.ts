import type { Database } from '../../platform/database/database.ts'
import type { DisputeNews, DisputeStatus } from '../networks/connector.ts'
import { findMerchantsToTell } from './dispute-look-store.ts'
import { claimToReport, findDisputed, type DisputedCharge } from './dispute-store.ts'
import type { ChargeRow } from './store.ts'

// Disputes: a moment after the charge a dispute is opened and the money taken. Two cards decide a minute later, whatever the
// merchant sends; with the third the answer decides, and no answer loses. The state is computed from the clock, so nothing
// has to run for it.

export const opensAfterMs = 5_000
export const decidedAfterMs = 60_000
/** How long a dispute that waits for the merchant stays open. */
export const answerWithinMs = 30 * 86_400_000
/** From the evidence to the decision. */
export const reviewMs = 5_000

const prefix = 'dp_'

export function opensAt(chargedAt: Date): Date {
  return new Date(chargedAt.getTime() + opensAfterMs)
}

/** Like a live network's callbacks: when a dispute is opened, when it is decided, and once more. */
export async function newsOfDisputes(db: Database, now: Date, max: number): Promise<readonly DisputeNews[]> {
  const news: DisputeNews[] = []
  for (const merchantId of await findMerchantsToTell(db, now, max)) {
    const spans = { opensAfterMs, decidedAfterMs, answerWithinMs, reviewMs }
    const told = await claimToReport(db, merchantId, { now, max, ...spans })
    for (const reference of told) news.push({ merchantId, disputeReference: prefix + reference })
  }
  return news
}

export async function reportDispute(
  db: Database,
  { merchantId, disputeReference }: DisputeNews,
  now: Date,
): Promise<DisputeStatus | undefined> {
  const charge = await findDisputedCharge(db, merchantId, disputeReference)
  return charge && statusOf(charge, merchantId, now)
}

/** The charge that a dispute of this name is about. */
export async function findDisputedCharge(
  db: Database,
  merchantId: number,
  disputeReference: string,
): Promise<DisputedCharge | undefined> {
  if (!disputeReference.startsWith(prefix)) return undefined
  return findDisputed(db, merchantId, disputeReference.slice(prefix.length))
}

type Disputable = Pick<ChargeRow, 'disputed' | 'received_at' | 'reply' | 'replied_at'>

/** When a dispute is opened, until when it can be answered, and when it is decided how. */
export function courseOf({ disputed, received_at, reply, replied_at }: Disputable): {
  readonly opens: Date
  readonly due: Date
  readonly decided: Date
  readonly end: 'won' | 'lost'
} {
  const opens = opensAt(new Date(received_at))
  const due = new Date(opens.getTime() + (disputed === 'open' ? answerWithinMs : decidedAfterMs))
  const repliedAt = new Date(replied_at ?? due)
  if (reply === 'accepts') return { opens, due, decided: repliedAt, end: 'lost' }
  if (disputed !== 'open') return { opens, due, decided: due, end: disputed ?? 'lost' }
  if (reply === null) return { opens, due, decided: due, end: 'lost' }
  const decided = new Date(repliedAt.getTime() + reviewMs)
  return { opens, due, decided, end: reply === 'wins' ? 'won' : 'lost' }
}

/** Whether the bank has the money of a charge, refunded or not. */
export function hasTaken(charge: Disputable, now: Date): boolean {
  const { opens, decided, end } = courseOf(charge)
  return charge.disputed !== null && now >= opens && (end === 'lost' || now < decided)
}

function statusOf(charge: DisputedCharge, merchantId: number, now: Date): DisputeStatus | undefined {
  const { opens, due, decided, end } = courseOf(charge)
  if (now < opens) return undefined
  return {
    kind: now >= decided ? end : charge.reply === null ? 'evidence_due' : 'under_review',
    moneyTaken: hasTaken(charge, now),
    disputeReference: prefix + charge.reference,
    chargeReference: charge.reference,
    money: { amountMinor: charge.amount_minor, currency: charge.currency },
    reason: charge.disputed === 'lost' ? 'fraudulent' : 'product_not_received',
    evidenceDueAt: due,
    order: { merchantId, paymentNumber: charge.payment_number, idempotencyKey: charge.idempotency_key },
  }
}
