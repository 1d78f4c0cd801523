import type { Queryable, Transaction } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'
import { ownRow } from '../../../core/merchants/own-row.ts'
import type { Mode } from '../../../core/merchants/mode.ts'

// The tables entries and balances. An entry is one event, spread over all accounts of the ledger: its sum is zero, which the
// database checks. Balances are the sums of entries, changed in the same commit.

export type Amounts = {
  /** What customers paid, minus refunds; negative, as the money came from there. */
  readonly sales: bigint
  readonly fees: bigint
  readonly taxes: bigint
  /** At the network. */
  readonly held: bigint
  readonly on_its_way: bigint
  readonly arrived: bigint
}

/** The ledger's owner: one account of a merchant at a network. */
export type LedgerOf = {
  readonly merchant_id: number
  readonly account_id: string
  readonly connector: string
  readonly mode: Mode
}

export type Entry = Partial<Amounts> & {
  /** Its source; the same source is booked once. */
  readonly source: string
  readonly currency: string
  readonly at: Date
}

const columns = ['sales', 'fees', 'taxes', 'held', 'on_its_way', 'arrived'] as const

export async function addEntries(tx: Transaction, of: LedgerOf, entries: readonly Entry[]): Promise<void> {
  const moving = entries.filter((entry) => columns.some((name) => (entry[name] ?? 0n) !== 0n))
  if (moving.length === 0) return
  const rows = moving.map((entry) => ({
    source: entry.source,
    currency: entry.currency,
    at: entry.at,
    ...Object.fromEntries(columns.map((name) => [name, String(entry[name] ?? 0n)])),
  }))
  // Known entries are left out of the balances as well: a replay changes nothing.
  const written = await tx.query<{ source: string }>(sql`
    insert into entries (merchant_id, account_id, source, mode, currency, at, sales_minor, fees_minor, taxes_minor,
      held_minor, on_its_way_minor, arrived_minor)
    select merchant.merchant_id, ${of.account_id}, source, ${of.mode}, currency, at, sales, fees, taxes, held, on_its_way,
      arrived
    from ${ownRow(of.merchant_id)}, json_to_recordset(${JSON.stringify(rows)}) as entry (source text, currency text,
      at timestamptz, sales bigint, fees bigint, taxes bigint, held bigint, on_its_way bigint, arrived bigint)
    on conflict (merchant_id, account_id, source) do nothing
    returning source`)
  const fresh = new Set(written.map(({ source }) => source))
  const booked = moving.filter(({ source }) => fresh.has(source))
  for (const [currency, ofCurrency] of Map.groupBy(booked, (entry) => entry.currency))
    await addToBalance(tx, of, currency, sumOf(ofCurrency))
}

export function sumOf(entries: readonly Partial<Amounts>[]): Amounts {
  const sum = (name: keyof Amounts): bigint => entries.reduce((all, entry) => all + (entry[name] ?? 0n), 0n)
  return {
    sales: sum('sales'),
    fees: sum('fees'),
    taxes: sum('taxes'),
    held: sum('held'),
    on_its_way: sum('on_its_way'),
    arrived: sum('arrived'),
  }
}

async function addToBalance(tx: Transaction, of: LedgerOf, currency: string, sum: Amounts): Promise<void> {
  await tx.query(sql`
    insert into balances as balance (merchant_id, account_id, currency, mode, connector, sales_minor, fees_minor,
      taxes_minor, held_minor, on_its_way_minor, arrived_minor)
    values (${of.merchant_id}, ${of.account_id}, ${currency}, ${of.mode}, ${of.connector}, ${sum.sales}, ${sum.fees},
      ${sum.taxes}, ${sum.held}, ${sum.on_its_way}, ${sum.arrived})
    on conflict (merchant_id, account_id, currency) do update set
      sales_minor = balance.sales_minor + excluded.sales_minor, fees_minor = balance.fees_minor + excluded.fees_minor,
      taxes_minor = balance.taxes_minor + excluded.taxes_minor, held_minor = balance.held_minor + excluded.held_minor,
      on_its_way_minor = balance.on_its_way_minor + excluded.on_its_way_minor,
      arrived_minor = balance.arrived_minor + excluded.arrived_minor`)
}

export type BalanceRow = {
  readonly account_id: string
  readonly connector: string
  readonly currency: string
  readonly sales_minor: bigint
  readonly fees_minor: bigint
  readonly taxes_minor: bigint
  readonly held_minor: bigint
  readonly on_its_way_minor: bigint
  readonly arrived_minor: bigint
  readonly difference_minor: bigint | null
}

export async function listBalances(
  db: Queryable,
  of: { readonly merchantId: number; readonly mode: Mode },
): Promise<BalanceRow[]> {
  return db.query<BalanceRow>(sql`
    select account_id, connector, currency, sales_minor, fees_minor, taxes_minor, held_minor, on_its_way_minor,
           arrived_minor, difference_minor
    from balances where merchant_id = ${of.merchantId} and mode = ${of.mode}
    order by connector, account_id, currency`)
}

export async function setDifference(
  tx: Transaction,
  of: LedgerOf,
  currency: string,
  differenceMinor: bigint,
): Promise<void> {
  await tx.query(sql`
    update balances set difference_minor = ${differenceMinor}
    where merchant_id = ${of.merchant_id} and account_id = ${of.account_id} and currency = ${currency}`)
}
