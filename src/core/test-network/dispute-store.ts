import type { Database } from '../../platform/database/database.ts'
import { planEachTime, sql } from '../../platform/database/sql.ts'
import type { ChargeRow } from './store.ts'

// Disputed charges in the test network's books.

export type DisputedCharge = Pick<
  ChargeRow,
  'payment_number' | 'idempotency_key' | 'reference' | 'received_at' | 'reply' | 'replied_at'
> & {
  readonly disputed: 'won' | 'lost' | 'open'
  /** The key of the answer that was taken. */
  readonly reply_key: string | null
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
  claim: {
    now: Date
    max: number
    opensAfterMs: number
    decidedAfterMs: number
    answerWithinMs: number
    reviewMs: number
  },
): Promise<string[]> {
  const { now, max } = claim
  const decidedAfterSeconds = (claim.opensAfterMs + claim.decidedAfterMs) / 1_000
  const unansweredSeconds = (claim.opensAfterMs + claim.answerWithinMs) / 1_000
  // No test of "skip locked": a second worker would wait for the first, and find nothing due then.
  const statement = sql`
    with due as materialized (
      -- Here and not below: in an update a cluster takes no arithmetic of times on columns.
      select idempotency_key, case
        when reply = 'accepts' then replied_at
        when disputed = 'open' and replied_at is null then received_at + ${unansweredSeconds} * interval '1 second'
        when disputed = 'open' then replied_at + ${claim.reviewMs / 1_000} * interval '1 second'
        else received_at + ${decidedAfterSeconds} * interval '1 second' end as decided_at
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
    select payment_number, idempotency_key, reference, amount_minor, currency, received_at, disputed, reply, replied_at,
           reply_key
    from test_network.charges
    where merchant_id = ${merchantId} and reference = ${reference} and outcome = 'charged' and disputed is not null`)
  return rows[0]
}

/** Takes the first answer; returns the key of the one that counts. `tellAt`: when its decision is reported. */
export async function takeReply(
  db: Database,
  charge: { merchantId: number; reference: string },
  reply: { key: string; reply: 'wins' | 'loses' | 'accepts'; at: Date; tellAt: Date },
): Promise<string | undefined> {
  await db.query(sql`
    update test_network.charges
    set reply = ${reply.reply}, replied_at = ${reply.at}, reply_key = ${reply.key}, next_tell_at = ${reply.tellAt}
    where merchant_id = ${charge.merchantId} and reference = ${charge.reference} and outcome = 'charged'
      and disputed is not null and reply is null`)
  return (await findDisputed(db, charge.merchantId, charge.reference))?.reply_key ?? undefined
}
