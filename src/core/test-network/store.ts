import type { Database, Queryable, Transaction } from '../../platform/database/database.ts'
import { deleteOf, sql } from '../../platform/database/sql.ts'
import { ownRow } from '../merchants/own-row.ts'
import type { OldTests } from '../privacy/test-rows.ts'
import type { DeclineReason, OrderKey } from '../networks/connector.ts'

// The only place that names the test network's books. Every statement is its own commit, as a network's would be.

export type ChargeRow = {
  readonly payment_number: string
  readonly idempotency_key: string
  readonly reference: string
  readonly outcome: 'charged' | 'declined' | 'challenge'
  readonly reason: DeclineReason | null
  readonly amount_minor: bigint | null
  readonly currency: string | null
  readonly card_last4: string | null
  readonly told_from: string
  readonly received_at: string
  /** How the dispute about it ends; open: as the merchant answers. */
  readonly disputed: 'won' | 'lost' | 'open' | null
  /** The merchant's answer to the dispute: evidence that wins or loses, or acceptance. */
  readonly reply: 'wins' | 'loses' | 'accepts' | null
  readonly replied_at: string | null
  /** Names the card that was saved with it. */
  readonly saved_token: string | null
}

/** What the network reports about a charge, and from when on. */
export type ToldCharge = Pick<ChargeRow, 'reference' | 'outcome' | 'reason' | 'told_from' | 'saved_token'>

export type NewCharge = OrderKey & {
  readonly reference: string
  readonly outcome: ChargeRow['outcome']
  readonly reason: DeclineReason | null
  readonly amountMinor: bigint
  readonly currency: string
  readonly cardLast4: string
  readonly toldFrom: Date
  readonly receivedAt: Date
  readonly disputed: ChargeRow['disputed']
  readonly nextTellAt: Date | null
  readonly savedToken: string | null
}

/**
 * Does nothing if the key is known: the first outcome stands. Returns the stored outcomes, in the order of the charges.
 */
export async function insertCharges(
  db: Queryable,
  merchantId: number,
  charges: readonly NewCharge[],
): Promise<ToldCharge[]> {
  const entries = charges.map((charge) => ({
    idempotency_key: charge.idempotencyKey,
    payment_number: charge.paymentNumber,
    reference: charge.reference,
    outcome: charge.outcome,
    reason: charge.reason,
    amount_minor: String(charge.amountMinor),
    currency: charge.currency,
    card_last4: charge.cardLast4,
    told_from: charge.toldFrom,
    received_at: charge.receivedAt,
    disputed: charge.disputed,
    next_tell_at: charge.nextTellAt,
    saved_token: charge.savedToken,
  }))
  const booked = await db.query<ToldCharge & { idempotency_key: string }>(sql`
    insert into test_network.charges (merchant_id, idempotency_key, payment_number, reference, outcome, reason,
      amount_minor, currency, card_last4, told_from, received_at, disputed, next_tell_at, saved_token)
    select merchant.merchant_id, idempotency_key, payment_number, reference, outcome, reason, amount_minor, currency,
      card_last4, told_from, received_at, disputed, next_tell_at, saved_token
    from ${ownRow(merchantId)}, json_to_recordset(${JSON.stringify(entries)}) as entry (
      idempotency_key text, payment_number text, reference text, outcome text, reason text, amount_minor bigint,
      currency text, card_last4 text, told_from timestamptz, received_at timestamptz, disputed text,
      next_tell_at timestamptz, saved_token text)
    on conflict (merchant_id, idempotency_key) do nothing
    returning idempotency_key, reference, outcome, reason, told_from, saved_token`)
  const known = new Map(booked.map((row) => [row.idempotency_key, row]))
  return Promise.all(
    charges.map(async (charge) => {
      const row = known.get(charge.idempotencyKey) ?? (await findCharge(db, charge))
      if (!row) throw new Error('A charge that was refused as known is not known')
      return row
    }),
  )
}

/** Decides a challenge that waits; one that was decided before stays as it is. */
export async function decideChallenge(
  db: Database,
  order: OrderKey,
  decision: { outcome: 'charged' | 'declined'; reason: DeclineReason | null },
): Promise<void> {
  await db.query(sql`
    update test_network.charges set outcome = ${decision.outcome}, reason = ${decision.reason}
    where merchant_id = ${order.merchantId} and idempotency_key = ${order.idempotencyKey} and outcome = 'challenge'`)
}

/** One statement, so that an order which arrives at the same moment is either seen or shut out. */
export async function endOrShutOut(
  db: Database,
  order: OrderKey,
  as: { reference: string; ended: DeclineReason; shutOut: DeclineReason; at: Date },
): Promise<void> {
  await db.query(sql`
    insert into test_network.charges as known (merchant_id, idempotency_key, payment_number, reference, outcome, reason,
      told_from, received_at)
    values (${order.merchantId}, ${order.idempotencyKey}, ${order.paymentNumber}, ${as.reference}, 'declined',
      ${as.shutOut}, ${as.at}, ${as.at})
    on conflict (merchant_id, idempotency_key) do update
    set outcome = 'declined', reason = ${as.ended} where known.outcome = 'challenge'`)
}

export async function findCharge(db: Queryable, order: OrderKey): Promise<ChargeRow | undefined> {
  const rows = await db.query<ChargeRow>(sql`
    select payment_number, idempotency_key, reference, outcome, reason, amount_minor, currency, card_last4, told_from,
           received_at, disputed, saved_token, reply, replied_at
    from test_network.charges
    where merchant_id = ${order.merchantId} and idempotency_key = ${order.idempotencyKey}`)
  return rows[0]
}

export async function listOfPayment(
  db: Database,
  payment: { merchantId: number; number: string },
): Promise<ChargeRow[]> {
  return db.query<ChargeRow>(sql`
    select payment_number, idempotency_key, reference, outcome, reason, amount_minor, currency, card_last4, told_from,
           received_at, disputed, saved_token, reply, replied_at
    from test_network.charges
    where merchant_id = ${payment.merchantId} and payment_number = ${payment.number}
    order by received_at, idempotency_key`)
}

export async function deleteChargesOf(tx: Transaction, { merchantId, numbers }: OldTests): Promise<void> {
  const charges = await tx.query<{ reference: string }>(sql`
    select reference from test_network.charges
    where merchant_id = ${merchantId} and payment_number = any(${numbers}::text[])`)
  const names = charges.map(({ reference }) => reference)
  await tx.queryAll([
    deleteOf(sql`test_network.card_refunds`, sql`charge_reference`, { merchantId, names }),
    deleteOf(sql`test_network.saved_cards`, sql`payment_number`, { merchantId, names: numbers }),
    deleteOf(sql`test_network.charges`, sql`payment_number`, { merchantId, names: numbers }),
  ])
}
