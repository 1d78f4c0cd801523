import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { openTill, type Till } from '../../../test/support/till.ts'
import {
  makeTwins,
  newPayment,
  twinBodyHash,
  twinKeys,
  twinNumbers,
  type Twins,
} from '../../../test/support/twins.ts'
import { inTransaction } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import { findViews } from './checkout-store.ts'
import { findByIdempotencyKey, forgetIdempotencyKey, insertPayments } from './create-store.ts'
import { insertHistory, listHistory } from './history-store.ts'
import {
  findByTxRef,
  listPayments,
  lockPayment,
  lockPayments,
  moveStates,
  type StateChange,
} from './store.ts'

// Each statement about payments finds and changes the rows that it is asked about, and no others: not those of another
// merchant with the same numbers, nor of the other mode, nor of another payment, nor in another state.

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
const missing = '0'.repeat(24)

const nameOf = (row: { merchant_id: number; number: string } | undefined): unknown[] => [
  row?.merchant_id,
  row?.number,
]

test('look-ups find this merchant’s payment in this mode', async () => {
  const { txRef, idempotencyKey: key } = twinKeys
  await twins.forEach(async (own) => {
    const found = await findByTxRef(till.db, own, [
      { mode: 'live', txRef },
      { mode: 'test', txRef: 'no such order' },
      { mode: 'test', txRef },
      { mode: 'live', txRef: `order-${open}` },
    ])
    assert.deepEqual(found.map(nameOf), [
      [own, live],
      [undefined, undefined],
      [own, busy],
      [undefined, undefined],
    ])
    const bodyHash = twinBodyHash(own)
    const first = await findByIdempotencyKey(till.db, own, [
      { mode: 'test', key, bodyHash },
      { mode: 'live', key, bodyHash: '11'.repeat(32) },
      { mode: 'test', key: 'no such key', bodyHash },
    ])
    assert.deepEqual(first, [
      { at: 1, number: busy, same_body: true, is_old: false },
      { at: 2, number: live, same_body: false, is_old: false },
      undefined,
    ])
    await inTransaction(till.db, async (tx) => {
      for (const number of [busy, open])
        assert.deepEqual(nameOf(await lockPayment(tx, { merchantId: own, number })), [own, number])
      assert.equal(await lockPayment(tx, { merchantId: own, number: missing }), undefined)
      const locked = await lockPayments(tx, own, [open, missing, busy])
      assert.deepEqual([...locked.values()].map(nameOf), [
        [own, open],
        [own, busy],
      ])
    })
  })
})

test('a list has this merchant’s payments in this mode', async () => {
  await twins.forEach(async (own) => {
    const listed = async (mode: 'test' | 'live'): Promise<unknown[]> =>
      (await listPayments(till.db, { merchantId: own, mode, limit: 100 })).map(nameOf)
    assert.deepEqual(await listed('live'), [[own, live]])
    assert.deepEqual(await listed('test'), [
      [own, busy],
      [own, open],
      [own, alsoBusy],
    ])
  })
})

test('a page shows this merchant’s payment and attempts', async () => {
  const [one, two] = twins.merchants
  await till.db.query(sql`
    update attempts set card_last4 = right(merchant_id::text, 4) where merchant_id in (${one}, ${two})`)
  await twins.forEach(async (own) => {
    const [first, none, second] = await findViews(till.db, own, [open, missing, busy])
    assert.equal(none, undefined)
    assert.deepEqual(nameOf(first), [own, open])
    assert.deepEqual(nameOf(second), [own, busy])
    assert.deepEqual([first?.declined, first?.last_attempt, first?.last_state], [1, 1, 'declined'])
    assert.deepEqual([second?.declined, second?.last_attempt, second?.last_state], [1, 2, 'unknown'])
    assert.equal(first?.last_card_last4, String(own).slice(-4))
    const [untouched] = await findViews(till.db, own, [live])
    assert.deepEqual([untouched?.declined, untouched?.last_attempt], [0, null])
  })
})

test('another merchant’s attempt isn’t shown on the page of a payment without any', async () => {
  const [one, two] = twins.merchants
  await till.db.query(sql`delete from attempts where merchant_id = ${one} and number = ${open}`)
  const [[view], [twin]] = [await findViews(till.db, one, [open]), await findViews(till.db, two, [open])]
  assert.deepEqual([view?.declined, view?.last_attempt], [0, null])
  assert.deepEqual([twin?.declined, twin?.last_attempt], [1, 1])
})

function cancelled(merchantId: number, changes: Partial<StateChange> = {}): StateChange {
  const move = { from_state: 'pending', to_state: 'cancelled', event: 'cancelled_by_merchant' } as const
  const known = { late: false, paid_with: null, failure_reason: null }
  return { merchant_id: merchantId, number: open, ...known, ...move, ...changes }
}

test('a move changes only the named payment, in the named state', async () => {
  await twins.forEach(async (own, other) => {
    const rows = await twins.rowsOf(own)
    const move = async (...changes: StateChange[]): Promise<unknown> =>
      inTransaction(till.db, async (tx) => moveStates(tx, own, changes))
    for (const wrong of [cancelled(own, { from_state: 'expired' }), cancelled(other)])
      await assert.rejects(move(wrong), /A locked payment changed its state/)
    assert.deepEqual(await twins.rowsOf(own), rows, 'and nothing otherwise')

    await move(cancelled(own))
    const states = await till.db.query(sql`
      select number, state from payments where merchant_id = ${own} order by number`)
    assert.deepEqual(
      states,
      [alsoBusy, live, open, busy].map((number) => ({
        number,
        state: number === open ? 'cancelled' : 'pending',
      })),
    )
  })
})

test('each payment’s history is counted and shown separately', async () => {
  await twins.forEach(async (own, other) => {
    const write = async (of: number, number: string): Promise<void> => {
      const moved = { event: 'paid', from_state: 'pending', to_state: 'success' }
      await till.db.query(insertHistory(own, [{ merchant_id: of, number, ...moved }]))
    }
    await write(own, busy)
    await write(own, open)
    await write(own, open)
    await write(other, open)
    const ids = await till.db.query(sql`
      select number, id::integer as id from payment_history where merchant_id = ${own} order by number, id`)
    assert.deepEqual(ids, [
      { number: open, id: 1 },
      { number: open, id: 2 },
      { number: busy, id: 1 },
    ])
    assert.equal((await listHistory(till.db, { merchantId: own, number: open })).length, 2)
    assert.equal((await listHistory(till.db, { merchantId: own, number: busy })).length, 1)
    assert.equal((await listHistory(till.db, { merchantId: own, number: live })).length, 0)
  })
})

test('an Idempotency-Key expires after a day, for one payment', async () => {
  const keysOf = async (merchantId: number): Promise<unknown[]> =>
    (
      await till.db.query<{ number: string }>(sql`
        select number from payments where merchant_id = ${merchantId} and idempotency_key is not null order by number`)
    ).map(({ number }) => number)
  const [one, two] = twins.merchants
  await forgetIdempotencyKey(till.db, { merchantId: one, number: busy })
  assert.deepEqual(await keysOf(one), [live, busy], 'not before')
  await till.db.query(sql`
    update payments set created_at = now() - interval '25 hours' where merchant_id in (${one}, ${two})`)
  await twins.forEach(async (own) => {
    await forgetIdempotencyKey(till.db, { merchantId: own, number: busy })
    assert.deepEqual(await keysOf(own), [live])
  })
})

test('the second payment with a used tx_ref or key is skipped, alone or in a batch', async () => {
  const [own] = twins.merchants
  const again = newPayment({ merchant_id: own, number: '4'.repeat(24), tx_ref: twinKeys.txRef })
  const fresh = newPayment({ merchant_id: own, number: '5'.repeat(24) })
  assert.deepEqual(await insertPayments(till.db, own, [again]), new Set())
  assert.deepEqual(await insertPayments(till.db, own, [again, fresh]), new Set([fresh.number]))
  const withKey = { idempotency_key: twinKeys.idempotencyKey, body_hash: '11'.repeat(32) }
  const sameKey = newPayment({ merchant_id: own, number: '6'.repeat(24), ...withKey })
  assert.deepEqual(await insertPayments(till.db, own, [sameKey]), new Set())
})
