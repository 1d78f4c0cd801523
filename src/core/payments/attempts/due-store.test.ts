import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { hourMs, openTill, type Till } from '../../../../test/support/till.ts'
import { makeTwins, twinNumbers, type Twins } from '../../../../test/support/twins.ts'
import { inTransaction } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'
import { lockPayments } from '../store.ts'
import { lockWithPayments, type AttemptRow } from './attempt-store.ts'
import { findMerchantsWithAttemptsToCheck, findMerchantsWithPaymentsOutOfTime } from './due-look-store.ts'
import { claimAttemptsToCheck, lockOutOfTime, measureUnknown } from './due-store.ts'

// What is due, of whom, and to the moment.

let till: Till
let twins: Twins
before(async () => {
  till = await openTill()
})
beforeEach(async () => {
  twins = await makeTwins(till.db)
})
after(() => till.close())

const { busy, alsoBusy, live, open } = twinNumbers

const nameOf = (row: Pick<AttemptRow, 'merchant_id' | 'number' | 'attempt'> | undefined): unknown[] => [
  row?.merchant_id,
  row?.number,
  row?.attempt,
]

test('a claim takes this merchant’s due attempts in flight, up to its limit', async () => {
  const leaseMs = 30_000
  await twins.forEach(async (own) => {
    const rows = await twins.rowsOf(own)
    const now = new Date(Date.now() + 1_000)
    const [due] = await till.db.query<{ at: string }>(sql`
      select min(next_check_at) as at from attempts where merchant_id = ${own}`)
    const early = { now: new Date(Date.parse(due?.at ?? '') - 2_000), leaseMs, max: 20 }
    assert.deepEqual(await claimAttemptsToCheck(till.db, own, early), [])
    const [first, none] = await claimAttemptsToCheck(till.db, own, { now, leaseMs, max: 1 })
    assert.equal(none, undefined)
    const rest = await claimAttemptsToCheck(till.db, own, { now, leaseMs, max: 20 })
    assert.deepEqual([first, ...rest].map((row) => nameOf(row).join(' ')).toSorted(), [
      `${own} ${alsoBusy} 2`,
      `${own} ${busy} 2`,
    ])
    assert.equal(await twins.countChanged(own, rows), 2)
    assert.deepEqual(await claimAttemptsToCheck(till.db, own, { now, leaseMs, max: 20 }), [])
  })
})

test('two workers never take the same attempt, and don’t wait for each other', async () => {
  const [own] = twins.merchants
  const claim = { now: new Date(Date.now() + 1_000), leaseMs: 30_000, max: 20 }
  await inTransaction(till.db, async (tx) => {
    await lockWithPayments(tx, own, [{ merchantId: own, number: busy, attempt: 2 }])
    assert.deepEqual((await claimAttemptsToCheck(till.db, own, claim)).map(nameOf), [[own, alsoBusy, 2]])
  })
  assert.deepEqual((await claimAttemptsToCheck(till.db, own, claim)).map(nameOf), [[own, busy, 2]])
})

test('expired payments are pending, past their end and without an attempt in flight at their merchant', async () => {
  const [one, two] = twins.merchants
  const later = new Date(Date.now() + 25 * hourMs)
  const outOfTime = async (merchantId: number, now: Date): Promise<string[]> =>
    inTransaction(till.db, async (tx) => lockOutOfTime(tx, merchantId, { now, max: 100 }))
  assert.deepEqual((await outOfTime(one, later)).toSorted(), [live, open])
  assert.deepEqual(await outOfTime(one, new Date()), [])
  // Being paid at the one, and not at the other.
  await till.db.query(sql`delete from attempts where merchant_id = ${one} and number = ${busy}`)
  assert.deepEqual((await outOfTime(one, later)).toSorted(), [live, open, busy])
  assert.deepEqual((await outOfTime(two, later)).toSorted(), [live, open])
  await till.db.query(sql`update payments set state = 'cancelled' where number in (${live}, ${open})`)
  assert.deepEqual(await outOfTime(one, later), [busy])
  assert.deepEqual(await outOfTime(two, later), [])
  const found = await findMerchantsWithPaymentsOutOfTime(till.db, { now: later, max: 100 })
  assert.deepEqual([found.includes(one), found.includes(two)], [true, false])
  const atItsEnd = new Date((await till.read({ merchantId: one, number: busy })).expires_at)
  // Times of the database have microseconds: a millisecond later is the first that we can name.
  const justAfter = new Date(atItsEnd.getTime() + 1)
  assert.deepEqual(await outOfTime(one, new Date(atItsEnd.getTime() - 1)), [])
  assert.deepEqual(await outOfTime(one, justAfter), [busy])
})

test('payments locked by others are skipped, and the rest is locked', async () => {
  const [own] = twins.merchants
  const later = new Date(Date.now() + 25 * hourMs)
  await inTransaction(till.db, async (tx) => {
    await lockPayments(tx, own, [live])
    await inTransaction(till.db, async (second) => {
      assert.deepEqual(await lockOutOfTime(second, own, { now: later, max: 100 }), [open])
      assert.deepEqual(await twins.lockedPayments(own), [live, open])
    })
  })
})

test('merchants with an attempt to check are found', async () => {
  const [one, two] = twins.merchants
  const areFound = async (): Promise<boolean[]> => {
    const look = { now: new Date(Date.now() + 1_000), leaseMs: 30_000, max: 100 }
    const found = await findMerchantsWithAttemptsToCheck(till.db, look)
    return [found.includes(one), found.includes(two)]
  }
  assert.deepEqual(await areFound(), [true, true])
  await till.db.query(sql`update attempts set state = 'declined' where merchant_id = ${one}`)
  assert.deepEqual(await areFound(), [false, true])
})

test('an attempt is due at the exact moment, and a check is too far ahead only beyond every possible pause', async () => {
  const [own] = twins.merchants
  const now = new Date('2026-11-15T12:00:00.000Z')
  const at = (ms: number): Date => new Date(now.getTime() + ms)
  const isOutOfTime = async (end: Date): Promise<boolean> => {
    await till.db.query(
      sql`update payments set expires_at = ${end} where merchant_id = ${own} and number = ${open}`,
    )
    const found = await inTransaction(till.db, async (tx) => lockOutOfTime(tx, own, { now, max: 100 }))
    const merchants = await findMerchantsWithPaymentsOutOfTime(till.db, { now, max: 100 })
    assert.equal(merchants.includes(own), found.includes(open))
    return found.includes(open)
  }
  assert.deepEqual([await isOutOfTime(at(0)), await isOutOfTime(at(1))], [true, false])

  const leaseMs = 30_000
  const isToCheck = async (check: Date): Promise<boolean> => {
    await till.db.query(
      sql`update attempts set next_check_at = ${check} where merchant_id = ${own} and state = 'unknown'`,
    )
    const merchants = await findMerchantsWithAttemptsToCheck(till.db, { now, leaseMs, max: 100 })
    const claimed = await claimAttemptsToCheck(till.db, own, { now, leaseMs, max: 100 })
    assert.equal(merchants.includes(own), claimed.length > 0)
    return claimed.length > 0
  }
  // The first pause of an unknown attempt, the lease, and five seconds between two clocks.
  const furthestMs = 5_000 + leaseMs + 5_000
  const asked = [at(0), at(1), at(furthestMs), at(furthestMs + 1)]
  const answers = []
  for (const one of asked) answers.push(await isToCheck(one))
  assert.deepEqual(answers, [true, false, false, true])
})

test('unknown attempts are counted per merchant, with the age of the oldest', async () => {
  const [own, other] = twins.merchants
  const put = async (merchantId: number, number: string, at: string): Promise<void> => {
    await till.db.query(sql`
      update attempts set updated_at = ${at}
      where merchant_id = ${merchantId} and number = ${number}`)
  }
  await put(other, busy, '2026-11-15T10:00:00.000Z')
  await put(own, open, '2026-11-15T10:00:00.000Z')
  await put(own, busy, '2026-11-15T11:00:00.000Z')
  const { count, oldest_at } = await measureUnknown(till.db, own)
  assert.deepEqual([count, oldest_at], [2, '2026-11-15T11:00:00.000000Z'])
})
