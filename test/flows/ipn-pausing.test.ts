import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import { bySystem } from '../../src/core/audit/audit.ts'
import { inTransaction } from '../../src/platform/database/database.ts'
import { sql } from '../../src/platform/database/sql.ts'
import { makeLog } from '../../src/platform/http/log.ts'
import { pauseAfterMs, pauseFailingReceivers } from '../../src/core/notifications/ipn/pause-receivers.ts'
import { listPausedReceivers, resumeReceiver } from '../../src/core/notifications/ipn/resume-receiver.ts'
import { recordResults } from '../../src/core/notifications/deliver/record-results.ts'
import type { TryResult } from '../../src/core/notifications/result-store.ts'
import { resetFarFutures } from '../../src/core/notifications/deliver/reset-far-future.ts'
import { pauseDeliveries, restart } from '../../src/core/notifications/schedule-store.ts'
import { claim, type Claim } from '../../src/core/notifications/store.ts'
import { lockPayment } from '../../src/core/payments/store.ts'
import { transition } from '../../src/core/payments/transition.ts'
import { openTill, type Till } from '../support/till.ts'
import { waitUntil } from '../support/wait-until.ts'
import { countWaiting } from '../support/who-waits.ts'

// A try under way, and a receiver that is paused, resumed or asked again at the same moment.

const origin = 'https://shop.example/ipn'
let till: Till
beforeEach(async () => {
  till = await openTill()
})
afterEach(() => till.close())

const queue = () => ({ merchantId: till.merchantId, mode: 'test', origin }) as const

async function pause(afterHours = 0): Promise<void> {
  await till.db.query(sql`
    insert into receivers (merchant_id, mode, origin, failing_since, last_failed_at, paused_at)
    values (${till.merchantId}, 'test', ${origin}, now() - make_interval(hours => ${afterHours}::integer), now(), now())`)
  await inTransaction(till.db, async (tx) => pauseDeliveries(tx, queue()))
}

async function stateOfIpn(): Promise<string | undefined> {
  const [row] = await till.db.query<{ state: string }>(sql`select state from deliveries where kind = 'ipn'`)
  return row?.state
}

async function failingSince(): Promise<string | null | undefined> {
  const [row] = await till.db.query<{ failing_since: string | null }>(sql`
    select failing_since from receivers where merchant_id = ${till.merchantId} and origin = ${origin}`)
  return row?.failing_since
}

/** The IPN of a payment, claimed for a try. */
async function claimed(): Promise<Claim> {
  const key = await till.newPayment()
  await inTransaction(till.db, async (tx) => {
    const payment = await lockPayment(tx, key)
    assert.ok(payment)
    await transition(till.paying, tx, payment, 'cancelled_by_merchant')
  })
  const [one] = await claim(till.db, till.merchantId, [{ ...queue(), room: 1 }], new Date())
  assert.ok(one)
  return one
}

function resultOf(one: Claim, state: TryResult['state']): TryResult {
  return {
    merchant_id: one.merchant_id,
    id: one.id,
    attempt: one.tries,
    at: new Date().toISOString(),
    ms: 10,
    status: state === 'delivered' ? 200 : null,
    error: state === 'delivered' ? null : 'timeout',
    answer: null,
    state,
    step: one.step,
    next_try_at: null,
    counts_against: state === 'failed',
  }
}

/** To be tried again in a day, which is longer than any test and shorter than what a wrong clock does. */
function failedOnce(one: Claim): TryResult {
  const inADay = new Date(Date.now() + 26 * 3_600_000).toISOString()
  return { ...resultOf(one, 'waiting'), counts_against: true, next_try_at: inADay }
}

test('a notification written while its receiver is resumed isn’t left behind', async () => {
  await pause()
  const key = await till.newPayment()
  let resumed: Promise<number> | undefined
  await inTransaction(till.db, async (tx) => {
    const payment = await lockPayment(tx, key)
    assert.ok(payment)
    await transition(till.paying, tx, payment, 'cancelled_by_merchant')
    resumed = resumeReceiver(till.paying, queue(), bySystem)
    await waitUntil('the one who resumes waits', async () => (await countWaiting(till.db)) > 0)
  })
  assert.equal(await resumed, 1)
  assert.equal(await stateOfIpn(), 'waiting')
})

test('a delivery that arrives while its receiver is paused has arrived', async () => {
  const one = await claimed()
  await pause()
  assert.equal(await stateOfIpn(), 'paused')
  await recordResults(till.db, till.merchantId, [resultOf(one, 'delivered')])
  assert.equal(await stateOfIpn(), 'delivered')
  const [receiver] = await listPausedReceivers(till.db, queue())
  assert.ok(receiver?.failingSince, 'it stays paused, and says since when it failed')
  assert.equal(await resumeReceiver(till.paying, queue(), bySystem), 0, 'nothing is sent again')
})

test('a resumed receiver starts its 120 hours again, whatever its history', async () => {
  const one = await claimed()
  await pause(130)
  await resumeReceiver(till.paying, queue(), bySystem)
  const now = new Date()
  const failed = { ...failedOnce(one), at: now.toISOString() }
  const inTrouble = await recordResults(till.db, till.merchantId, [failed])
  assert.deepEqual(inTrouble, [queue()])
  assert.deepEqual(await pauseFailingReceivers(till.paying, till.merchantId, inTrouble, now), [])
  assert.equal(await stateOfIpn(), 'waiting')
  assert.equal(Date.parse((await failingSince()) ?? ''), now.getTime())
  const hopeless = new Date(now.getTime() + pauseAfterMs)
  assert.equal((await pauseFailingReceivers(till.paying, till.merchantId, inTrouble, hopeless)).length, 1)
})

test('a receiver that accepts one delivery and refuses another at once hasn’t recovered', async () => {
  for (const order of [[0, 1] as const, [1, 0] as const]) {
    const both = [await claimed(), await claimed()] as const
    const since = new Date(Date.now() - 3_600_000).toISOString()
    await till.db.query(sql`
      insert into receivers (merchant_id, mode, origin, failing_since, last_failed_at)
      values (${till.merchantId}, 'test', ${origin}, ${since}, ${since})
      on conflict (merchant_id, mode, origin) do update set failing_since = ${since}, last_failed_at = ${since}`)
    const results = [resultOf(both[0], 'delivered'), failedOnce(both[1])] as const
    await recordResults(till.db, till.merchantId, [results[order[0]], results[order[1]]])
    assert.equal(await failingSince(), since.replace('Z', '000Z'))
    await recordResults(till.db, till.merchantId, [resultOf(await claimed(), 'delivered')])
    assert.equal(await failingSince(), null, 'nothing but good news is a recovery')
  }
})

test('a resend isn’t undone by the attempt in flight', async () => {
  const one = await claimed()
  assert.ok(await restart(till.db, { ...queue(), id: one.id }, new Date()))
  await recordResults(till.db, till.merchantId, [resultOf(one, 'failed')])
  assert.equal(await stateOfIpn(), 'waiting')
  await recordResults(till.db, till.merchantId, [resultOf(one, 'delivered')])
  assert.equal(await stateOfIpn(), 'delivered', 'unless that one brings it there')
})

test('an attempt scheduled weeks ahead by a wrong clock is brought back, and no other', async () => {
  const one = await claimed()
  await recordResults(till.db, till.merchantId, [failedOnce(one)])
  assert.equal(await resetFarFutures(till.db, makeLog('silent')), 0)
  const inAMonth = new Date(Date.now() + 30 * 86_400_000).toISOString()
  await till.db.query(sql`update deliveries set next_try_at = ${inAMonth}`)
  assert.equal(await resetFarFutures(till.db, makeLog('silent')), 1)
  assert.equal(
    (await claim(till.db, till.merchantId, [{ ...queue(), room: 1 }], new Date(Date.now() + 60_000))).length,
    1,
  )
})
