import type { Queryable, Transaction } from '../../../platform/database/database.ts'
import { join, planEachTime, sql, type Sql } from '../../../platform/database/sql.ts'
import type { Mode } from '../../merchants/mode.ts'
import { ownRow } from '../../merchants/own-row.ts'
import { furtherRules, type ListFilter } from '../store.ts'
import { gramsOfNeedle, patternsOf, type Needle, type Searched } from './grams.ts'

// The tables search_slices and search_entries.

export type Scope = { readonly merchantId: number; readonly mode: Mode }

export type Slice = {
  readonly slice: number
  readonly payments: number
  readonly from_at: string
  readonly until_at: string
  readonly until_number: string
}

export type Found = { readonly number: string; readonly created_at: string }
export type Unindexed = Found & Searched

/** Transactions end within 20 seconds: what is older than this is all there. */
const settledAfter = sql`interval '1 minute'`

// Of advisory locks of ours; the merchant's number is the other half of the name.
const lockName = 1_908 // No test: any number will do as the name of a lock

/** While entries are written nobody is erased, and the other way round: an entry could keep who was just erased. */
export async function lockEntries(tx: Transaction, merchantId: number): Promise<void> {
  await tx.query(sql`select pg_advisory_xact_lock(${lockName}::integer, ${merchantId}::integer)`)
}

/** Newest first. */
export async function listSlices(db: Queryable, { merchantId, mode }: Scope): Promise<Slice[]> {
  return db.query<Slice>(sql`
    select slice, payments, from_at, until_at, until_number from search_slices
    where merchant_id = ${merchantId} and mode = ${mode} order by slice desc`)
}

export async function findLastSlice(db: Queryable, { merchantId, mode }: Scope): Promise<Slice | undefined> {
  const rows = await db.query<Slice>(sql`
    select slice, payments, from_at, until_at, until_number from search_slices
    where merchant_id = ${merchantId} and mode = ${mode} order by slice desc limit 1`)
  return rows[0]
}

export async function saveSlice(tx: Transaction, { merchantId, mode }: Scope, slice: Slice): Promise<void> {
  await tx.query(sql`
    insert into search_slices (merchant_id, mode, slice, payments, from_at, until_at, until_number)
    values (${merchantId}, ${mode}, ${slice.slice}, ${slice.payments}, ${slice.from_at}, ${slice.until_at},
      ${slice.until_number})
    on conflict (merchant_id, mode, slice) do update
    set payments = excluded.payments, until_at = excluded.until_at, until_number = excluded.until_number`)
}

const searchedColumns = sql`
  number, created_at, tx_ref, reference, email, first_name, last_name, title, amount_minor, currency`

/** The oldest payments without an entry. */
export async function readToIndex(
  tx: Transaction,
  { merchantId, mode }: Scope,
  { after, max }: { readonly after: Slice | undefined; readonly max: number },
): Promise<Unindexed[]> {
  return tx.query<Unindexed>(
    planEachTime(sql`
      select ${searchedColumns} from payments
      where merchant_id = ${merchantId} and mode = ${mode} and created_at < now() - ${settledAfter} ${isAfter(after)}
      order by created_at, number limit ${max}`),
  )
}

/** The newest payments without an entry. */
export async function readUnindexed(
  db: Queryable,
  { merchantId, mode }: Scope,
  { after, max }: { readonly after: Slice | undefined; readonly max: number },
): Promise<Unindexed[]> {
  return db.query<Unindexed>(
    planEachTime(sql`
      select ${searchedColumns} from payments
      where merchant_id = ${merchantId} and mode = ${mode} ${isAfter(after)}
      order by created_at desc, number desc limit ${max}`),
  )
}

function isAfter(slice: Slice | undefined): Sql {
  return slice ? sql`and (created_at, number) > (${slice.until_at}, ${slice.until_number})` : sql``
}

export type Entry = Found & {
  readonly slice: number
  readonly text: string
  readonly grams: readonly number[]
}

export async function insertEntries(
  tx: Transaction,
  merchantId: number,
  entries: readonly Entry[],
): Promise<void> {
  await tx.query(sql`
    insert into search_entries (merchant_id, number, slice, text, grams, created_at)
    select merchant.merchant_id, entry.number, entry.slice, entry.text, entry.grams::integer[], entry.created_at
    from ${ownRow(merchantId)}, json_to_recordset(${asJson(entries)})
      as entry (number text, slice integer, text text, grams text, created_at timestamptz)
    on conflict (merchant_id, number) do nothing`)
}

function asJson(entries: readonly Entry[]): string {
  return JSON.stringify(entries.map((entry) => ({ ...entry, grams: `{${entry.grams.join(',')}}` })))
}

/** What the payments of entries say now. */
export async function readIndexed(
  tx: Transaction,
  merchantId: number,
  numbers: readonly string[],
): Promise<(Unindexed & { mode: Mode; slice: number })[]> {
  return tx.query(sql`
    select payments.number, payments.created_at, payments.tx_ref, payments.reference, payments.email,
      payments.first_name, payments.last_name, payments.title, payments.amount_minor, payments.currency, payments.mode,
      search_entries.slice
    from search_entries
    join payments on payments.merchant_id = ${merchantId} and payments.number = search_entries.number
    where search_entries.merchant_id = ${merchantId} and search_entries.number = any(${numbers}::text[])`)
}

export async function replaceEntries(
  tx: Transaction,
  merchantId: number,
  entries: readonly Entry[],
): Promise<void> {
  await tx.query(sql`
    update search_entries set text = entry.text, grams = entry.grams
    from json_to_recordset(${JSON.stringify(entries)}) as entry (number text, text text, grams integer[])
    where search_entries.merchant_id = ${merchantId} and search_entries.number = entry.number`)
}

/**
 * Newest first, of some slices, at most `limit`. Slices come newest first and are read in this order, so the second limit ends
 * the look at the slice that fills the page: without it a part of every older payment cost two seconds.
 */
export async function findEntries(
  db: Queryable,
  filter: ListFilter & { readonly needles: readonly Needle[] },
  slices: readonly number[],
): Promise<Found[]> {
  const { merchantId, mode, needles, limit } = filter
  const looks = needles.map((needle) => {
    const grams = slices.map((slice) => `{${gramsOfNeedle(needle, { merchantId, mode, slice }).join(',')}}`)
    return sql`(
      select entries.number, entries.created_at from unnest(${grams}::text[]) as look (grams)
      cross join lateral (
        select search_entries.number, search_entries.created_at from search_entries ${paymentsIn(filter)}
        where search_entries.merchant_id = ${merchantId} and search_entries.grams @> look.grams::integer[]
          and search_entries.text like all(${patternsOf(needle)}::text[]) ${rulesOf(filter)}
        order by search_entries.created_at desc, search_entries.number desc limit ${limit}
      ) as entries
      limit ${limit}
    )`
  })
  return db.query<Found>(
    planEachTime(sql`
      select number, created_at from (${join(looks, ' union ')}) as found
      order by created_at desc, number desc limit ${limit}`),
  )
}

/** Payments are read only where their own columns are asked about: they were four of five pages that a search read. */
function isFiltered(filter: ListFilter): boolean {
  const always = ['merchantId', 'mode', 'search', 'needles', 'after', 'limit']
  return Object.entries(filter).some(([name, rule]) => rule !== undefined && !always.includes(name))
}

function paymentsIn(filter: ListFilter): Sql {
  if (!isFiltered(filter)) return sql``
  return sql`join payments on payments.merchant_id = ${filter.merchantId} and payments.number = search_entries.number`
}

function rulesOf(filter: ListFilter): Sql {
  if (isFiltered(filter)) return sql`and payments.mode = ${filter.mode} ${furtherRules(filter)}`
  const { after } = filter
  if (!after) return sql``
  return sql`and (search_entries.created_at, search_entries.number) < (${after.createdAt}, ${after.number})`
}
