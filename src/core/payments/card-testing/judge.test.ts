import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import {
  attemptRow,
  insertRows,
  openTwoMerchants,
  paymentNumber,
  paymentRow,
  type TwoMerchants,
} from '../../../../test/support/rows.ts'
import { sql } from '../../../platform/database/sql.ts'
import type { CardTesting } from './card-testing.ts'
import { judge, lasts, levelOf, type Judgement } from './judge.ts'

let merchants: TwoMerchants
before(async () => {
  merchants = await openTwoMerchants()
  const { db, own } = merchants
  await insertRows(
    db,
    'payments',
    [tried, fresh].map((number) => paymentRow({ merchant_id: own, number, mode: 'live' })),
  )
})
beforeEach(async () => {
  const { db, own } = merchants
  await db.queryAll([
    sql`delete from decline_levels where merchant_id = ${own}`,
    sql`delete from card_attacks where merchant_id = ${own}`,
    sql`delete from attempts where merchant_id = ${own}`,
  ])
  await declinedOrder(2, 3_600)
})
after(() => merchants.close())

const now = new Date('2026-11-16T12:00:00.000Z')
const inSeconds = (seconds: number): Date => new Date(now.getTime() + seconds * 1_000)

/** An order that was declined twice an hour ago, and one that nobody has tried to pay. */
const [tried, fresh] = [paymentNumber(20), paymentNumber(21)]

async function declinedOrder(times: number, secondsAgo: number): Promise<void> {
  const { db, own } = merchants
  await db.query(sql`delete from attempts where merchant_id = ${own} and number = ${tried}`)
  const rows = Array.from({ length: times }, (_, index) =>
    attemptRow({
      merchant_id: own,
      number: tried,
      attempt: index + 1,
      state: 'declined',
      started_at: inSeconds(-secondsAgo),
    }),
  )
  await insertRows(db, 'attempts', rows)
}

async function judged(provenFor?: number, number = tried): Promise<Judgement> {
  const testing = { limits: { freeDeclines: 4, attackDeclines: 30, attackPercent: 70 } } as CardTesting
  const trace = { addressHash: 'adr', cardFingerprint: 'crd' }
  const of = { merchantId: merchants.own, number, mode: 'live' as const, trace }
  return judge(merchants.db, testing, { ...of, provenFor, now })
}

async function declined(kind: 'address' | 'card', level: number, secondsAgo: number): Promise<void> {
  const name = kind === 'address' ? 'adr' : 'crd'
  await insertRows(merchants.db, 'decline_levels', [
    { merchant_id: merchants.own, mode: 'live', kind, name, level, level_at: inSeconds(-secondsAgo) },
  ])
}

const attacked = async (): Promise<void> =>
  insertRows(merchants.db, 'card_attacks', [
    {
      merchant_id: merchants.own,
      mode: 'live',
      declines: 30,
      counted_from: now,
      since: now,
      until: inSeconds(60),
    },
  ])

test('a clean record passes, and too many declines wait for the later of address and card', async () => {
  const free = { kind: 'free', onlyAs: undefined }
  assert.deepEqual(await judged(), free)
  assert.deepEqual(await judged(3), free, 'nobody asked for the proof')
  await declined('address', 3, 0)
  assert.deepEqual(await judged(), free)
  await declined('card', 4, 1)
  assert.deepEqual(await judged(3), { kind: 'wait', until: inSeconds(4) })
  await merchants.db.query(sql`
    update decline_levels set level = 5 where merchant_id = ${merchants.own} and kind = 'address'`)
  assert.deepEqual(await judged(), { kind: 'wait', until: inSeconds(10) })
  await merchants.db.query(sql`
    update decline_levels set level = 6 where merchant_id = ${merchants.own} and kind = 'card'`)
  assert.deepEqual(await judged(), { kind: 'wait', until: inSeconds(14) })
})

test('a new order from a waiting address may bring a proof instead', async () => {
  await declined('address', 6, 0)
  assert.deepEqual(await judged(), { kind: 'wait', until: inSeconds(15) })
  assert.deepEqual(await judged(undefined, fresh), { kind: 'proof_needed' })
  assert.deepEqual(await judged(1, fresh), { kind: 'free', onlyAs: 1 })
  await declinedOrder(1, 3_600)
  assert.deepEqual(await judged(), { kind: 'proof_needed' }, 'one decline may be a mistyped card')
  await declined('card', 4, 0)
  assert.deepEqual(
    await judged(1, fresh),
    { kind: 'wait', until: inSeconds(5) },
    'the card waits all the same',
  )
})

test('an order waits for its own declines, whatever the address and the card', async () => {
  await declinedOrder(5, 2)
  assert.deepEqual(await judged(3), { kind: 'wait', until: inSeconds(8) })
  assert.deepEqual(await judged(undefined, fresh), { kind: 'free', onlyAs: undefined })
})

test('open challenges count like declines of their address', async () => {
  const { db, own } = merchants
  const numbers = Array.from({ length: 5 }, (_, place) => paymentNumber(place))
  const of = (number: string) => ({ merchant_id: own, number, mode: 'live' })
  await insertRows(
    db,
    'payments',
    numbers.map((number) => paymentRow(of(number))),
  )
  await insertRows(
    db,
    'attempts',
    numbers.map((number, place) =>
      attemptRow({
        merchant_id: own,
        number,
        state: 'action_required',
        challenged_from: 'adr',
        started_at: inSeconds(-place),
        next_check_at: now,
      }),
    ),
  )
  assert.deepEqual(await judged(), { kind: 'free', onlyAs: undefined })
  await declined('address', 3, 60)
  assert.deepEqual(await judged(), { kind: 'wait', until: inSeconds(5) })
})

test('under attack only half as many declines are free, and each attempt needs its own proof', async () => {
  await attacked()
  assert.deepEqual(await judged(), { kind: 'proof_needed' })
  assert.deepEqual(await judged(3), { kind: 'free', onlyAs: 3 })
  await declined('card', 2, 0)
  assert.deepEqual(await judged(3), { kind: 'wait', until: inSeconds(5) })
})

test('an attack lasts until its end, and one written by a wrong clock never began', () => {
  for (const [seconds, expected] of [
    [-1, false],
    [0, false],
    [1, true],
    [600, true],
    [605, true],
    [605.001, false],
  ] as const)
    assert.equal(lasts(inSeconds(seconds).toISOString(), now), expected, `${seconds} s`)
  assert.deepEqual([lasts(null, now), lasts(undefined, now)], [false, false])
})

test('a level is read only together with its time', () => {
  const at = now.toISOString()
  assert.deepEqual(levelOf(0, at), { level: 0, at: now })
  for (const [level, when] of [
    [null, at],
    [3, null],
    [null, null],
  ] as const)
    assert.equal(levelOf(level, when), undefined)
})
