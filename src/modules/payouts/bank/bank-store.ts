import type { Queryable, Transaction } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'
import type { Mode } from '../../../core/merchants/mode.ts'
import type { PayoutState } from '../state-machine.ts'

// The table bank_entries, and the payouts that its entries are held against.

export type Scope = { readonly merchantId: number; readonly mode: Mode }

export type SentPayout = {
  readonly id: string
  readonly connector: string
  readonly reference: string
  readonly bank_reference: string | null
  readonly state: PayoutState
  readonly amount_minor: bigint
  readonly currency: string
  /** The day it was to arrive; without one, the day it was made. */
  readonly day: string
  /** An entry of the bank is for it. */
  readonly is_seen: boolean
}

/** Some years of daily payouts of several networks; older ones are not matched any more. */
const payoutsMax = 20_000

export async function listSentPayouts(db: Queryable, { merchantId, mode }: Scope): Promise<SentPayout[]> {
  return db.query<SentPayout>(sql`
    select id, connector, reference, bank_reference, state, amount_minor, currency,
      coalesce(arrives_on::text, to_char(made_at at time zone 'UTC', 'YYYY-MM-DD')) as day,
      exists (select from bank_entries where bank_entries.merchant_id = ${merchantId}
        and bank_entries.payout_id = payouts.id and matched_by <> 'return') as is_seen
    from payouts where merchant_id = ${merchantId} and mode = ${mode}
    order by made_at desc, id desc limit ${payoutsMax}`)
}

/** Arrived, as the network says, and in no statement. The newest first. */
export async function listUnseenPayouts(
  db: Queryable,
  { merchantId, mode }: Scope,
  limit: number,
): Promise<SentPayout[]> {
  return db.query<SentPayout>(sql`
    select id, connector, reference, bank_reference, state, amount_minor, currency,
      coalesce(arrives_on::text, to_char(made_at at time zone 'UTC', 'YYYY-MM-DD')) as day, false as is_seen
    from payouts where merchant_id = ${merchantId} and mode = ${mode} and state = 'arrived'
      and not exists (select from bank_entries where bank_entries.merchant_id = ${merchantId}
        and bank_entries.payout_id = payouts.id and matched_by <> 'return')
    order by made_at desc, id desc limit ${limit}`)
}

export type EntryRow = {
  readonly account: string
  readonly entry: string
  readonly booked_on: string
  readonly amount_minor: bigint
  readonly currency: string
  readonly description: string
  readonly payout_id: string | null
  readonly matched_by: 'reference' | 'amount' | 'return' | null
}

const entryColumns = sql`account, entry, booked_on::text as booked_on, amount_minor, currency, description, payout_id, matched_by`

/** The stored ones among these, by account and entry. */
export async function findEntries(
  db: Queryable,
  { merchantId, mode }: Scope,
  keys: readonly { readonly account: string; readonly key: string }[],
): Promise<EntryRow[]> {
  return db.query<EntryRow>(sql`
    select ${entryColumns} from bank_entries where merchant_id = ${merchantId} and mode = ${mode}
      and entry = any(${[...new Set(keys.map(({ key }) => key))]}::text[])`)
}

/** The newest first. */
export async function listLeftEntries(
  db: Queryable,
  { merchantId, mode }: Scope,
  limit: number,
): Promise<EntryRow[]> {
  return db.query<EntryRow>(sql`
    select ${entryColumns} from bank_entries
    where merchant_id = ${merchantId} and mode = ${mode} and payout_id is null
    order by booked_on desc, account, entry limit ${limit}`)
}

/** True once a statement had a payout, or named a network. */
export async function hasEntries(db: Queryable, { merchantId, mode }: Scope): Promise<boolean> {
  const rows = await db.query(sql`
    select true as has from bank_entries where merchant_id = ${merchantId} and mode = ${mode} limit 1`)
  return rows.length > 0
}

/** The entries that were found for a payout: its arrival, and what the bank sent back. */
export async function listEntriesOf(
  db: Queryable,
  merchantId: number,
  payoutId: string,
): Promise<EntryRow[]> {
  return db.query<EntryRow>(sql`
    select ${entryColumns} from bank_entries where merchant_id = ${merchantId} and payout_id = ${payoutId}
    order by booked_on, entry`)
}

/** An entry that was left over gets its payout; one that has a payout keeps it. */
export async function upsertEntry(
  tx: Transaction,
  { merchantId, mode }: Scope,
  row: EntryRow,
): Promise<void> {
  await tx.query(sql`
    insert into bank_entries as known (merchant_id, mode, account, entry, booked_on, amount_minor, currency, description,
      payout_id, matched_by)
    values (${merchantId}, ${mode}, ${row.account}, ${row.entry}, ${row.booked_on}, ${row.amount_minor}, ${row.currency},
      ${row.description}, ${row.payout_id}, ${row.matched_by})
    on conflict (merchant_id, mode, account, entry) do update
      set payout_id = excluded.payout_id, matched_by = excluded.matched_by
      where known.payout_id is null`)
}
