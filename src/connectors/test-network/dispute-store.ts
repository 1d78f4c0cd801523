import type { Database } from '../../database/database.ts'
import { planEachTime, sql } from '../../database/sql.ts'
import type { ChargeRow } from './store.ts'

// Disputed charges in the test network's books.

export type DisputedCharge = Pick<
  ChargeRow,
  'payment_number' | 'idempotency_key' | 'reference' | 'received_at'
> & {
  readonly disputed: 'won' | 'lost'
  readonly amount_minor: bigint
  readonly currency: string
}

const minuteMs = 60_000

/**
 * The references of disputes to report now. Each is reported when opened, when decided, and once more a while later.
 */
export async function claimToReport(
  db: Database,
  merchantId: number,
  claim: { now: Date; max: number; opensAfterMs: number; decidedAfterMs: number },
): Promise<string[]> {
  const { now, max } = claim
  const decidedAfterSeconds = (claim.opensAfterMs + claim.decidedAfterMs) / 1_000
  // No test of "skip locked": a second worker would wait for the first, and find nothing due then.
  const statement = sql`
    with due as materialized (
      -- Here and not below: in an update a cluster takes no arithmetic of times on columns.
      select idempotency_key, received_at + ${decidedAfterSeconds} * interval '1 second' as decided_at
      from test_network.charges
      where merchant_id = ${merchantId} and next_tell_at <= ${now}
      order by next_tell_at limit ${max}
      for update skip locked
    )
    update test_network.charges as charge
    set next_tell_at = case
      when ${now}::timestamptz < due.decided_at then due.decided_at
      when charge.next_tell_at <= due.decided_at then ${new Date(now.getTime() + minuteMs)}::timestamptz end
    from due
    where charge.merchant_id = ${merchantId} and charge.idempotency_key = due.idempotency_key
    returning charge.reference`
  const rows = await db.query<{ reference: string }>(planEachTime(statement))
  return rows.map((row) => row.reference)
}

export async function findDisputed(
  db: Database,
  merchantId: number,
  reference: string,
): Promise<DisputedCharge | undefined> {
  const rows = await db.query<DisputedCharge>(sql`
    select payment_number, idempotency_key, reference, amount_minor, currency, received_at, disputed
    from test_network.charges
    where merchant_id = ${merchantId} and reference = ${reference} and outcome = 'charged' and disputed is not null`)
  return rows[0]
}
