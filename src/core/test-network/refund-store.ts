import type { Database } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import type { RefundOrder } from '../networks/connector.ts'
import type { ChargeRow } from './store.ts'

// The test network's books of refunds. Every call is its own commit, as a network's would be.

export type CardRefundRow = {
  readonly reference: string
  readonly amount_minor: bigint
  readonly outcome: 'succeeded' | 'failed'
  readonly told_from: string
}

export type ChargedCard = Pick<ChargeRow, 'card_last4' | 'disputed' | 'received_at' | 'reply' | 'replied_at'>

export async function findChargedCard(
  db: Database,
  order: Pick<RefundOrder, 'merchantId' | 'chargeReference'>,
): Promise<ChargedCard | undefined> {
  const rows = await db.query<ChargedCard>(sql`
    select card_last4, disputed, received_at, reply, replied_at from test_network.charges
    where merchant_id = ${order.merchantId} and reference = ${order.chargeReference} and outcome = 'charged'`)
  return rows[0]
}

/** Does nothing where the key is known, or where more than was charged would go back. */
export async function insertCardRefund(
  db: Database,
  order: RefundOrder,
  as: { reference: string; outcome: CardRefundRow['outcome']; at: Date; toldFrom: Date },
): Promise<void> {
  const { merchantId, chargeReference, amountMinor } = order
  await db.queryAll([
    // No test of "reference = ${chargeReference}": without it refunds of one merchant's other charges would wait too, and then go on.
    sql`
    select reference from test_network.charges
    where merchant_id = ${merchantId} and reference = ${chargeReference} for update`,
    sql`
    insert into test_network.card_refunds (merchant_id, idempotency_key, reference, charge_reference, amount_minor, outcome,
      requested_at, told_from)
    select charge.merchant_id, ${order.idempotencyKey}, ${as.reference}, charge.reference, ${amountMinor}::bigint,
      ${as.outcome}, ${as.at}::timestamptz, ${as.toldFrom}::timestamptz
    from test_network.charges as charge
    where charge.merchant_id = ${merchantId} and charge.reference = ${chargeReference} and charge.outcome = 'charged'
      and charge.currency = ${order.currency}
      and charge.amount_minor >= ${amountMinor}::bigint + coalesce((
        select sum(before.amount_minor) from test_network.card_refunds as before
        where before.merchant_id = ${merchantId} and before.charge_reference = ${chargeReference}
          and before.outcome = 'succeeded'), 0)
    on conflict (merchant_id, idempotency_key) do nothing`,
  ])
}

export async function findCardRefund(
  db: Database,
  refund: { merchantId: number; idempotencyKey: string },
): Promise<CardRefundRow | undefined> {
  const rows = await db.query<CardRefundRow>(sql`
    select reference, amount_minor, outcome, told_from from test_network.card_refunds
    where merchant_id = ${refund.merchantId} and idempotency_key = ${refund.idempotencyKey}`)
  return rows[0]
}

export async function listCardRefunds(
  db: Database,
  charge: { merchantId: number; reference: string },
): Promise<CardRefundRow[]> {
  return db.query<CardRefundRow>(sql`
    select reference, amount_minor, outcome, told_from from test_network.card_refunds
    where merchant_id = ${charge.merchantId} and charge_reference = ${charge.reference}
    order by requested_at, idempotency_key`)
}
