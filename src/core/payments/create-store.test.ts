import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTill, type Till } from '../../../test/support/till.ts'
import { newPayment } from '../../../test/support/twins.ts'
import { waitUntil } from '../../../test/support/wait-until.ts'
import { inTransaction } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import { insertPayments, type NewPayment } from './create-store.ts'

let till: Till
before(async () => {
  till = await openTill()
})
after(() => till.close())

test('a batch’s Idempotency-Keys are locked in one order, whatever order they arrived in', async () => {
  const count = 40
  const names = Array.from({ length: count }, (_, index) => `key-${index}`)
  const rows = await till.db.query<{ name: string; lock: string }>(sql`
    select name, hashtextextended(${`${till.merchantId} test `}::text || name, 0)::text as lock
    from unnest(${names}::text[]) as name order by hashtextextended(${`${till.merchantId} test `}::text || name, 0)`)
  const middle = rows[count / 2]
  assert.ok(middle)

  const forwards = names.map(payment)
  for (const batch of [forwards, forwards.toReversed().map((one) => ({ ...one, number: digits() }))]) {
    const under = await inTransaction(till.db, async (tx) => {
      await tx.query(sql`select pg_advisory_xact_lock(${middle.lock}::bigint)`)
      const inserted = insertPayments(till.db, till.merchantId, batch)
      await waitUntil('the batch waits for the key in the middle', async () => (await waiting()) === 1)
      // Had it begun anywhere else, another batch could hold what it needs and wait for what it has.
      assert.deepEqual(
        new Set(await heldByWaiting()),
        new Set(rows.slice(0, count / 2).map(({ lock }) => lock)),
      )
      return { inserted }
    })
    await under.inserted
  }
  const [stored] = await till.db.query<{ count: number }>(sql`
    select count(*)::integer as count from payments where idempotency_key is not null`)
  assert.equal(stored?.count, count, 'one payment for each key')
})

async function waiting(): Promise<number> {
  const rows = await till.db.query(sql`
    select from pg_locks where locktype = 'advisory' and not granted
      and database = (select oid from pg_database where datname = current_database())`)
  return rows.length
}

async function heldByWaiting(): Promise<string[]> {
  const rows = await till.db.query<{ lock: string }>(sql`
    select ((classid::bigint << 32) | objid::bigint)::text as lock from pg_locks
    where locktype = 'advisory' and mode = 'ExclusiveLock' and granted and pid in (
      select pid from pg_locks where locktype = 'advisory' and not granted
        and database = (select oid from pg_database where datname = current_database()))`)
  return rows.map(({ lock }) => lock)
}

let drawn = 0
function digits(): string {
  drawn += 1
  return String(drawn).padStart(24, '0')
}

function payment(key: string): NewPayment {
  return newPayment({
    merchant_id: till.merchantId,
    number: digits(),
    idempotency_key: key,
    body_hash: '00'.repeat(32),
  })
}
