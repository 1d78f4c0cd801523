import { createHash } from 'node:crypto'
import type { Queryable, Transaction } from '../../platform/database/database.ts'
import { sql, type Sql } from '../../platform/database/sql.ts'
import { ownRow } from '../merchants/own-row.ts'
import type { ChargeRow } from './store.ts'

// The test network's books of payouts, and of the bookings in them. A booking is a charge, a refund or a dispute, read where
// that is written; only which payout it went into is stored.

/** Not made of the charge's own name: bookings stay when a test payment is deleted. */
function nameOf(kind: string, reference: string): string {
  return `bk_${createHash('md5').update(`${kind}:${reference}`).digest('hex')}`
}

export const bookingOf = {
  charge: (reference: string): string => nameOf('charge', reference),
  refund: (reference: string): string => nameOf('refund', reference),
  dispute: (reference: string): string => nameOf('dispute', reference),
  won: (reference: string): string => nameOf('won', reference),
} as const

export type TestPayout = {
  readonly reference: string
  readonly amount_minor: bigint
  readonly currency: string
  readonly made_at: string
}

export type BookedCharge = {
  readonly reference: string
  readonly payment_number: string
  readonly amount_minor: bigint
  readonly currency: string
  readonly received_at: string
  readonly disputed: ChargeRow['disputed']
}

export type BookedDispute = BookedCharge &
  Pick<ChargeRow, 'reply' | 'replied_at'> & { readonly takes: boolean; readonly gives_back: boolean }

export type BookedRefund = Omit<BookedCharge, 'disputed' | 'received_at'> & {
  readonly charge_reference: string
  readonly requested_at: string
}

/** Undefined: not in a payout yet. */
export type InPayout = string | undefined

/** `name`: of the booking, as the item has it. */
function isIn(merchantId: number, payout: InPayout, name: Sql): Sql {
  const items = sql`
    select from test_network.payout_items
    where payout_items.merchant_id = ${merchantId} and payout_items.reference = ${name}`
  return payout === undefined
    ? sql`not exists (${items})`
    : sql`exists (${items} and payout_items.payout_reference = ${payout})`
}

export async function listCharges(
  db: Queryable,
  merchantId: number,
  payout: InPayout,
  asked: { now: Date; max: number },
): Promise<BookedCharge[]> {
  return db.query<BookedCharge>(sql`
    select reference, payment_number, amount_minor, currency, received_at, disputed from test_network.charges
    where merchant_id = ${merchantId} and outcome = 'charged' and told_from <= ${asked.now}
      and ${isIn(merchantId, payout, sql`'bk_' || md5('charge:' || charges.reference)`)}
    order by received_at, reference limit ${asked.max}`)
}

export async function listRefunds(
  db: Queryable,
  merchantId: number,
  payout: InPayout,
  asked: { now: Date; max: number },
): Promise<BookedRefund[]> {
  return db.query<BookedRefund>(sql`
    select card_refunds.reference, card_refunds.charge_reference, card_refunds.amount_minor, card_refunds.requested_at,
           charges.payment_number, charges.currency
    from test_network.card_refunds
    join test_network.charges on charges.merchant_id = ${merchantId} and charges.reference = card_refunds.charge_reference
    where card_refunds.merchant_id = ${merchantId} and card_refunds.outcome = 'succeeded'
      and card_refunds.told_from <= ${asked.now}
      and ${isIn(merchantId, payout, sql`'bk_' || md5('refund:' || card_refunds.reference)`)}
    order by card_refunds.requested_at, card_refunds.reference limit ${asked.max}`)
}

/** Whether each of a dispute's two bookings is in this payout. */
export async function listDisputed(
  db: Queryable,
  merchantId: number,
  payout: InPayout,
): Promise<BookedDispute[]> {
  return db.query<BookedDispute>(sql`
    select reference, payment_number, amount_minor, currency, received_at, disputed, reply, replied_at,
           ${isIn(merchantId, payout, sql`'bk_' || md5('dispute:' || charges.reference)`)} as takes,
           ${isIn(merchantId, payout, sql`'bk_' || md5('won:' || charges.reference)`)} as gives_back
    from test_network.charges
    where merchant_id = ${merchantId} and disputed is not null and outcome = 'charged'
    order by received_at, reference`)
}

/** Throws where another payout took one of the bookings a moment ago: nothing is written then. */
export async function insertPayout(
  tx: Transaction,
  merchantId: number,
  payout: { reference: string; amountMinor: bigint; currency: string; at: Date },
  bookings: readonly string[],
): Promise<void> {
  await tx.query(sql`
    insert into test_network.payouts (merchant_id, reference, amount_minor, currency, made_at)
    values (${merchantId}, ${payout.reference}, ${payout.amountMinor}, ${payout.currency}, ${payout.at})`)
  const written = await tx.query(sql`
    insert into test_network.payout_items (merchant_id, reference, payout_reference)
    select merchant.merchant_id, booking, ${payout.reference}
    from ${ownRow(merchantId)}, json_array_elements_text(${JSON.stringify(bookings)}) as booking
    on conflict (merchant_id, reference) do nothing
    returning reference`)
  if (written.length !== bookings.length) throw new Error('Somebody else pays the same bookings out')
}

export async function listPayouts(db: Queryable, merchantId: number, since: Date): Promise<TestPayout[]> {
  return db.query<TestPayout>(sql`
    select reference, amount_minor, currency, made_at from test_network.payouts
    where merchant_id = ${merchantId} and made_at >= ${since} order by made_at, reference`)
}
