import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import {
  insertRows,
  openTwoMerchants,
  paymentNumbers,
  paymentRow,
  storedRows,
  type TwoMerchants,
} from '../../../../test/support/rows.ts'
import { waitUntil } from '../../../../test/support/wait-until.ts'
import { countWaiting } from '../../../../test/support/who-waits.ts'
import { inTransaction, type Transaction } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'
import type { Mode } from '../../merchants/mode.ts'
import { noFigures } from './tally.ts'
import {
  addToTotals,
  dropTotals,
  insertTally,
  insertUntally,
  keepFromFolding,
  mayFold,
  readTotals,
  takeChanges,
  type TotalRow,
} from './total-store.ts'

let merchants: TwoMerchants
before(async () => {
  merchants = await openTwoMerchants()
})
beforeEach(async () => {
  for (const [own] of merchants.both)
    await merchants.db.queryAll([
      sql`delete from daily_totals where merchant_id = ${own}`,
      sql`delete from daily_total_changes where merchant_id = ${own}`,
    ])
})
after(() => merchants.close())

const modes = ['test', 'live'] as const
const currencies = ['EUR', 'GBP'] as const
const days = ['2026-11-14', '2026-11-15', '2026-11-16'] as const
const [dayBefore, day, dayAfter] = days
const tables = ['daily_totals', 'daily_total_changes'] as const

/** One of each mode, currency and day; `paid` tells each from all others, and sums from other sums. */
function everyRow(merchant_id: number): Kept[] {
  return modes.flatMap((mode, inMode) =>
    currencies.flatMap((currency, inCurrency) =>
      days.map((one, inDay) => {
        const place = (inMode * currencies.length + inCurrency) * days.length + inDay
        return { merchant_id, mode, currency, day: one, paid: 1 << place }
      }),
    ),
  )
}
type Kept = { merchant_id: number; mode: Mode; currency: string; day: string; paid: number }

async function fillBothTables(): Promise<void> {
  const rows = [...everyRow(merchants.own), ...everyRow(merchants.other)]
  for (const table of tables) await insertRows(merchants.db, table, rows)
}

test('totals are those of a merchant and a mode between two moments, with what is not folded into them yet', async () => {
  await fillBothTables()
  for (const [own] of merchants.both)
    for (const mode of modes) {
      const wanted = everyRow(own)
        .filter((row) => row.mode === mode && row.day >= day)
        .map((row) => `${row.currency} ${row.day === day ? 1 : 2} ${2 * row.paid}`)
      const moments = [day, dayAfter, '2026-11-17'].map((one) => new Date(one))
      const rows = await readTotals(merchants.db, { merchantId: own, mode, moments })
      assert.deepEqual(
        rows.map(({ currency, span, paid }) => `${currency} ${span} ${paid}`),
        wanted,
      )
    }
})

test('a quarter of an hour counts in the day of whichever time zone it is in', async () => {
  const { db, own } = merchants
  const figures = { mode: 'test', currency: 'GBP', ...noFigures } as const
  // In Kathmandu the 15th began at 18:15 UTC.
  await db.queryAll([
    insertTally(own, { ...figures, paid: 1n }, '2026-11-14T18:14:59Z'),
    insertTally(own, { ...figures, paid: 10n, feeMinor: 3n }, '2026-11-14T18:15:00Z'),
    insertTally(own, { ...figures, paid: 100n }, '2026-11-15T18:14:59Z'),
    insertTally(own, { ...figures, paid: 1_000n }, '2026-11-15T18:15:00Z'),
  ])
  const moments = ['2026-11-14T18:15:00Z', '2026-11-15T18:15:00Z'].map((one) => new Date(one))
  const read = async () => readTotals(db, { merchantId: own, mode: 'test', moments })
  const waiting = await read()
  assert.deepEqual(
    waiting.map(({ paid, fee_minor }) => [paid, fee_minor]),
    [[110n, 3n]],
  )
  await inTransaction(db, async (tx) => addToTotals(tx, own, await takeChanges(tx, own, 10)))
  assert.deepEqual(await read(), waiting, 'and so it does once it is folded')
})

test('figures are taken from the last day on which the payment itself came into its state', async () => {
  const { db, own, other } = merchants
  const [number, another, without] = paymentNumbers(1, 2, 3)
  await insertRows(
    db,
    'payments',
    [own, other].flatMap((merchant_id) =>
      [number, another, without].map((one) => paymentRow({ merchant_id, number: one })),
    ),
  )
  const moved = { merchant_id: own, number, event: 'any', from_state: 'pending', to_state: 'cancelled' }
  const noon = (date: string): string => `${date}T12:00:00Z`
  await insertRows(db, 'payment_history', [
    { ...moved, id: 1, at: noon(dayBefore) },
    { ...moved, id: 2, at: `${day}T23:59:59.999Z` },
    { ...moved, id: 3, at: noon(dayAfter), to_state: 'expired' },
    { ...moved, id: 4, at: noon(dayAfter), attempt: 1 },
    { ...moved, id: 1, at: noon(dayAfter), number: another },
    { ...moved, id: 1, at: noon(dayAfter), merchant_id: other },
  ])
  const figures = { mode: 'test', currency: 'GBP', ...noFigures, unpaid: -1n } as const
  const since = { ...figures, sinceState: 'cancelled' } as const
  await db.queryAll([
    insertUntally(own, { ...since, number }),
    insertUntally(own, { ...since, number: without }),
    insertTally(own, { ...figures, unpaid: 5n }, `${dayBefore}T00:00:00+01:00`),
  ])
  const changes = await db.query(sql`
    select day::text as day, unpaid from daily_total_changes where merchant_id = ${own} order by day`)
  assert.deepEqual(changes, [
    { day: '2026-11-13', unpaid: 5n },
    { day, unpaid: -1n },
  ])
  assert.deepEqual(await storedRows(db, 'daily_total_changes', other), [])
})

test('changes are taken once, as many as asked for, and of one merchant even where ids are the same', async () => {
  const { db, own, other } = merchants
  const change = { mode: 'test', currency: 'GBP', day }
  const changesOf = (merchant_id: number, ids: readonly number[]) =>
    ids.map((id) => ({ ...change, merchant_id, id: `00000000-0000-4000-8000-00000000000${id}` }))
  // Those that one of them alone has come first.
  await insertRows(db, 'daily_total_changes', [
    ...changesOf(other, [4, 5, 6, 1, 2, 3]),
    ...changesOf(own, [1, 2, 3]),
  ])
  const takeAll = async (merchantId: number): Promise<number[]> => {
    const counts: number[] = []
    while (counts.at(-1) !== 0)
      counts.push(await inTransaction(db, async (tx) => (await takeChanges(tx, merchantId, 2)).length))
    return counts
  }
  const others = await storedRows(db, 'daily_total_changes', other)
  assert.deepEqual(await takeAll(own), [2, 1, 0])
  assert.deepEqual(await storedRows(db, 'daily_total_changes', other), others)
  assert.deepEqual(await takeAll(other), [2, 2, 2, 0])
})

test('two workers take different changes, and neither waits for the other', async () => {
  const { db, own } = merchants
  await insertRows(db, 'daily_total_changes', everyRow(own))
  const paid = await inTransaction(db, async (one) => {
    const first = await takeChanges(one, own, 1)
    const second = await inTransaction(db, async (two) => {
      await two.query(sql`set local lock_timeout = '1s'`)
      return takeChanges(two, own, 100)
    })
    return [first, second].map((rows) => rows.map((row) => Number(row.paid)))
  })
  assert.deepEqual(
    paid.map((rows) => rows.length),
    [1, 11],
  )
  assert.deepEqual(new Set(paid.flat()), new Set(everyRow(own).map((row) => row.paid)))
})

test('what is added to totals is added to those of its merchant, mode, currency and day', async () => {
  const { db, own, other } = merchants
  await insertRows(db, 'daily_totals', [...everyRow(own), ...everyRow(other)])
  const others = await storedRows(db, 'daily_totals', other)
  const added = {
    mode: 'test',
    currency: 'GBP',
    day,
    minute: 720,
    paid: 1_000n,
    paid_minor: 2n,
    unpaid: 3n,
  } as const
  const figures = {
    ...added,
    fee_minor: 8n,
    refunds: 4n,
    refunded_minor: 5n,
    reversed: 6n,
    reversed_minor: 7n,
  }
  const newDay = { ...figures, day: '2026-11-17' }
  await inTransaction(db, async (tx) => addToTotals(tx, own, [figures, newDay, figures]))
  const changed = await db.query(sql`
    select mode, currency, day::text as day, minute, paid, paid_minor, fee_minor, unpaid, refunds, refunded_minor,
      reversed, reversed_minor
    from daily_totals where merchant_id = ${own} and paid_minor > 0 order by day`)
  const [kept] = everyRow(own).filter(
    (row) => row.mode === 'test' && row.currency === 'GBP' && row.day === day,
  )
  const twice = {
    paid: 2_000n + BigInt(kept?.paid ?? 0),
    paid_minor: 4n,
    fee_minor: 16n,
    unpaid: 6n,
    refunds: 8n,
  }
  assert.deepEqual(changed, [
    { ...figures, ...twice, refunded_minor: 10n, reversed: 12n, reversed_minor: 14n },
    newDay,
  ])
  assert.equal((await storedRows(db, 'daily_totals', own)).length, everyRow(own).length + 1)
  assert.deepEqual(await storedRows(db, 'daily_totals', other), others)
})

test('days are added to in one order, whatever order they came in', async () => {
  const { db, own } = merchants
  const many = Array.from({ length: 9 }, (_, index) => `2026-10-0${index + 1}`)
  const total = { mode: 'test', currency: 'GBP' } as const
  await insertRows(
    db,
    'daily_totals',
    many.map((one) => ({ ...total, merchant_id: own, day: one })),
  )
  const figures = { paid: 1n, paid_minor: 1n, unpaid: 0n, refunds: 0n, refunded_minor: 0n }
  const row = { ...total, ...figures, minute: 720, fee_minor: 0n, reversed: 0n, reversed_minor: 0n }
  const backwards = many.toReversed().map((one) => ({ ...row, day: one }))
  const { adding, free } = await inTransaction(db, async (holder) => {
    await holder.query(sql`
      select from daily_totals where merchant_id = ${own} and day = '2026-10-05' for update`)
    const work = inTransaction(db, async (tx) => addToTotals(tx, own, backwards))
    await waitUntil('it waits for the day in the middle', async () => (await countWaiting(db)) === 1)
    const rows = await db.query<{ day: string }>(sql`
      select day::text as day from daily_totals where merchant_id = ${own}
      order by day for no key update skip locked`)
    return { adding: work, free: rows.map((one) => one.day) }
  })
  await adding
  // Had it begun with the last day, another worker could hold what it needs and wait for what it has.
  assert.deepEqual(free, many.slice(5))
})

test('nobody folds the changes of a merchant while its totals are made anew, and others may', async () => {
  const { db, own, other } = merchants
  const may = async (merchantId: number): Promise<boolean> =>
    inTransaction(db, async (tx) => mayFold(tx, merchantId))
  const during = async (work: (tx: Transaction) => Promise<unknown>): Promise<boolean[]> =>
    inTransaction(db, async (tx) => {
      await work(tx)
      return [await may(own), await may(other)]
    })
  assert.deepEqual(await during(async (tx) => keepFromFolding(tx, own)), [false, true])
  assert.deepEqual(await during(async (tx) => mayFold(tx, own)), [true, true])
})

test('totals are dropped except those of test mode up to a day', async () => {
  const { db, own, other } = merchants
  await fillBothTables()
  const left = everyRow(own).filter((row) => row.mode === 'test' && row.day <= day)
  const others = await Promise.all(tables.map(async (table) => storedRows(db, table, other)))
  await inTransaction(db, async (tx) => dropTotals(tx, own, day))
  const totals = await db.query<TotalRow>(sql`select paid from daily_totals where merchant_id = ${own}`)
  const changes = await db.query<TotalRow>(
    sql`select paid from daily_total_changes where merchant_id = ${own}`,
  )
  for (const rows of [totals, changes])
    assert.deepEqual(new Set(rows.map((row) => Number(row.paid))), new Set(left.map((row) => row.paid)))
  assert.deepEqual(await Promise.all(tables.map(async (table) => storedRows(db, table, other))), others)
})
