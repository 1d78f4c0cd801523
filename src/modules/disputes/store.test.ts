import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import {
  disputeRow,
  insertRows,
  openTwoMerchants,
  paymentNumber,
  paymentRow,
  storedRows,
  type TwoMerchants,
} from '../../../test/support/rows.ts'
import { inTransaction } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import { findMerchantsWithDisputesToCheck } from './due-look-store.ts'
import { findDispute } from './find-dispute.ts'
import { losingUnderReview } from './list-disputes.ts'
import {
  claimToCheck,
  drawAsk,
  findById,
  findByReference,
  insertDispute,
  insertHistory,
  listDisputes,
  listHistory,
  listOfPayment,
  listToAnswer,
  lockDispute,
  updateDispute,
  type DisputeRow,
  type NewDispute,
  type DisputeSnapshot,
} from './store.ts'

// Two merchants whose disputes have the same names: whatever is read or changed is the one merchant's alone.

let two: TwoMerchants
const now = new Date('2026-11-15T12:00:00Z')
const inSixHours = new Date(now.getTime() + 6 * 3_600_000)
const [first, second] = [paymentNumber(1), paymentNumber(2)]
const on = (day: number): Date => new Date(`2026-11-${day}T12:00:00Z`)

before(async () => {
  two = await openTwoMerchants()
})
after(() => two.close())

beforeEach(async () => {
  await two.db.query(sql`truncate dispute_history, disputes, payments cascade`)
  for (const own of [two.own, two.other]) {
    const [one, other] = [
      { merchant_id: own, number: first },
      { merchant_id: own, number: second },
    ]
    await insertRows(two.db, 'payments', [paymentRow(one), paymentRow(other)])
    await insertRows(two.db, 'disputes', [
      disputeRow({ ...one, name: 'a', next_check_at: now, opened_at: on(10), evidence_due_at: on(29) }),
      disputeRow({ ...one, name: 'b', state: 'lost', opened_at: on(11) }),
      disputeRow({
        ...other,
        name: 'c',
        next_check_at: inSixHours,
        opened_at: on(12),
        evidence_due_at: on(20),
      }),
      disputeRow({ ...other, name: 'd', mode: 'live', opened_at: on(13), evidence_due_at: on(17) }),
      disputeRow({ ...other, name: 'e', opened_at: on(14) }),
    ])
  }
})

const namesOf = (rows: readonly DisputeRow[]): string => rows.map(({ id }) => id.slice(4)).join('')

function areOf(own: number, rows: readonly DisputeRow[]): string {
  assert.ok(rows.every(({ merchant_id }) => merchant_id === own))
  return namesOf(rows)
}

async function changedBy(change: (own: number) => Promise<unknown>): Promise<void> {
  for (const [own, other] of two.both) {
    const [mine, theirs] = [
      await storedRows(two.db, 'disputes', own),
      await storedRows(two.db, 'disputes', other),
    ]
    await change(own)
    assert.deepEqual(await storedRows(two.db, 'disputes', other), theirs)
    const left = await storedRows(two.db, 'disputes', own)
    assert.equal(left.filter((row) => !mine.includes(row)).length, 1, 'one dispute changed')
  }
}

test('a dispute is found by its id or the network’s id, only for its merchant and network', async () => {
  for (const [own] of two.both) {
    const key = { merchantId: own, id: 'dsp_c' }
    assert.equal(areOf(own, [(await findById(two.db, key)) ?? assert.fail()]), 'c')
    const named = { connector: 'stripe', reference: 'du_c' }
    assert.equal(areOf(own, [(await findByReference(two.db, own, named)) ?? assert.fail()]), 'c')
    assert.equal(await findByReference(two.db, own, { ...named, connector: 'paystack' }), undefined)
    assert.equal(await findByReference(two.db, own, { ...named, reference: 'du_x' }), undefined)
    const locked = await inTransaction(two.db, async (tx) => lockDispute(tx, key))
    assert.equal(areOf(own, [locked ?? assert.fail()]), 'c')
    assert.equal(areOf(own, await listOfPayment(two.db, { merchantId: own, number: first })), 'ba')
  }
})

test('a dispute of the other mode, of no one or with a malformed id is not found', async () => {
  const of = { merchantId: two.own, mode: 'test', id: 'dsp_c' } as const
  assert.equal((await findDispute(two.db, of)).id, 'dsp_c')
  for (const more of [
    { mode: 'live' },
    { id: 'dsp_d' },
    { id: 'dsp_none' },
    { id: 'dsp_\0' },
    { merchantId: 1 },
  ] as const)
    await assert.rejects(findDispute(two.db, { ...of, ...more }), { code: 'not_found' })
})

test('a network’s dispute is stored once per merchant', async () => {
  const fresh: NewDispute = {
    id: 'dsp_new',
    mode: 'test',
    number: first,
    tx_ref: 'order-1',
    connector: 'stripe',
    account_id: 'acc_1',
    reference: 'du_new',
    state: 'evidence_due',
    reason: 'fraudulent',
    amount_minor: 1n,
    currency: 'GBP',
    money_taken: false,
    evidence_due_at: null,
  }
  const insert = async (own: number, more: Partial<NewDispute> = {}) =>
    inTransaction(two.db, async (tx) =>
      insertDispute(tx, own, { ...fresh, ...more }, { now, nextCheckAt: null }),
    )
  await changedBy(async (own) => insert(own))
  assert.equal(await insert(two.own, { id: 'dsp_again' }), undefined)
  assert.equal((await insert(two.own, { id: 'dsp_other', connector: 'paystack' }))?.answered, 1)
})

test('a claim skips a dispute locked by another worker', async () => {
  await inTransaction(two.db, async (tx) => {
    await lockDispute(tx, { merchantId: two.own, id: 'dsp_a' })
    const claim = { now: inSixHours, leaseMs: 1, max: 10 }
    assert.equal(namesOf(await claimToCheck(two.db, two.own, claim)), 'c')
  })
})

test('a dispute under review is flagged only if a refund makes it cost more', async () => {
  const of = { merchantId: two.own, mode: 'test' } as const
  await two.db.query(sql`
    update disputes set state = 'under_review' where merchant_id = ${two.own} and number = ${first} and id = 'dsp_a'`)
  const refunded = async (minor: number) =>
    two.db.query(sql`
      update payments set dispute = '{"taken_minor":1000}', refunded_minor = ${minor}, state = 'success'
      where merchant_id = ${two.own} and number = ${first}`)
  await refunded(0)
  assert.deepEqual(await losingUnderReview(two.db, of), [])
  await refunded(1)
  assert.equal(namesOf(await losingUnderReview(two.db, of)), 'a')
})

test('each request about a dispute has its own number', async () => {
  for (const [own] of two.both) {
    const draw = async (name: string): Promise<number> =>
      drawAsk(two.db, { merchantId: own, id: `dsp_${name}` })
    assert.deepEqual([await draw('a'), await draw('a'), await draw('b')], [2, 3, 2])
  }
  await changedBy(async (own) => drawAsk(two.db, { merchantId: own, id: 'dsp_c' }))
})

test('an answer updates one dispute, and its change time only if it is news', async () => {
  const standing: DisputeSnapshot = {
    state: 'under_review',
    reason: 'duplicate',
    amount_minor: 7n,
    currency: 'EUR',
    money_taken: false,
    evidence_due_at: on(30),
  }
  const at = { now: on(18), ask: 9, checks: 3, nextCheckAt: on(19) }
  const write = async (own: number, isNews: boolean): Promise<DisputeRow> =>
    inTransaction(two.db, async (tx) =>
      updateDispute(tx, { merchantId: own, id: 'dsp_a' }, standing, { ...at, isNews }),
    )
  await changedBy(async (own) => {
    const quiet = await write(own, false)
    assert.deepEqual(Date.parse(quiet.updated_at), now.getTime())
    const { updated_at: told, evidence_due_at: due, ...row } = await write(own, true)
    assert.deepEqual([Date.parse(told), Date.parse(due ?? '')], [on(18).getTime(), on(30).getTime()])
    assert.deepEqual([row.state, row.amount_minor, row.answered, row.checks], ['under_review', 7n, 9, 3])
  })
})

test('a claim takes this merchant’s due disputes and holds them for ten minutes', async () => {
  for (const [own] of two.both) {
    const claim = { now, leaseMs: 600_000, max: 10 }
    assert.deepEqual(await claimToCheck(two.db, own, { ...claim, now: new Date(now.getTime() - 1) }), [])
    assert.equal(areOf(own, await claimToCheck(two.db, own, claim)), 'a')
    assert.deepEqual(
      await claimToCheck(two.db, own, { ...claim, now: new Date(now.getTime() + 599_999) }),
      [],
    )
    const later = { ...claim, now: on(17) }
    assert.equal(
      areOf(own, await claimToCheck(two.db, own, { ...later, max: 1 })),
      'a',
      'the one that waits longest',
    )
    assert.equal(areOf(own, await claimToCheck(two.db, own, later)), 'c')
  }
})

test('merchants with due disputes are found', async () => {
  const look = { now, max: 10 }
  assert.deepEqual(
    new Set(await findMerchantsWithDisputesToCheck(two.db, look)),
    new Set([two.own, two.other]),
  )
  await claimToCheck(two.db, two.own, { now, leaseMs: 600_000, max: 10 })
  assert.deepEqual(await findMerchantsWithDisputesToCheck(two.db, look), [two.other])
})

test('a dispute’s history is kept in order', async () => {
  for (const [own] of two.both) {
    const dispute = (await findById(two.db, { merchantId: own, id: 'dsp_a' })) ?? assert.fail()
    const won: DisputeRow = { ...dispute, state: 'won' }
    await inTransaction(two.db, async (tx) => {
      await insertHistory(tx, dispute, on(15))
      await insertHistory(tx, won, on(14))
    })
    const history = await listHistory(two.db, { merchantId: own, id: 'dsp_a' })
    assert.deepEqual(
      history.map(({ state }) => state),
      ['evidence_due', 'won'],
    )
    assert.deepEqual(await listHistory(two.db, { merchantId: own, id: 'dsp_b' }), [])
  }
})

test('disputes waiting for evidence are sorted by deadline, those without one last', async () => {
  for (const [own] of two.both) {
    const of = { merchantId: own, mode: 'test' } as const
    assert.equal(areOf(own, await listToAnswer(two.db, of, 10)), 'cae')
    assert.equal(areOf(own, await listToAnswer(two.db, of, 2)), 'ca')
    assert.equal(areOf(own, await listToAnswer(two.db, { ...of, mode: 'live' }, 10)), 'd')
  }
})

test('disputes opened at the same moment keep one order across pages', async () => {
  await two.db.query(sql`update disputes set opened_at = ${now} where merchant_id = ${two.own}`)
  const asked = { merchantId: two.own, mode: 'test', limit: 2 } as const
  const [, last] = await listDisputes(two.db, asked)
  assert.equal(last?.id, 'dsp_c')
  const next = { openedAt: last.opened_at, id: last.id }
  assert.equal(namesOf(await listDisputes(two.db, { ...asked, after: next })), 'ba')
  assert.equal(namesOf(await listDisputes(two.db, { ...asked, limit: 10 })), 'ecba')
  assert.equal(namesOf(await listOfPayment(two.db, { merchantId: two.own, number: second })), 'edc')
})

test('a list shows one merchant and mode, newest first, and every filter narrows it', async () => {
  for (const [filter, told] of [
    [{}, 'ecba'],
    [{ mode: 'live' }, 'd'],
    [{ state: 'lost' }, 'b'],
    [{ txRef: `order-${first}` }, 'ba'],
    [{ after: { openedAt: on(12).toISOString(), id: 'dsp_c' } }, 'ba'],
    [{ after: { openedAt: on(12).toISOString(), id: 'dsp_d' } }, 'cba'],
    [{ limit: 2 }, 'ec'],
  ] as const) {
    const asked = { merchantId: two.own, mode: 'test', limit: 10, ...filter } as const
    assert.equal(areOf(two.own, await listDisputes(two.db, asked)), told, JSON.stringify(filter))
  }
})
