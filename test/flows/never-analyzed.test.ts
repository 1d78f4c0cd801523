import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { cards, furnishTill } from '../support/till.ts'
import { newPayment } from '../support/twins.ts'
import { Database } from '../../src/platform/database/database.ts'
import { sql } from '../../src/platform/database/sql.ts'
import { createMerchant } from '../../src/core/merchants/create-merchant.ts'
import { moveDeliveries, type TryResult } from '../../src/core/notifications/result-store.ts'
import type { Claim } from '../../src/core/notifications/store.ts'
import { makePayer } from '../../src/core/payments/attempts/pay.ts'
import { makePaying } from '../../src/core/payments/attempts/paying.ts'
import { findViews } from '../../src/core/payments/checkout-store.ts'
import { insertPayments } from '../../src/core/payments/create-store.ts'
import { findByTxRef } from '../../src/core/payments/store.ts'

// A new shop's first payments come before PostgreSQL has analyzed anything, on connections whose plans were made when there
// were no rows at all, or only a few.

let database: TestDatabase
let db: Database
before(async () => {
  database = await createTestDatabase()
  // One connection, so that every plan is from the beginning.
  db = new Database(database.url, { poolSize: 1 })
})
after(async () => {
  await db.close()
  await database.drop()
})

const together = 5

test('a payment costs the same after hundreds of others, before anything was analyzed', async () => {
  const payTogether = await openShop()
  // PostgreSQL plans again whenever it likes, so plans are made among none, a hundred and two hundred payments.
  for (let planned = 0; planned < 3; planned += 1) {
    if (planned > 0) await db.query(sql`discard plans`)
    for (let round = 1; round <= 20; round += 1) await payTogether()
    const earlier = await countRead()
    await payTogether()
    const later = await countRead()
    const much = [...later]
      .map(([name, times]) => ({ name, read: times - (earlier.get(name) ?? 0) }))
      .filter(({ read }) => read > 12 * together)
    assert.deepEqual(much, [], `for ${together} payments after ${planned * 21 + 20} rounds`)
  }
})

/** Each call makes payments, looks them up, pays them and delivers their notifications. */
async function openShop(): Promise<() => Promise<void>> {
  const merchantId = await createMerchant(db, { name: 'New shop' })
  const { deps } = furnishTill(
    db,
    () => new Date(),
    () => {},
  )
  const payer = makePayer(makePaying(deps))
  const claims: Claim[] = []
  const settled: Promise<void>[] = []
  deps.outbox.carryBy({
    now: () => new Date(),
    reserve() {
      const { promise, resolve } = Promise.withResolvers<void>()
      settled.push(promise)
      return {
        settle(claim) {
          if (claim) claims.push(claim)
          resolve()
        },
      }
    },
  })
  let last = 0

  return async () => {
    const numbers = Array.from({ length: together }, () => String((last += 1)).padStart(24, '0'))
    const payments = numbers.map((number) =>
      newPayment({ merchant_id: merchantId, number, callback_url: 'https://shop.example/ipn' }),
    )
    await insertPayments(db, merchantId, payments)
    const keys = numbers.map((number) => ({ mode: 'test', txRef: `order-${number}` }) as const)
    await findByTxRef(db, merchantId, keys)
    await findViews(db, merchantId, numbers)
    const results = await Promise.all(
      numbers.map(async (number) => payer.pay({ merchantId, number, mode: 'test' }, cards.good, 'en')),
    )
    assert.deepEqual(new Set(results.map(({ kind }) => kind)), new Set(['paid']))
    await Promise.all(settled)
    const tries = claims.splice(0).map(delivered)
    assert.equal(tries.length, together)
    await moveDeliveries(db, merchantId, tries, new Set())
  }
}

/** Rows and index entries, by table and index. */
async function countRead(): Promise<Map<string, number>> {
  await db.query(sql`select pg_stat_force_next_flush()`)
  const rows = await db.query<{ name: string; read: bigint }>(sql`
    select indexrelname as name, idx_tup_read as read from pg_stat_user_indexes
    union all select relname, seq_tup_read from pg_stat_user_tables`)
  return new Map(rows.map(({ name, read }) => [name, Number(read)]))
}

function delivered({ merchant_id, id }: Claim): TryResult {
  return {
    merchant_id,
    id,
    attempt: 1,
    at: new Date().toISOString(),
    ms: 1,
    status: 200,
    error: null,
    answer: '',
    state: 'delivered',
    step: 0,
    next_try_at: null,
    counts_against: false,
  }
}
