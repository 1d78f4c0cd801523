import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import {
  delivery,
  moment,
  openNotificationRows,
  origins,
  own,
  receiver,
  type NotificationRows,
} from '../../../../test/support/notification-rows.ts'
import { waitUntil } from '../../../../test/support/wait-until.ts'
import { inTransaction } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'
import type { TryResult } from '../result-store.ts'
import { isFailure, recordResults, recordSuccesses } from './record-results.ts'

let rows: NotificationRows
before(async () => {
  rows = await openNotificationRows()
})
after(() => rows.close())

// It is written anew once an hour.
const failing = { failing_since: moment(-9_000), last_failed_at: moment(-6_000) }

function result(id: string, changes: Partial<TryResult> = {}): TryResult {
  return {
    merchant_id: own,
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
const failed = {
  status: 500,
  state: 'waiting',
  step: 1,
  next_try_at: moment(60),
  counts_against: true,
} as const
const givenUp = { status: 500, state: 'failed', counts_against: true } as const

beforeEach(async () => {
  await rows.replace({
    deliveries: [
      ...['evt_a', 'evt_b', 'evt_c'].map((id) => delivery({ id })),
      delivery({ id: 'evt_two', origin: origins.two }),
      delivery({ id: 'evt_live', mode: 'live' }),
      delivery({ id: 'msg_a', kind: 'mail', mode: 'live', origin: 'mail', target: 'ada@example.com' }),
    ],
    receivers: [receiver(failing), receiver({ origin: origins.two }), receiver({ mode: 'live', ...failing })],
  })
})

/** The receivers of both modes, with how long they have been failing. */
async function trouble(): Promise<Record<string, unknown>> {
  const found = await rows.db.query<Record<string, string>>(sql`
    select mode, origin, failing_since, last_failed_at from receivers where merchant_id = ${own}`)
  return Object.fromEntries(
    found.map((one) => [`${one['mode']} ${one['origin']}`, [one['failing_since'], one['last_failed_at']]]),
  )
}

const still = [moment(-9_000), moment(-6_000)]
const fine = [null, null]

test('a failure counts against its receiver, or is retried', () => {
  assert.equal(isFailure(result('evt_a')), false)
  assert.equal(isFailure(result('evt_a', failed)), true)
  assert.equal(isFailure(result('evt_a', givenUp)), true)
  assert.equal(isFailure(result('evt_a', { state: 'waiting' })), true)
  assert.equal(isFailure(result('evt_a', { state: 'failed' })), false, 'it is not wanted')
})

test('a receiver is failing from its first failure to its last, whatever arrived in between', async () => {
  const results = [
    result('evt_a', { ...failed, at: moment(12) }),
    result('evt_b', { at: moment(11) }),
    result('evt_c', { ...failed, at: moment(10) }),
    result('evt_two', { ...givenUp, at: moment(9) }),
    result('msg_a', { ...failed, at: moment(8) }),
  ]
  assert.deepEqual(await recordResults(rows.db, own, results), [
    { merchantId: own, mode: 'test', origin: origins.one },
    { merchantId: own, mode: 'test', origin: origins.two },
  ])
  assert.deepEqual(await trouble(), {
    [`test ${origins.one}`]: [moment(-9_000), moment(12)],
    [`test ${origins.two}`]: [moment(9), moment(9)],
    [`live ${origins.one}`]: still,
  })
})

test('the first failure is the earliest one', async () => {
  await rows.replace({ deliveries: ['evt_a', 'evt_b', 'evt_c'].map((id) => delivery({ id })) })
  const at = (id: string, seconds: number) => result(id, { ...failed, at: moment(seconds) })
  await recordResults(rows.db, own, [at('evt_a', 11), at('evt_b', 10), at('evt_c', 12)])
  assert.deepEqual(await trouble(), { [`test ${origins.one}`]: [moment(10), moment(12)] })
})

test('a failing receiver recovers when something arrives and nothing fails', async () => {
  assert.deepEqual(await recordResults(rows.db, own, [result('evt_a'), result('evt_b')]), [])
  assert.deepEqual(await trouble(), {
    [`test ${origins.one}`]: fine,
    [`test ${origins.two}`]: fine,
    [`live ${origins.one}`]: still,
  })
})

test('an unwanted delivery, or a success beside a failure, doesn’t make a receiver healthy', async () => {
  await recordResults(rows.db, own, [result('evt_a', { status: 410, state: 'failed' })])
  assert.deepEqual((await trouble())[`test ${origins.one}`], still)
  await recordResults(rows.db, own, [result('evt_b'), result('evt_c', { ...givenUp, at: moment(11) })])
  assert.deepEqual((await trouble())[`test ${origins.one}`], [moment(-9_000), moment(11)])
})

test('failed and successful attempts are recorded alike', async () => {
  await recordResults(rows.db, own, [result('evt_a'), result('evt_two', failed)])
  const moved = await rows.db.query(sql`
    select id, state, step from deliveries where merchant_id = ${own} and id in ('evt_a', 'evt_two') order by id`)
  assert.deepEqual(moved, [
    { id: 'evt_a', state: 'delivered', step: 0 },
    { id: 'evt_two', state: 'waiting', step: 1 },
  ])
})

test('successes in a shared transaction count only once it commits', async () => {
  const enough = new Error('undone')
  const undone = inTransaction(rows.db, async (tx) => {
    await recordSuccesses(tx, own, [result('evt_live', {})])
    throw enough
  })
  await assert.rejects(undone, enough)
  assert.deepEqual((await trouble())[`live ${origins.one}`], still)
  await inTransaction(rows.db, async (tx) => recordSuccesses(tx, own, [result('evt_a')]))
  await waitUntil(
    'it is well again',
    async () => (await trouble())[`test ${origins.one}`]?.toString() === ',',
  )
  assert.deepEqual((await trouble())[`live ${origins.one}`], still)
})
