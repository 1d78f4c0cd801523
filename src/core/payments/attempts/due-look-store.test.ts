import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  attemptRow,
  insertRows,
  openTwoMerchants,
  paymentNumber,
  paymentRow,
  type TwoMerchants,
  type Values,
} from '../../../../test/support/rows.ts'
import { sql } from '../../../platform/database/sql.ts'
import { createMerchant } from '../../merchants/create-merchant.ts'
import {
  findMerchantsWithAttemptsToCheck,
  findMerchantsWithPaymentsOutOfTime,
  findMerchantsWithUnknownAttempts,
} from './due-look-store.ts'

// Three merchants with one payment and one attempt each, which a test puts into the state that it asks about.

let merchants: TwoMerchants
let ids: readonly [number, number, number]
const number = paymentNumber(1)
const now = new Date('2026-11-16T12:00:00.000Z')
const ahead = (ms: number): Date => new Date(now.getTime() + ms)

before(async () => {
  merchants = await openTwoMerchants()
  const { db, own, other } = merchants
  const third = await createMerchant(db, { name: 'Third' })
  const [first, second, last] = [own, other, third].toSorted((one, two) => one - two)
  assert.ok(first && second && last)
  ids = [first, second, last]
  await insertRows(
    db,
    'payments',
    ids.map((merchant_id) => paymentRow({ merchant_id, number })),
  )
  await insertRows(
    db,
    'attempts',
    ids.map((merchant_id) => attemptRow({ merchant_id, number, state: 'declined' })),
  )
})
after(() => merchants.close())

async function setAttempt(merchantId: number, values: Values): Promise<void> {
  const { state = 'declined', checks = 0, account_id = null, next_check_at = null } = values
  await merchants.db.query(sql`
    update attempts set state = ${state}, checks = ${checks}, account_id = ${account_id},
      method = ${account_id === null ? null : 'card'}, next_check_at = ${next_check_at}
    where merchant_id = ${merchantId}`)
}

/** Each node of a cluster has its own order, and they take turns. */
async function assertInOrder(find: (max: number) => Promise<number[]>, wanted: number[]): Promise<void> {
  const [all, some] = [await find(100), await find(2)]
  assert.deepEqual([new Set(all), some.length], [new Set(wanted), 2])
  if (await merchants.db.nodes.askWhetherPlain()) assert.deepEqual([all, some], [wanted, wanted.slice(0, 2)])
}

const leaseMs = 30_000
const slackMs = leaseMs + 5_000
const look = { now, leaseMs, max: 100 }

test('an attempt in flight is checked when due, or if its check is further ahead than its state allows', async () => {
  const { db } = merchants
  const isFound = async (values: Values, next_check_at: Date | null): Promise<boolean> => {
    await setAttempt(ids[0], { ...values, next_check_at })
    return (await findMerchantsWithAttemptsToCheck(db, look)).includes(ids[0])
  }
  const throughAccount = { account_id: 'acc_one' }
  const furthest: readonly (readonly [Values, number])[] = [
    [{ state: 'started' }, 30],
    [{ state: 'started', ...throughAccount }, 30],
    [{ state: 'action_required' }, 900],
    [{ state: 'submitted', checks: 2 }, 30],
    [{ state: 'submitted', checks: 2, ...throughAccount }, 60],
    [{ state: 'unknown' }, 5],
    [{ state: 'unknown', checks: 5 }, 3_600],
    [{ state: 'unknown', checks: 6 }, 3_600],
    [{ state: 'surplus', checks: 1 }, 15],
    [{ state: 'left_open', checks: 1 }, 86_400],
  ]
  for (const [values, seconds] of furthest) {
    const furthestMs = seconds * 1_000 + slackMs
    const found = []
    for (const at of [ahead(0), ahead(1), ahead(furthestMs), ahead(furthestMs + 1), null])
      found.push(await isFound(values, at))
    assert.deepEqual(found, [true, false, false, true, false], JSON.stringify(values))
  }
  for (const state of ['succeeded', 'declined', 'abandoned', 'held', 'returned'])
    assert.equal(await isFound({ state }, ahead(-1)), false, state)
})

test('merchants waiting longest for a check come first, up to the limit', async () => {
  const { db } = merchants
  const [one, two, three] = ids
  for (const [merchantId, ms] of [
    [one, -2],
    [two, -3],
    [three, -1],
  ] as const)
    await setAttempt(merchantId, { state: 'unknown', next_check_at: ahead(ms) })
  await assertInOrder(
    async (max) => findMerchantsWithAttemptsToCheck(db, { ...look, max }),
    [two, one, three],
  )
})

test('merchants with unknown attempts are found in number order, after the given one', async () => {
  const { db } = merchants
  const [one, two, three] = ids
  const found = async (behind: number, max = 100): Promise<number[]> =>
    findMerchantsWithUnknownAttempts(db, behind, max)
  for (const merchantId of [three, two, one]) await setAttempt(merchantId, { state: 'unknown' })
  assert.deepEqual(await found(0), [one, two, three])
  assert.deepEqual(await found(0, 2), [one, two])
  assert.deepEqual(await found(0, 1), [one])
  assert.deepEqual(await found(one), [two, three])
  await setAttempt(two, { state: 'submitted' })
  assert.deepEqual(await found(0), [one, three])
})

test('merchants with expired payments are found: pending, past their end and without an attempt in flight', async () => {
  const { db } = merchants
  const [one, two, three] = ids
  const setPayment = async (merchantId: number, expires: Date, state = 'pending'): Promise<void> => {
    await db.query(sql`
      update payments set expires_at = ${expires}, state = ${state} where merchant_id = ${merchantId}`)
    await setAttempt(merchantId, {})
  }
  const found = async (max = 100): Promise<number[]> => findMerchantsWithPaymentsOutOfTime(db, { now, max })
  await setPayment(one, ahead(0))
  await setPayment(two, ahead(-2))
  await setPayment(three, ahead(-1))
  await assertInOrder(found, [two, three, one])
  await setPayment(one, ahead(1))
  await setPayment(three, ahead(-1), 'cancelled')
  assert.deepEqual(await found(), [two])
  for (const state of ['started', 'action_required', 'submitted', 'unknown', 'held']) {
    await setAttempt(two, { state })
    assert.deepEqual(await found(), [], state)
  }
  // Another payment of the same merchant, and the same number at another one.
  await insertRows(db, 'payments', [
    paymentRow({ merchant_id: two, number: paymentNumber(2), expires_at: ahead(-1) }),
  ])
  await setPayment(three, ahead(-1))
  assert.deepEqual(new Set(await found()), new Set([two, three]))
})
