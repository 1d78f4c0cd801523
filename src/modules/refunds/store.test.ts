import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import {
  insertRows,
  openTwoMerchants,
  paymentNumber,
  paymentRow,
  refundRow,
  storedRows,
  type TwoMerchants,
  type Values,
} from '../../../test/support/rows.ts'
import { inTransaction } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import { listMoved } from './reconcile/book-store.ts'
import { findMerchantsWithRefunds } from './reconcile/merchants-look-store.ts'
import { findMerchantsWithRefundsToCheck } from './due-look-store.ts'
import { beginSending, claimRefundsToCheck, scheduleCheck } from './due-store.ts'
import { findRefund } from './find-refunds.ts'
import {
  findById,
  findByRef,
  findByReference,
  findReserved,
  listNewest,
  listOfPayments,
  lockRefund,
  moveState,
  reserve,
  sumWithFee,
} from './store.ts'

// Two merchants whose refunds have the same names: whatever is read or changed is the one merchant's alone.

let two: TwoMerchants
const now = new Date('2026-11-15T12:00:00Z')
const [first, second] = [paymentNumber(1), paymentNumber(2)]
const idOf = (name: string): string => `rfd_${name.padStart(16, '0')}`

before(async () => {
  two = await openTwoMerchants()
})
after(() => two.close())

beforeEach(async () => {
  await two.db.query(sql`truncate refund_history, refund_totals, refunds, payments cascade`)
  for (const own of [two.own, two.other]) {
    const of = (number: string, more: Values) => ({ merchant_id: own, number, ...more })
    await insertRows(two.db, 'payments', [paymentRow(of(first, {})), paymentRow(of(second, {}))])
    await insertRows(two.db, 'refunds', [
      refundRow({
        ...of(first, {}),
        name: 'a',
        state: 'succeeded',
        returns_fee: true,
        fee_returned_minor: 3n,
        refund_reference: 're_a',
      }),
      refundRow({
        ...of(first, {}),
        name: 'b',
        place: 2,
        state: 'submitted',
        sent_at: now,
        next_check_at: now,
      }),
      refundRow({ ...of(first, {}), name: 'c', place: 3, state: 'requested', next_check_at: now }),
      refundRow({ ...of(first, {}), name: 'd', place: 4, state: 'requested', next_check_at: now }),
      refundRow({ ...of(second, {}), name: 'e', state: 'succeeded', amount_minor: 50n }),
      refundRow({ ...of(second, {}), name: 'f', place: 2, mode: 'live', state: 'failed', updated_at: now }),
    ])
  }
})

/** What changes of both merchants' refunds while this runs. */
async function changedBy(change: (own: number) => Promise<unknown>): Promise<void> {
  for (const [own, other] of two.both) {
    const [mine, theirs] = [
      await storedRows(two.db, 'refunds', own),
      await storedRows(two.db, 'refunds', other),
    ]
    await change(own)
    assert.deepEqual(await storedRows(two.db, 'refunds', other), theirs)
    const left = await storedRows(two.db, 'refunds', own)
    assert.equal(left.filter((row) => !mine.includes(row)).length, 1, 'one refund changed')
  }
}

test('a refund is found by its id, its reference or the network’s id, for its own merchant and mode', async () => {
  for (const [own] of two.both) {
    const found = await findById(two.db, { merchantId: own, id: idOf('e') })
    assert.deepEqual([found?.merchant_id, found?.refund_ref], [own, 'ref-e'])
    assert.equal(
      (await findByRef(two.db, { merchantId: own, mode: 'test', refundRef: 'ref-e' }))?.id,
      idOf('e'),
    )
    assert.equal(await findByRef(two.db, { merchantId: own, mode: 'live', refundRef: 'ref-e' }), undefined)
    assert.equal(await findByRef(two.db, { merchantId: own, mode: 'test', refundRef: 'ref-f' }), undefined)
    const named = await findByReference(two.db, own, 're_a')
    assert.deepEqual([named?.merchant_id, named?.id], [own, idOf('a')])
    assert.equal(await findByReference(two.db, own, 're_b'), undefined)
    assert.deepEqual(
      (await listOfPayments(two.db, own, [first])).map(({ merchant_id, place }) => [merchant_id, place]),
      [1, 2, 3, 4].map((place) => [own, place]),
    )
  }
})

test('an impossible reference is not found, without a database error', async () => {
  const of = { merchantId: two.own, mode: 'test' } as const
  assert.equal((await findRefund(two.db, { ...of, refundRef: 'ref-e' })).refund_ref, 'ref-e')
  for (const refundRef of ['ref-none', 'ref-f', 'nul\0', '\ud800', '\ud800\0'])
    await assert.rejects(findRefund(two.db, { ...of, refundRef }), { code: 'not_found' })
})

test('returned fees are summed for this payment only', async () => {
  for (const [own] of two.both) {
    const sum = async (number: string) =>
      inTransaction(two.db, async (tx) => sumWithFee(tx, { merchantId: own, number }))
    assert.deepEqual(await sum(first), { amountMinor: 100n, feeMinor: 3n })
    assert.deepEqual(await sum(second), { amountMinor: 0n, feeMinor: 0n })
  }
})

test('reserved refunds can’t exceed the payment, counted per payment', async () => {
  for (const [own] of two.both) {
    const of = { merchantId: own, number: first, paidMinor: 1_000n }
    const change = async (minor: bigint): Promise<void> =>
      inTransaction(two.db, async (tx) => reserve(tx, of, minor))
    assert.equal(await findReserved(two.db, of), 0n)
    await change(600n)
    await change(400n)
    await assert.rejects(change(1n), /refund_totals_at_most_all/)
    await change(-1_000n)
    await assert.rejects(change(-1n), /refund_totals_at_most_all/)
    await change(7n)
    assert.equal(await findReserved(two.db, of), 7n)
    assert.equal(await findReserved(two.db, { merchantId: own, number: second }), 0n)
  }
})

test('a move changes one refund, from its current state', async () => {
  const change = {
    from: 'submitted',
    to: 'succeeded',
    event: 'paid_back',
    refundReference: 're_b',
    failure: null,
    feeReturnedMinor: 0n,
    nextCheckAt: null,
  } as const
  const move = async (own: number) =>
    inTransaction(two.db, async (tx) => moveState(tx, { merchantId: own, id: idOf('b') }, change))
  await changedBy(move)
  await assert.rejects(move(two.own), /changed its state/)
  const history = await two.db.query(
    sql`select merchant_id, refund_id, place from refund_history order by merchant_id`,
  )
  assert.deepEqual(
    history,
    [two.own, two.other].map((own) => ({ merchant_id: own, refund_id: idOf('b'), place: 1 })),
  )
})

test('a claim takes this merchant’s due refunds: those sent, and the first unsent one of each payment', async () => {
  for (const [own] of two.both) {
    const claim = { now, leaseMs: 30_000, max: 10 }
    const early = { ...claim, now: new Date(now.getTime() - 1) }
    assert.deepEqual(await claimRefundsToCheck(two.db, own, early), [])
    const claimed = await claimRefundsToCheck(two.db, own, claim)
    assert.deepEqual(
      claimed.map(({ merchant_id, id }) => `${merchant_id} ${id}`).toSorted(),
      [idOf('b'), idOf('c')].map((id) => `${own} ${id}`),
    )
    assert.deepEqual(await claimRefundsToCheck(two.db, own, claim), [])
    const later = { ...claim, now: new Date(now.getTime() + 30_000), max: 1 }
    assert.equal((await claimRefundsToCheck(two.db, own, later)).length, 1)
  }
})

test('a check further ahead than any pause, lease and clock difference is due now', async () => {
  for (const [checks, pauseSeconds] of [
    [0, 5],
    [1, 15],
    [5, 3_600],
    [50, 3_600],
  ] as const) {
    const furthestMs = (pauseSeconds + 30 + 5) * 1_000
    for (const [aheadMs, due] of [
      [furthestMs, 0],
      [furthestMs + 1, 1],
    ] as const) {
      await two.db.query(sql`
        update refunds set checks = ${checks}, next_check_at = ${new Date(now.getTime() + aheadMs)}
        where merchant_id = ${two.own} and id = ${idOf('b')}`)
      await two.db.query(sql`
        update refunds set next_check_at = null where merchant_id = ${two.own} and id <> ${idOf('b')}`)
      const claimed = await claimRefundsToCheck(two.db, two.own, { now, leaseMs: 30_000, max: 10 })
      assert.equal(claimed.length, due, `${checks} checks, ${aheadMs} ms ahead`)
    }
  }
})

test('a claim skips refunds locked by another worker', async () => {
  await inTransaction(two.db, async (tx) => {
    await lockRefund(tx, { merchantId: two.own, id: idOf('b') })
    const claimed = await claimRefundsToCheck(two.db, two.own, { now, leaseMs: 30_000, max: 10 })
    assert.deepEqual(
      claimed.map(({ id }) => id),
      [idOf('c')],
    )
  })
})

test('merchants with due refunds are found', async () => {
  const look = { now, leaseMs: 30_000, max: 10 }
  assert.deepEqual(
    new Set(await findMerchantsWithRefundsToCheck(two.db, look)),
    new Set([two.own, two.other]),
  )
  assert.deepEqual(
    await findMerchantsWithRefundsToCheck(two.db, { ...look, now: new Date(now.getTime() - 1) }),
    [],
  )
  await claimRefundsToCheck(two.db, two.own, look)
  assert.deepEqual(await findMerchantsWithRefundsToCheck(two.db, look), [two.other])
  assert.equal((await findMerchantsWithRefundsToCheck(two.db, { ...look, max: 0 })).length, 0)
})

test('a refund is sent once and in its turn, with the total refunded before it', async () => {
  const send = async (own: number, name: string) =>
    beginSending(two.db, { merchantId: own, id: idOf(name) }, { now, leaseMs: 30_000 })
  assert.equal(await send(two.own, 'd'), undefined, 'not its turn')
  assert.equal(await send(two.own, 'b'), undefined, 'sent before')
  await changedBy(async (own) => {
    const sent = await send(own, 'c')
    assert.equal(sent?.refunded_before_minor, 200n, 'what succeeded and what is submitted')
    assert.equal(Date.parse(sent.next_check_at ?? ''), now.getTime() + 30_000)
  })
  assert.equal(await send(two.own, 'c'), undefined, 'once')
})

test('an undecided check is postponed for one refund, never for a finished one', async () => {
  const put = async (own: number, name: string): Promise<void> =>
    scheduleCheck(
      two.db,
      { merchantId: own, id: idOf(name) },
      { checks: 4, at: null, refundReference: 're_new' },
    )
  await changedBy(async (own) => put(own, 'b'))
  await put(two.own, 'a')
  const ended = await findById(two.db, { merchantId: two.own, id: idOf('a') })
  assert.deepEqual([ended?.checks, ended?.refund_reference], [0, 're_a'])
})

test('a list shows one merchant and mode, and every filter narrows it', async () => {
  const names = async (filter: Values): Promise<string> => {
    const rows = await listNewest(two.db, { merchantId: two.own, mode: 'test', limit: 10, ...filter })
    assert.ok(rows.every(({ merchant_id }) => merchant_id === two.own))
    return rows
      .map(({ refund_ref }) => refund_ref.slice(4))
      .toSorted()
      .join('')
  }
  const { tx_ref: txRef } = paymentRow({ merchant_id: 1, number: second })
  const [, , third] = await listNewest(two.db, { merchantId: two.own, mode: 'test', limit: 3 })
  for (const [filter, told] of [
    [{}, 'abcde'],
    [{ mode: 'live' }, 'f'],
    [{ txRef }, 'e'],
    [{ named: 'ref-c' }, 'c'],
    [{ named: txRef }, 'e'],
    [{ state: 'succeeded' }, 'ae'],
    [{ createdFrom: third?.created_at }, 'cde'],
    [{ createdTo: third?.created_at }, 'ab'],
    [{ after: { createdAt: third?.created_at, id: third?.id } }, 'ab'],
    [{ limit: 2 }, 'de'],
  ] as const)
    assert.equal(await names(filter), told, JSON.stringify(filter))
})

test('live refunds changed since a moment are read for reconciling, page by page', async () => {
  for (const [own] of two.both) {
    const moved = async (since: Date, behind = ''): Promise<string[]> =>
      (await listMoved(two.db, own, { since, after: behind })).map(
        ({ merchant_id, id }) => `${merchant_id} ${id}`,
      )
    assert.deepEqual(await moved(now), [`${own} ${idOf('f')}`])
    assert.deepEqual(await moved(new Date(now.getTime() + 1)), [])
    assert.deepEqual(await moved(now, idOf('f')), [])
  }
  assert.deepEqual(new Set(await findMerchantsWithRefunds(two.db, now)), new Set([two.own, two.other]))
  assert.deepEqual(await findMerchantsWithRefunds(two.db, new Date(now.getTime() + 1)), [])
})
