import { Database, type Queryable } from '../../src/platform/database/database.ts'
import { join, sql, type Sql } from '../../src/platform/database/sql.ts'
import { createMerchant } from '../../src/core/merchants/create-merchant.ts'
import { createTestDatabase } from './database.ts'

// Rows as a test wants them, written straight into the tables: for what takes days to come about, or never should.

export type Values = Readonly<Record<string, unknown>>

export type TwoMerchants = {
  readonly db: Database
  readonly own: number
  readonly other: number
  /** Each of the two, with the other one. */
  readonly both: readonly (readonly [own: number, other: number])[]
  close(): Promise<void>
}

/** What comes in order here was put in order by the statement: an index has its rows in order, and so has a sorted group. */
export function openWithoutOrder(database: { readonly url: string }): Database {
  const url = new URL(database.url)
  const ways = ['indexscan', 'indexonlyscan', 'sort']
  url.searchParams.set('options', ways.map((way) => `-c enable_${way}=off`).join(' '))
  return new Database(url.href)
}

/** A database with two merchants and nothing of theirs. */
export async function openTwoMerchants(): Promise<TwoMerchants> {
  const database = await createTestDatabase()
  const db = openWithoutOrder(database)
  const ids = [await createMerchant(db, { name: 'One' }), await createMerchant(db, { name: 'Other' })]
  const [own = 0, other = 0] = ids.toSorted((a, b) => a - b)
  return {
    db,
    own,
    other,
    both: [
      [own, other],
      [other, own],
    ],
    async close() {
      await db.close()
      await database.drop()
    },
  }
}

/** In one statement. What a row leaves out has the default of its column. */
export async function insertRows(db: Queryable, table: string, rows: readonly Values[]): Promise<void> {
  if (rows.length === 0) return
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  const tuples = rows.map((row) => {
    const values = columns.map((column) => (column in row ? sql`${row[column]}` : sql`default`))
    return sql`(${join(values, ', ')})`
  })
  await db.query(sql`insert into ${bare(table)} (${bare(columns.join(', '))}) values ${join(tuples, ', ')}`)
}

/** All rows of a merchant in a table, as text. */
export async function storedRows(db: Queryable, table: string, merchantId: number): Promise<string[]> {
  const rows = await db.query<{ row: string }>(sql`
    select row_to_json(stored)::text as row from ${bare(table)} as stored where merchant_id = ${merchantId}`)
  return rows.map(({ row }) => row).toSorted()
}

/** The numbers of a merchant's payments that nobody else could change now. */
export async function lockedNumbers(db: Database, merchantId: number): Promise<string[]> {
  const rows = await db.query<{ number: string }>(sql`
    select number from payments where merchant_id = ${merchantId}
    except
    select number from (
      select number from payments where merchant_id = ${merchantId} for no key update skip locked
    ) as free
    order by number`)
  return rows.map(({ number }) => number)
}

/** A small number with all the digits that the number of a payment has. */
export function paymentNumber(small: number): string {
  return String(small).padStart(24, '0')
}

export function paymentNumbers<Small extends readonly number[]>(
  ...small: Small
): { [Place in keyof Small]: string } {
  return small.map(paymentNumber) as { [Place in keyof Small]: string }
}

type PaymentValues = Values & { readonly merchant_id: number; readonly number: string }

export function paymentRow(changes: PaymentValues): PaymentValues {
  return {
    mode: 'test',
    tx_ref: `order-${changes.number}`,
    reference: changes.number.slice(-12),
    type: 'API',
    currency: 'GBP',
    amount_minor: 1_000n,
    charge_minor: 34n,
    email: 'ada@example.com',
    first_name: 'Ada',
    last_name: 'Lovelace',
    ...changes,
  }
}

/** The first attempt of a payment, unless told otherwise; through an account by card. */
export function attemptRow(changes: PaymentValues & { readonly attempt?: number }): PaymentValues {
  const attempt = changes.attempt ?? 1
  return {
    attempt,
    connector: 'test-network',
    idempotency_key: `${changes.number}/${attempt}`,
    ...('account_id' in changes && changes['account_id'] !== null && { method: 'card' }),
    ...changes,
  }
}

/** The first refund of a payment, of one pound, unless told otherwise; `name` is an e-mail or two. */
export function refundRow(changes: PaymentValues & { readonly name: string }): PaymentValues {
  const { name, ...values } = changes
  return {
    id: `rfd_${name.padStart(16, '0')}`,
    place: 1,
    mode: 'test',
    refund_ref: `ref-${name}`,
    tx_ref: `order-${changes.number}`,
    reference: changes.number.slice(-12),
    currency: 'GBP',
    amount_minor: 100n,
    asked_all: false,
    returns_fee: false,
    ...values,
  }
}

/** An open dispute about all of a payment, which was asked about once. */
export function disputeRow(changes: PaymentValues & { readonly name: string }): PaymentValues {
  const { name, ...values } = changes
  const at = new Date('2026-11-15T12:00:00Z')
  return {
    id: `dsp_${name}`,
    mode: 'test',
    tx_ref: `order-${changes.number}`,
    connector: 'stripe',
    account_id: 'acc_1',
    reference: `du_${name}`,
    state: 'evidence_due',
    reason: 'fraudulent',
    amount_minor: 1_000n,
    currency: 'GBP',
    money_taken: true,
    asks: 1,
    answered: 1,
    opened_at: at,
    updated_at: at,
    ...values,
  }
}

function bare(text: string): Sql {
  return join([{ text, values: [], name: undefined }], '')
}
