import {
  inTransaction,
  type Database,
  type Queryable,
  type Row,
  type Transaction,
} from '../../src/platform/database/database.ts'
import { sql } from '../../src/platform/database/sql.ts'
import type { Mode } from '../../src/core/merchants/mode.ts'
import { neighbour, own } from './notification-rows.ts'
import { waitUntil } from './wait-until.ts'
import { countWaiting } from './who-waits.ts'

// What a function does to the rows of notification-rows.ts, of both merchants: which it changes, and which it locks.

type Changes = Record<string, Row>

/** What `work` writes, by the names of the rows: of a row that was there the columns that are different now. */
export async function changesBy(db: Queryable, work: () => Promise<unknown>): Promise<Changes> {
  const before = await readRows(db)
  await work()
  const changes: Changes = {}
  for (const [name, row] of await readRows(db)) {
    const was = before.get(name) ?? {}
    const changed = Object.entries(row).filter(([column, value]) => String(was[column]) !== String(value))
    if (changed.length > 0) changes[name] = Object.fromEntries(changed)
  }
  return changes
}

/** The next question finds everything as it was. */
export async function undone<Result>(
  db: Database,
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  const results: Result[] = []
  const enough = new Error('undone')
  await inTransaction(db, async (tx) => {
    results.push(await work(tx))
    throw enough
  }).catch((error: unknown) => {
    if (error !== enough) throw error
  })
  return results[0] as Result
}

/** The names of deliveries and receivers that nobody else could change now. */
export async function lockedRows(db: Database): Promise<string[]> {
  const free = await db.queryAll(
    [own, neighbour].flatMap((merchantId) => [
      sql`select * from deliveries where merchant_id = ${merchantId} for no key update skip locked`,
      sql`select * from receivers where merchant_id = ${merchantId} for no key update skip locked`,
    ]),
  )
  const names = new Set(free.flat().map(rowName))
  const rows = [...(await readRows(db)).values()].filter((row) => 'origin' in row)
  return rows
    .map(rowName)
    .filter((name) => !names.has(name))
    .toSorted()
}

/** What `work` has locked when it comes to a receiver of the own merchant that somebody else holds, and that one. */
export async function lockedBefore(
  db: Database,
  held: { readonly mode: Mode; readonly origin: string },
  work: (tx: Transaction) => Promise<unknown>,
): Promise<string[]> {
  let waiting: Promise<unknown> | undefined
  const locked = await inTransaction(db, async (holder) => {
    await holder.query(sql`
      select from receivers where merchant_id = ${own} and mode = ${held.mode} and origin = ${held.origin} for update`)
    waiting = inTransaction(db, work)
    await waitUntil('it waits for the receiver', async () => (await countWaiting(db)) === 1)
    return lockedRows(db)
  })
  await waiting
  return locked
}

async function readRows(db: Queryable): Promise<Map<string, Row>> {
  const rows = await db.queryAll(
    [own, neighbour].flatMap((merchantId) => [
      sql`select * from deliveries where merchant_id = ${merchantId}`,
      sql`select * from delivery_attempts where merchant_id = ${merchantId}`,
      sql`select * from receivers where merchant_id = ${merchantId}`,
      sql`select * from webhook_secrets where merchant_id = ${merchantId}`,
    ]),
  )
  return new Map(rows.flat().map((row) => [rowName(row), row]))
}

/** The keys of these tables do not look alike. */
function rowName(row: Row): string {
  const { merchant_id, kind, id, delivery_id, attempt, mode, origin } = row as Record<string, string | number>
  const whose = merchant_id === own ? 'own' : 'neighbour'
  if (delivery_id !== undefined) return `${whose} ${delivery_id}/${attempt}`
  return kind === undefined ? `${whose} ${mode} ${origin ?? id}` : `${whose} ${id}`
}
