import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import {
  attemptRow,
  insertRows,
  openTwoMerchants,
  paymentNumber,
  paymentRow,
  storedRows,
  type TwoMerchants,
  type Values,
} from '../../../../test/support/rows.ts'
import { inTransaction } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'
import {
  countDeclines,
  countSuccesses,
  findAttacks,
  forgetHashes,
  readStanding,
  setAttack,
  type AttackRow,
  type Counting,
} from './decline-store.ts'
import { findMerchantsToForget, findMerchantsUnderAttack } from './forget-look-store.ts'

let merchants: TwoMerchants
before(async () => {
  merchants = await openTwoMerchants()
})
beforeEach(async () => {
  for (const [own] of merchants.both)
    await merchants.db.queryAll([
      sql`delete from decline_levels where merchant_id = ${own}`,
      sql`delete from card_attacks where merchant_id = ${own}`,
      sql`delete from attempts where merchant_id = ${own}`,
    ])
})
after(() => merchants.close())

const noon = new Date('2026-11-16T12:00:00.000Z')
const minuteMs = 60_000
const later = (ms: number): Date => new Date(noon.getTime() + ms)
const justBefore = later(-1)

async function count(merchantId: number, counting: Partial<Counting>): Promise<AttackRow[]> {
  const { at = noon } = counting
  const windowFrom = new Date(at.getTime() - 10 * minuteMs)
  const whole = { levels: [], ofMerchant: [], windowFrom, levelMax: 10, ...counting, at }
  return inTransaction(merchants.db, async (tx) => countDeclines(tx, merchantId, whole))
}

test('a level rises with declines, falls with time, and stays between zero and the maximum', async () => {
  const { db, own } = merchants
  const level = { mode: 'live', kind: 'address', name: 'adr' } as const
  const raised = async (ms: number, times: number, changes: object = {}): Promise<unknown[]> => {
    await count(own, { levels: [{ ...level, ...changes, times }], at: later(ms) })
    const rows = await db.query<{ level: number }>(sql`
      select level from decline_levels where merchant_id = ${own} order by level_at desc`)
    return rows.map((row) => row.level)
  }
  await count(merchants.other, { levels: [{ ...level, times: 9 }] })
  const others = await storedRows(db, 'decline_levels', merchants.other)
  assert.deepEqual(await raised(0, 2), [2])
  assert.deepEqual(await raised(20 * minuteMs, 2), [3])
  assert.deepEqual(await raised(10 * minuteMs, 1), [4], 'a clock that is behind forgives nothing')
  assert.deepEqual(await raised(10 * minuteMs, 50), [10])
  assert.deepEqual(await raised(9_999 * minuteMs, 1), [1])
  // Each of these is somebody else.
  assert.deepEqual(await raised(10_000 * minuteMs, 4, { mode: 'test' }), [4, 1])
  assert.deepEqual(await raised(10_001 * minuteMs, 11, { name: 'two' }), [10, 4, 1])
  assert.deepEqual(await raised(10_002 * minuteMs, 3, { kind: 'card' }), [3, 10, 4, 1])
  // A card of live mode takes an hour.
  assert.deepEqual(await raised(10_032 * minuteMs, 1, { kind: 'card' }), [3.5, 10, 4, 1])
  assert.deepEqual(await storedRows(db, 'decline_levels', merchants.other), others)
})

test('a merchant’s declines are counted within a window, and restart after it or if the clock is behind', async () => {
  const { own, other } = merchants
  const counted = async (ms: number, mode: 'test' | 'live' = 'test', of = own): Promise<unknown[]> =>
    (await count(of, { ofMerchant: [{ mode, times: 2 }], at: later(ms) })).map((row) => [
      row.mode,
      row.declines,
      new Date(row.counted_from).getTime() - noon.getTime(),
    ])
  assert.deepEqual(await counted(0), [['test', 2, 0]])
  assert.deepEqual(await counted(0, 'live'), [['live', 2, 0]])
  assert.deepEqual(await counted(0, 'test', other), [['test', 2, 0]])
  assert.deepEqual(await counted(0), [['test', 4, 0]])
  assert.deepEqual(await counted(10 * minuteMs), [['test', 6, 0]], 'at the end of the window')
  const next = 10 * minuteMs + 1
  assert.deepEqual(await counted(next), [['test', 2, next]])
  assert.deepEqual(await counted(next - 1), [['test', 2, next - 1]])
})

test('successes are a merchant’s payments in a mode, paid since then and created within the hour before', async () => {
  const { db, own, other } = merchants
  const asked = { mode: 'test', state: 'success', created_at: later(1 - 60 * minuteMs), updated_at: noon }
  const rows: Values[] = [
    asked,
    asked,
    { ...asked, mode: 'live' },
    { ...asked, state: 'cancelled' },
    { ...asked, created_at: later(-60 * minuteMs) },
    { ...asked, updated_at: justBefore },
  ]
  const payments = rows.map((row, index) =>
    paymentRow({ ...row, merchant_id: own, number: paymentNumber(index + 1) }),
  )
  const others = [3, 4, 5].map((index) =>
    paymentRow({ ...asked, merchant_id: other, number: paymentNumber(index) }),
  )
  await insertRows(db, 'payments', [...payments, ...others])
  const counted = async (merchantId: number, max: number): Promise<number> =>
    inTransaction(db, async (tx) => countSuccesses(tx, { merchantId, mode: 'test', since: noon, max }))
  assert.equal(await counted(own, 100), 2)
  assert.equal(await counted(other, 100), 3)
  assert.equal(await counted(own, 1), 1)
})

test('an attack concerns one merchant in one mode, and ends on time', async () => {
  const { db, own, other } = merchants
  const modes = ['test', 'live'] as const
  for (const [merchantId] of merchants.both)
    await count(merchantId, { ofMerchant: modes.map((mode) => ({ mode, times: 1 })) })
  const end = later(10 * minuteMs)
  const attacked = async (at: Date): Promise<unknown[]> => [
    await findAttacks(db, own, at),
    await findAttacks(db, other, at),
    await findMerchantsUnderAttack(db, at),
  ]
  assert.deepEqual(await attacked(noon), [[], [], []])
  await inTransaction(db, async (tx) => setAttack(tx, own, { mode: 'live', since: noon, until: end }))
  assert.deepEqual(await attacked(noon), [['live'], [], [own]])
  assert.deepEqual(await attacked(later(10 * minuteMs - 1)), [['live'], [], [own]])
  assert.deepEqual(await attacked(end), [[], [], []])
})

test('records against an address and a card belong to this merchant, mode and kind', async () => {
  const { db, own, other } = merchants
  const standing = async (): Promise<unknown[]> => {
    const trace = { addressHash: 'adr', cardFingerprint: 'crd' }
    const row = await readStanding(db, { merchantId: own, number: paymentNumber(10), mode: 'test', trace })
    return [
      row?.address_level,
      row?.card_level,
      row?.attack_until && 'attack',
      row?.open,
      row?.newest_open && 'open',
    ]
  }
  const address = { merchant_id: own, mode: 'test', kind: 'address', name: 'adr', level: 1, level_at: noon }
  const card = { ...address, kind: 'card', name: 'crd', level: 2 }
  const attack = { merchant_id: own, mode: 'test', declines: 1, counted_from: noon, until: noon }
  const payments = [own, other].map((merchant_id) => paymentRow({ merchant_id, number: paymentNumber(10) }))
  await insertRows(db, 'payments', payments)
  const challenge = { number: paymentNumber(10), state: 'declined', challenged_from: 'adr' }
  const misses = [address, card].flatMap((level) => [
    { ...level, merchant_id: other },
    { ...level, mode: 'live' },
    { ...level, kind: level === card ? 'address' : 'card' },
    { ...level, name: 'another' },
  ])
  await insertRows(db, 'decline_levels', misses)
  await insertRows(db, 'card_attacks', [
    { ...attack, merchant_id: other },
    { ...attack, mode: 'live' },
  ])
  await insertRows(db, 'attempts', [
    attemptRow({ ...challenge, merchant_id: other }),
    attemptRow({ ...challenge, merchant_id: own, challenged_from: 'another' }),
  ])
  assert.deepEqual(await standing(), [null, null, null, 0, null])
  await insertRows(db, 'decline_levels', [address, card])
  await insertRows(db, 'card_attacks', [attack])
  await insertRows(db, 'attempts', [attemptRow({ ...challenge, merchant_id: own, attempt: 2 })])
  assert.deepEqual(await standing(), [1, 2, 'attack', 1, 'open'])
})

test('hashes older than a moment are erased, except on attempts in flight', async () => {
  const { db, own, other } = merchants
  const traced = {
    started_at: justBefore,
    address_hash: 'adr',
    card_fingerprint: 'crd',
    challenged_from: 'adr',
  }
  const inFlight = ['started', 'action_required', 'submitted', 'unknown']
  const rows: Values[] = [
    ...inFlight.map((state) => ({ ...traced, state })),
    { ...traced, state: 'unknown', started_at: noon },
    { ...traced, state: 'unknown', card_fingerprint: null },
    { ...traced, state: 'declined' },
  ]
  const named = [own, other].flatMap((merchant_id) =>
    rows.map((row, index) => ({ ...row, merchant_id, number: paymentNumber(index + 20) })),
  )
  await insertRows(
    db,
    'payments',
    named.map(({ merchant_id, number }) => paymentRow({ merchant_id, number })),
  )
  await insertRows(db, 'attempts', named.map(attemptRow))
  const level = { mode: 'test', kind: 'card', level: 1 }
  await insertRows(
    db,
    'decline_levels',
    [own, other].flatMap((merchant_id) => [
      { ...level, merchant_id, name: 'old', level_at: justBefore },
      { ...level, merchant_id, name: 'new', level_at: noon },
    ]),
  )
  const toForget = async (max = 100): Promise<number[]> =>
    (await findMerchantsToForget(db, noon, max)).toSorted((one, two) => one - two)
  assert.deepEqual(await toForget(), [own, other])
  const others = await Promise.all(
    ['attempts', 'decline_levels'].map(async (table) => storedRows(db, table, other)),
  )

  assert.equal(await forgetHashes(db, own, noon), 1 + inFlight.length)
  const kept = await db.query<{ number: string }>(sql`
    select number from attempts where merchant_id = ${own} and address_hash is not null order by number`)
  assert.deepEqual(
    kept.map(({ number }) => number),
    [24, 25, 26].map(paymentNumber),
  )
  const levels = await db.query(sql`select name from decline_levels where merchant_id = ${own}`)
  assert.deepEqual(levels, [{ name: 'new' }])
  assert.deepEqual(
    await Promise.all(['attempts', 'decline_levels'].map(async (table) => storedRows(db, table, other))),
    others,
  )

  assert.deepEqual(await toForget(), [other])
  await db.query(sql`delete from decline_levels where merchant_id = ${other}`)
  assert.deepEqual(await toForget(), [other], 'by its attempts')
  assert.equal(await forgetHashes(db, other, noon), inFlight.length)
  assert.deepEqual(await toForget(), [])
  await insertRows(db, 'decline_levels', [{ ...level, merchant_id: own, name: 'old', level_at: justBefore }])
  assert.deepEqual(await toForget(), [own], 'by its levels')
})

test('the number of merchants visited is limited, by their levels or their attempts', async () => {
  const { db, own, other } = merchants
  const countToForget = async (max: number): Promise<number> =>
    (await findMerchantsToForget(db, noon, max)).length
  // Each node of a cluster may name as many.
  const most = (await db.nodes.askWhetherPlain()) ? 1 : 2
  const level = { mode: 'test', kind: 'card', name: 'old', level: 1, level_at: justBefore }
  await insertRows(
    db,
    'decline_levels',
    [own, other].map((merchant_id) => ({ ...level, merchant_id })),
  )
  assert.equal(await countToForget(2), 2)
  assert.ok((await countToForget(1)) <= most)
  for (const [merchantId] of merchants.both) await forgetHashes(db, merchantId, noon)
  const payments = [own, other].map((merchant_id) => ({ merchant_id, number: paymentNumber(40) }))
  await insertRows(db, 'payments', payments.map(paymentRow))
  const traced = { state: 'unknown', started_at: justBefore, card_fingerprint: 'crd' }
  await insertRows(
    db,
    'attempts',
    payments.map((row) => attemptRow({ ...row, ...traced })),
  )
  assert.equal(await countToForget(2), 2)
  assert.ok((await countToForget(1)) <= most)
})
