import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import {
  insertRows,
  openTwoMerchants,
  paymentNumber,
  paymentRow,
  type TwoMerchants,
} from '../../../../test/support/rows.ts'
import { inTransaction } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'
import { makeLog } from '../../../platform/http/log.ts'
import { makeOutbox } from '../../notifications/outbox.ts'
import type { CardTesting } from './card-testing.ts'
import { noteDeclines, type Declined } from './note-declines.ts'

let merchants: TwoMerchants
before(async () => {
  merchants = await openTwoMerchants()
})
beforeEach(async () => {
  const { db, own } = merchants
  await db.queryAll([
    sql`delete from decline_levels where merchant_id = ${own}`,
    sql`delete from card_attacks where merchant_id = ${own}`,
    sql`delete from deliveries where merchant_id = ${own}`,
  ])
})
after(() => merchants.close())

const noon = new Date('2026-11-16T12:00:00.000Z')
const minutes = (count: number): Date => new Date(noon.getTime() + count * 60_000)

const decline = (changes: Partial<Declined> = {}): Declined => ({
  mode: 'live',
  trace: { addressHash: 'adr', cardFingerprint: 'crd' },
  reason: 'declined',
  ...changes,
})

/** Four declines are an attack, where not one payment in two succeeded beside them. */
const limits = { freeDeclines: 5, attackDeclines: 4, attackPercent: 50 }

/** Notes declines at a moment; returns how often operators heard of an attack. */
async function note(at: Date, declined: readonly Declined[], commits = true): Promise<number> {
  const { db, own } = merchants
  const heard = { counted: 0, lines: '' }
  const log = makeLog('info', { write: (line: string) => void (heard.lines += line) })
  const testing = { limits, metrics: { attacked: () => (heard.counted += 1) } } as unknown as CardTesting
  await inTransaction(db, async (tx) => {
    await noteDeclines({ outbox: makeOutbox(), log, now: () => at }, testing, tx, own, declined)
    if (!commits) throw new Error('not to be')
  }).catch((error: unknown) => {
    if (commits) throw error
  })
  // Listeners of a commit do their work in the turn after it.
  await setImmediate()
  assert.equal(heard.lines.split('A merchant is under attack').length - 1, heard.counted)
  return heard.counted
}

const four = Array.from({ length: 4 }, () => decline())

type Attack = { readonly declines: number; readonly since: string | null; readonly until: string | null }

async function attack(): Promise<[number, Date | null, Date | null] | undefined> {
  const [row] = await merchants.db.query<Attack>(sql`
    select declines, since, until from card_attacks where merchant_id = ${merchants.own} and mode = 'live'`)
  const timeOf = (text: string | null): Date | null => (text === null ? null : new Date(text))
  return row && [row.declines, timeOf(row.since), timeOf(row.until)]
}

async function mails(): Promise<unknown[]> {
  const rows = await merchants.db.query<{ event: string; mode: string; body: string }>(sql`
    select event, mode, body from deliveries where merchant_id = ${merchants.own}`)
  return rows.map(({ event, mode, body }) => [event, mode, JSON.parse(body)])
}

test('each decline counts for its address and card, in its mode', async () => {
  const other = { addressHash: 'adr', cardFingerprint: 'other' }
  await note(noon, [decline(), decline({ trace: other }), decline({ mode: 'test' })])
  const rows = await merchants.db.query<{ name: string; level: number }>(sql`
    select mode || ' ' || kind || ' ' || name as name, level from decline_levels
    where merchant_id = ${merchants.own} order by 1`)
  assert.deepEqual(
    rows.map(({ name, level }) => [name, level]),
    [
      ['live address adr', 2],
      ['live card crd', 1],
      ['live card other', 1],
      ['test address adr', 1],
      ['test card crd', 1],
    ],
  )
  await note(noon, [])
  assert.deepEqual(await attack(), [2, null, null])
})

test('the threshold of declines is an attack and one fewer isn’t, and the merchant is notified in the same commit', async () => {
  assert.equal(await note(noon, four.slice(1)), 0)
  assert.deepEqual([await attack(), await mails()], [[3, null, null], []])
  assert.equal(await note(minutes(1), four.slice(3), false), 0, 'what is not committed is not told')
  assert.deepEqual([await attack(), await mails()], [[3, null, null], []])
  assert.equal(await note(minutes(1), four.slice(3)), 1)
  assert.deepEqual(await attack(), [4, minutes(1), minutes(11)])
  assert.deepEqual(await mails(), [
    ['card_testing.noticed', 'live', { template: 'card_testing', declines: 4 }],
  ])
})

test('declines of a broken network aren’t part of an attack', async () => {
  assert.equal(await note(noon, [...four.slice(1), decline({ reason: 'processing_error' })]), 0)
  assert.deepEqual(await attack(), [3, null, null])
  assert.equal(await note(noon, [decline({ reason: undefined })]), 1)
})

test('a continuing attack is extended from its half on, and stays the same one for an hour after its end', async () => {
  assert.equal(await note(noon, four), 1)
  for (const [at, since, until, isNew] of [
    [4, 0, 10, false],
    [5, 0, 15, false],
    [75, 0, 85, false],
    [145.001, 145.001, 155.001, true],
  ] as const) {
    assert.equal(await note(minutes(at), four), isNew ? 1 : 0, `after ${at} minutes`)
    assert.deepEqual((await attack())?.slice(1), [minutes(since), minutes(until)], `after ${at} minutes`)
  }
  assert.equal((await mails()).length, 2)
})

test('enough successful payments mean that it is no attack', async () => {
  const { db, own } = merchants
  const succeeded = (small: number) =>
    paymentRow({
      merchant_id: own,
      number: paymentNumber(small),
      mode: 'live',
      state: 'success',
      created_at: minutes(-11),
      updated_at: minutes(-10),
    })
  await insertRows(db, 'payments', [1, 2, 3, 4].map(succeeded))
  assert.equal(await note(noon, four), 0)
  assert.deepEqual(await attack(), [4, null, null])
  await db.query(sql`
    update payments set updated_at = ${minutes(-10.001)}
    where merchant_id = ${own} and number = ${paymentNumber(1)}`)
  assert.equal(await note(noon, [decline()]), 1)
})
