import type { Database, Queryable, Transaction } from '../../../platform/database/database.ts'
import { sql, type Sql } from '../../../platform/database/sql.ts'
import type { Mode } from '../../merchants/mode.ts'
import { leakMs } from './limits.ts'

// The tables decline_levels and card_attacks. All times are those of the server that writes, as the rules are its own.

/** Where an attempt came from and with which card, as keyed hashes. */
export type Trace = { readonly addressHash: string; readonly cardFingerprint: string }

export type NewDeclines = {
  readonly mode: Mode
  readonly kind: 'address' | 'card'
  readonly name: string
  readonly times: number
}

export type AttackRow = {
  readonly mode: Mode
  readonly declines: number
  readonly counted_from: string
  readonly since: string | null
  readonly until: string | null
}

export type Counting = {
  readonly levels: readonly NewDeclines[]
  /** Declines that may be part of an attack, by mode. */
  readonly ofMerchant: readonly { readonly mode: Mode; readonly times: number }[]
  readonly at: Date
  /** An attack counted from before this starts its count again. */
  readonly windowFrom: Date
  readonly levelMax: number
}

/**
 * Rows are written in one order, so that two servers which count at once never wait for each other. Each is an insert of its
 * own with values: these go straight to the merchant's node of a cluster.
 */
export async function countDeclines(
  tx: Transaction,
  merchantId: number,
  counting: Counting,
): Promise<AttackRow[]> {
  // No test: no two levels have the same name
  const levels = counting.levels.toSorted((one, other) => (levelName(one) < levelName(other) ? -1 : 1))
  const modes = counting.ofMerchant.toSorted((one, other) => (one.mode < other.mode ? -1 : 1))
  const answers = await tx.queryAll<AttackRow>([
    ...levels.map((level) => raiseLevel(merchantId, counting, level)),
    ...modes.map((declined) => countForAttack(merchantId, counting, declined)),
  ])
  return answers.slice(levels.length).flat()
}

function levelName({ mode, kind, name }: NewDeclines): string {
  return `${mode} ${kind} ${name}`
}

/** A parameter beside a column, never one of several in a CASE: a node of a cluster is not told its type and takes it for text. */
function raiseLevel(merchantId: number, { at, levelMax }: Counting, declined: NewDeclines): Sql {
  const { mode, kind, name, times } = declined
  return sql`
    insert into decline_levels as known (merchant_id, mode, kind, name, level, level_at)
    values (${merchantId}, ${mode}, ${kind}, ${name}, ${Math.min(times, levelMax)}, ${at})
    on conflict (merchant_id, mode, kind, name) do update
    set level = least(
          greatest(known.level - greatest(extract(epoch from excluded.level_at - known.level_at), 0)
            / ${leakMs(kind, mode) / 1_000}::double precision, 0) + excluded.level,
          ${levelMax}::double precision),
        level_at = excluded.level_at`
}

function countForAttack(
  merchantId: number,
  { at, windowFrom }: Counting,
  { mode, times }: { mode: Mode; times: number },
): Sql {
  return sql`
    insert into card_attacks as known (merchant_id, mode, declines, counted_from)
    values (${merchantId}, ${mode}, ${times}, ${at})
    on conflict (merchant_id, mode) do update
    set declines = case when known.counted_from between ${windowFrom} and excluded.counted_from
                        then known.declines else 0 end + excluded.declines,
        counted_from = case when known.counted_from between ${windowFrom} and excluded.counted_from
                            then known.counted_from else excluded.counted_from end
    returning mode, declines, counted_from, since, until`
}

/**
 * Payments that succeeded since then, counted up to `max`. Found by their creation time, which is indexed: customers
 * pay within the hour.
 */
export async function countSuccesses(
  tx: Transaction,
  of: { merchantId: number; mode: Mode; since: Date; max: number },
): Promise<number> {
  const createdFrom = new Date(of.since.getTime() - 3_600_000)
  // No test of "desc": only the count is used; the order keeps the planner on the index
  const rows = await tx.query(sql`
    select from payments
    where merchant_id = ${of.merchantId} and mode = ${of.mode} and state = 'success' and created_at > ${createdFrom}
      and updated_at >= ${of.since}
    order by created_at desc limit ${of.max}`)
  return rows.length
}

/** From `since` to `until`; the caller holds the lock on the row. */
export async function setAttack(
  tx: Transaction,
  merchantId: number,
  attack: { mode: Mode; since: Date; until: Date },
): Promise<void> {
  await tx.query(sql`
    update card_attacks set since = ${attack.since}, until = ${attack.until}
    where merchant_id = ${merchantId} and mode = ${attack.mode}`)
}

/** The modes in which the merchant is under attack, for those who are about to write down a reason. */
export async function findAttacks(db: Queryable, merchantId: number, at: Date): Promise<Mode[]> {
  const rows = await db.query<{ mode: Mode }>(sql`
    select mode from card_attacks where merchant_id = ${merchantId} and until > ${at}`)
  return rows.map(({ mode }) => mode)
}

export type StandingRow = {
  readonly address_level: number | null
  readonly address_level_at: string | null
  readonly card_level: number | null
  readonly card_level_at: string | null
  readonly attack_until: string | null
  readonly open: number
  readonly newest_open: string | null
  readonly order_declines: number
  readonly order_declined_at: string | null
}

export type StandingOf = {
  readonly merchantId: number
  readonly number: string
  readonly mode: Mode
  readonly trace: Trace
}

/** All that is known against an address, a card and an order, in one row. */
export async function readStanding(
  db: Database,
  { merchantId, number, mode, trace }: StandingOf,
): Promise<StandingRow | undefined> {
  const rows = await db.query<StandingRow>(sql`
    select address.level as address_level, address.level_at as address_level_at,
           card.level as card_level, card.level_at as card_level_at,
           card_attacks.until as attack_until, challenged.open, challenged.newest_open,
           own.order_declines, own.order_declined_at
    from (
      select count(*)::integer as open, max(started_at) as newest_open from attempts
      where attempts.merchant_id = ${merchantId} and challenged_from = ${trace.addressHash}
    ) as challenged
    cross join (
      select count(*)::integer as order_declines, max(started_at) as order_declined_at from attempts
      where attempts.merchant_id = ${merchantId} and attempts.number = ${number} and attempts.state = 'declined'
    ) as own
    left join decline_levels as address on address.merchant_id = ${merchantId} and address.mode = ${mode}
      and address.kind = 'address' and address.name = ${trace.addressHash}
    left join decline_levels as card on card.merchant_id = ${merchantId} and card.mode = ${mode}
      and card.kind = 'card' and card.name = ${trace.cardFingerprint}
    left join card_attacks on card_attacks.merchant_id = ${merchantId} and card_attacks.mode = ${mode}`)
  return rows[0]
}

/** Forgets what was last added to before `before`; returns how many rows that were. */
export async function forgetHashes(db: Database, merchantId: number, before: Date): Promise<number> {
  const [levels = [], attempts = []] = await db.queryAll([
    sql`
    delete from decline_levels where merchant_id = ${merchantId} and level_at < ${before}
    returning kind`,
    // An attempt whose outcome has been unknown for this long.
    sql`
    update attempts set address_hash = null, card_fingerprint = null, challenged_from = null
    where merchant_id = ${merchantId} and state in ('started', 'action_required', 'submitted', 'unknown')
      and card_fingerprint is not null and started_at < ${before}
    returning number`,
  ])
  return levels.length + attempts.length
}
