import type { Database, Transaction } from '../../../platform/database/database.ts'
import { planEachTime, sql } from '../../../platform/database/sql.ts'
import type { Mode } from '../../../core/merchants/mode.ts'
import { isFeedDue } from './due-look-store.ts'

// The table payout_feeds: which accounts are asked about payouts, and when.

export type Feed = {
  readonly merchant_id: number
  readonly account_id: string
  readonly connector: string
  readonly mode: Mode
  /** The number of this claim. Whoever claims later has a higher one, and only the highest may write. */
  readonly asks: bigint
  readonly read_until: string | null
  readonly compared_at: string | null
  readonly failing_since: string | null
  readonly problem: string | null
}

const columns = sql`
  payout_feeds.merchant_id, payout_feeds.account_id, payout_feeds.connector, payout_feeds.mode, payout_feeds.asks,
  payout_feeds.read_until, payout_feeds.compared_at, payout_feeds.failing_since, payout_feeds.problem`

export type NewFeed = Pick<Feed, 'merchant_id' | 'account_id' | 'connector' | 'mode'>

/** Does nothing where the account is known. */
export async function insertFeed(db: Database, feed: NewFeed, now: Date): Promise<void> {
  await db.query(sql`
    insert into payout_feeds (merchant_id, account_id, connector, mode, next_check_at)
    values (${feed.merchant_id}, ${feed.account_id}, ${feed.connector}, ${feed.mode}, ${now})
    on conflict (merchant_id, account_id) do nothing`)
}

export async function listFeeds(
  db: Database,
  of: { merchantId: number; mode: Mode },
): Promise<readonly Feed[]> {
  return db.query<Feed>(sql`
    select ${columns} from payout_feeds where merchant_id = ${of.merchantId} and mode = ${of.mode}
    order by connector, account_id`)
}

/** Makes an account due now; false when it is none that is asked. */
export async function hurryFeed(
  db: Database,
  key: { merchantId: number; accountId: string },
  now: Date,
): Promise<boolean> {
  const rows = await db.query(sql`
    update payout_feeds set next_check_at = ${now}
    where merchant_id = ${key.merchantId} and account_id = ${key.accountId}
    returning account_id`)
  return rows.length > 0
}

/** The next check is put off for `leaseMs`; then another worker may take it. */
export async function claimDueFeeds(
  db: Database,
  merchantId: number,
  claim: { now: Date; leaseMs: number; max: number },
): Promise<Feed[]> {
  const statement = sql`
    with due as materialized (
      select account_id from payout_feeds where payout_feeds.merchant_id = ${merchantId} and ${isFeedDue(claim.now)}
      order by next_check_at limit ${claim.max}
      for update skip locked
    )
    update payout_feeds set asks = asks + 1, next_check_at = ${new Date(claim.now.getTime() + claim.leaseMs)}
    from due
    where payout_feeds.merchant_id = ${merchantId} and payout_feeds.account_id = due.account_id
    returning ${columns}`
  return db.query<Feed>(planEachTime(statement))
}

/** Due or not: for a person waiting for the answer. */
export async function claimFeed(
  db: Database,
  key: { merchantId: number; accountId: string },
  until: Date,
): Promise<Feed | undefined> {
  const rows = await db.query<Feed>(sql`
    update payout_feeds set asks = asks + 1, next_check_at = ${until}
    where merchant_id = ${key.merchantId} and account_id = ${key.accountId}
    returning ${columns}`)
  return rows[0]
}

/** Somebody claimed the account after us: what we read may be older than what they wrote. */
export class Superseded extends Error {
  constructor() {
    super('Another worker has claimed this account meanwhile')
  }
}

/** Every write about an account begins with this, so that they come one after the other. */
export async function lockFeed(tx: Transaction, feed: Feed): Promise<void> {
  const rows = await tx.query<{ asks: bigint }>(sql`
    select asks from payout_feeds where merchant_id = ${feed.merchant_id} and account_id = ${feed.account_id}
    for update`)
  if (rows[0]?.asks !== feed.asks) throw new Superseded()
}

/** All accounts of a merchant: nobody writes a line until the commit. */
export async function lockFeeds(tx: Transaction, merchantId: number): Promise<void> {
  await tx.query(sql`
    select account_id from payout_feeds where merchant_id = ${merchantId} order by account_id for update`)
}

export async function endAsk(
  db: Database,
  feed: Feed,
  end: { nextCheckAt: Date; readUntil: Date },
): Promise<void> {
  await db.query(sql`
    update payout_feeds
    set next_check_at = ${end.nextCheckAt}, read_until = ${end.readUntil}, failing_since = null, problem = null
    where merchant_id = ${feed.merchant_id} and account_id = ${feed.account_id} and asks = ${feed.asks}`)
}

export async function noteFailure(
  db: Database,
  feed: Feed,
  failure: { now: Date; nextCheckAt: Date; problem: string },
): Promise<void> {
  await db.query(sql`
    update payout_feeds
    set next_check_at = ${failure.nextCheckAt}, problem = ${failure.problem},
        failing_since = coalesce(failing_since, ${failure.now}::timestamptz)
    where merchant_id = ${feed.merchant_id} and account_id = ${feed.account_id} and asks = ${feed.asks}`)
}

export async function noteComparison(tx: Transaction, feed: Feed, now: Date): Promise<void> {
  await tx.query(sql`
    update payout_feeds set compared_at = ${now}
    where merchant_id = ${feed.merchant_id} and account_id = ${feed.account_id}`)
}
