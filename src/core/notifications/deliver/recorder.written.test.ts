import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import {
  delivery,
  moment,
  neighbour,
  openNotificationRows,
  origins,
  own,
  receiver,
  type NotificationRows,
} from '../../../../test/support/notification-rows.ts'
import { waitUntil } from '../../../../test/support/wait-until.ts'
import { sql } from '../../../platform/database/sql.ts'
import { makeLog } from '../../../platform/http/log.ts'
import { makeOutbox, type Outbox } from '../outbox.ts'
import type { TryResult } from '../result-store.ts'
import { makeRecorder } from './recorder.ts'

let rows: NotificationRows
before(async () => {
  rows = await openNotificationRows()
  // Until the database has said what it is, merchants share no commit.
  while (!rows.db.sharesCommits) await rows.db.query(sql`select 1`)
})
after(() => rows.close())

const hour = 3_600
const ids = ['evt_a', 'evt_b', 'evt_c', 'evt_d']
beforeEach(async () => {
  await rows.replace({
    deliveries: [own, neighbour].flatMap((merchant_id) => ids.map((id) => delivery({ id, merchant_id }))),
  })
})

function result(merchant_id: number, id: string, changes: Partial<TryResult> = {}): TryResult {
  return {
    merchant_id,
    id,
    attempt: 1,
    at: moment(10),
    ms: 7,
    status: 200,
    error: null,
    answer: null,
    state: 'delivered',
    step: 0,
    next_try_at: null,
    counts_against: false,
    ...changes,
  }
}

const again = {
  status: 500,
  state: 'waiting',
  step: 1,
  next_try_at: moment(60),
  counts_against: true,
} as const
const lastTry = { status: 500, state: 'failed', counts_against: true } as const
const notWanted = { status: 410, state: 'failed' } as const

type LogLine = Readonly<Record<string, unknown>>

/** A recorder, how many it says were given up, and what it logs. */
function open(outbox: Outbox = makeOutbox()) {
  const state = { gaveUp: 0, lines: [] as LogLine[] }
  const record = makeRecorder({
    db: rows.db,
    outbox,
    log: makeLog('info', { write: (line: string) => void state.lines.push(JSON.parse(line) as LogLine) }),
    now: () => new Date(moment(10)),
    metrics: { gaveUp: (count) => void (state.gaveUp += count) },
  })
  const recordAll = async (results: readonly TryResult[]): Promise<void> => {
    await Promise.all(results.map(async (one) => record(one.merchant_id, one)))
  }
  return { state, recordAll }
}

async function statesOf(merchantId: number): Promise<Record<string, string>> {
  const found = await rows.db.query<{ id: string; state: string }>(sql`
    select id, state from deliveries where merchant_id = ${merchantId} and kind = 'ipn' order by id`)
  return Object.fromEntries(found.map(({ id, state }) => [id, state]))
}

test('deliveries given up are counted, after the last try or when unwanted, alone and in a group', async () => {
  const outcomes = [{}, again, lastTry, notWanted]
  const { state, recordAll } = open()
  const all = [own, neighbour].flatMap((merchantId) =>
    ids.map((id, index) => result(merchantId, id, outcomes[index])),
  )
  await recordAll(all)
  assert.equal(state.gaveUp, 4)
  const ended = { evt_a: 'delivered', evt_b: 'waiting', evt_c: 'failed', evt_d: 'failed' }
  for (const merchantId of [own, neighbour]) assert.deepEqual(await statesOf(merchantId), ended)
})

test('grouping merchants loses no result of any kind', async () => {
  const kinds = [
    ['evt_a', {}, 'delivered', 0],
    ['evt_b', again, 'waiting', 0],
    ['evt_c', lastTry, 'failed', 2],
    ['evt_d', notWanted, 'failed', 2],
  ] as const
  for (const [id, outcome, ended, gaveUp] of kinds) {
    const { state, recordAll } = open()
    await recordAll([own, neighbour].map((merchantId) => result(merchantId, id, outcome)))
    assert.equal(state.gaveUp, gaveUp)
    for (const merchantId of [own, neighbour]) {
      assert.equal((await statesOf(merchantId))[id], ended)
      const troubled = await rows.db.query(sql`
        select from receivers where merchant_id = ${merchantId} and last_failed_at is not null`)
      assert.equal(troubled.length, id === 'evt_a' ? 0 : 1, 'failures speak against their receiver')
    }
  }
})

test('a result the database refuses fails alone', async () => {
  const { recordAll } = open()
  // The first is on its way when the others come together.
  const wrong = result(own, 'evt_b', { status: 10_000_000_000 })
  await assert.rejects(recordAll([result(own, 'evt_a'), wrong, result(own, 'evt_c')]))
  await waitUntil('the third is written', async () => (await statesOf(own))['evt_c'] === 'delivered')
  assert.deepEqual(await statesOf(own), {
    evt_a: 'delivered',
    evt_b: 'waiting',
    evt_c: 'delivered',
    evt_d: 'waiting',
  })
})

test('a receiver failing for 120 hours is paused at the next failure, and the merchant is told', async () => {
  for (const [seconds, isPaused] of [
    [120 * hour, true],
    [120 * hour - 60, false],
  ] as const) {
    await rows.replace({
      deliveries: ids.map((id) => delivery({ id })),
      receivers: [receiver({ failing_since: moment(10 - seconds), last_failed_at: moment(10 - 2 * hour) })],
    })
    const { state, recordAll } = open()
    await recordAll([result(own, 'evt_a', again)])
    assert.deepEqual(new Set(Object.values(await statesOf(own))), new Set([isPaused ? 'paused' : 'waiting']))
    const told = { merchant: own, mode: 'test', origin: origins.one }
    assert.deepEqual(
      state.lines.map(({ level, merchant, mode, origin, msg }) => ({ level, merchant, mode, origin, msg })),
      isPaused ? [{ level: 'warn', ...told, msg: 'Paused a receiver that failed for 120 hours' }] : [],
    )
  }
})

test('when pausing a receiver fails the result is kept and a warning is logged', async () => {
  await rows.replace({
    deliveries: [delivery({ id: 'evt_a' })],
    receivers: [receiver({ failing_since: moment(-200 * hour), last_failed_at: moment(-2 * hour) })],
  })
  const broken = { ...makeOutbox(), write: async () => Promise.reject(new Error('no room')) }
  const { state, recordAll } = open(broken)
  await recordAll([result(own, 'evt_a', lastTry)])
  assert.deepEqual(await statesOf(own), { evt_a: 'failed' })
  assert.equal(state.gaveUp, 1)
  assert.deepEqual(
    state.lines.map(({ level, merchant, msg }) => [level, merchant, msg]),
    [['warn', own, 'Could not check whether to pause a receiver']],
  )
})
