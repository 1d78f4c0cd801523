import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { byBank } from '../../../../test/support/hosted-choice.ts'
import { insertRows, type Values } from '../../../../test/support/rows.ts'
import { attemptByCard, attemptOnPage, readAttempt } from '../../../../test/support/scripted-networks.ts'
import { hourMs, minuteMs, openTill, secondMs, type Till } from '../../../../test/support/till.ts'
import { sql } from '../../../platform/database/sql.ts'
import type { CardTesting } from '../card-testing/card-testing.ts'
import type { AttemptRow } from './attempt-store.ts'
import { makeStartAttempt, type StartAttempt, type Started } from './start-attempt.ts'

let till: Till
before(async () => {
  till = await openTill()
})
beforeEach(async () => {
  await till.db.queryAll([
    sql`delete from decline_levels where merchant_id = ${till.merchantId}`,
    sql`delete from card_attacks where merchant_id = ${till.merchantId}`,
  ])
})
after(() => till.close())

const ahead = (ms: number): Date => new Date(till.paying.now().getTime() + ms)

const visa = { brand: 'Visa', last4: '4242' }
const traced = { trace: { addressHash: 'adr', cardFingerprint: 'crd' }, provenFor: undefined }
const inFlight: Started = { kind: 'in_flight' }
const closed: Started = { kind: 'closed' }

/** The payment of an attempt that is over, so that this is its second. */
async function payable(ofPayment: Values = {}): Promise<AttemptRow> {
  return attemptByCard(till, { state: 'declined' }, ofPayment)
}

async function start(
  { merchant_id: merchantId, number }: AttemptRow,
  ...how: [] | [StartAttempt] | [StartAttempt, Parameters<StartAttempt>[4]]
): Promise<Started | 'second'> {
  const [begin = till.paying.startAttempt, trace] = how
  const started = await begin({ merchantId, number }, till.network, visa, 'de', trace)
  return started.kind === 'started' && started.attempt.attempt === 2 ? 'second' : started
}

test('an attempt is committed with everything needed to ask for it, and checked half a minute later', async () => {
  const nothing = {
    connector_reference: null,
    decline_reason: null,
    checks: 0,
    state: 'started',
    page_url: null,
    charge_reference: null,
    charged_minor: null,
    charged_currency: null,
    refund_reference: null,
    saved_method_id: null,
  }
  const byCard = { connector: 'test-network', card_brand: 'Visa', card_last4: '4242' }
  const noPage = { account_id: null, method: null, page_expires_at: null }
  const onPage = { connector: 'test-bank', card_brand: null, card_last4: null, account_id: 'acc_test-bank' }
  for (const [ms, connector, by, expected] of [
    [hourMs, till.network, visa, { ...byCard, ...noPage }],
    [2 * hourMs, till.bank, byBank, { ...onPage, method: 'bank', page_expires_at: ahead(hourMs) }],
    [30 * minuteMs, till.bank, byBank, { ...onPage, method: 'bank', page_expires_at: ahead(30 * minuteMs) }],
    [minuteMs, till.bank, byBank, { ...onPage, method: 'bank', page_expires_at: ahead(15 * minuteMs) }],
  ] as const) {
    const earlier = await payable({ expires_at: ahead(ms) })
    const { merchant_id, number } = earlier
    const started = await till.paying.startAttempt({ merchantId: merchant_id, number }, connector, by)
    assert.ok(started.kind === 'started')
    const { amount_minor, currency, ...row } = started.attempt
    assert.deepEqual([amount_minor, currency], [1_000n, 'GBP'])
    assert.deepEqual(row, await readAttempt(till, { ...earlier, attempt: 2 }))
    const { idempotency_key, started_at, updated_at, next_check_at, page_expires_at, ...rest } = row
    assert.match(idempotency_key, /^[\da-f-]{36}$/)
    const times = [started_at, updated_at, next_check_at, page_expires_at]
    assert.deepEqual(
      times.map((time) => time && new Date(time)),
      [ahead(0), ahead(0), ahead(30 * secondMs), expected.page_expires_at],
    )
    const { page_expires_at: _, ...facts } = expected
    assert.deepEqual(rest, { merchant_id, number, attempt: 2, ...nothing, ...facts })
  }
})

test('no attempt starts on a finished or expired payment, or beside one in flight', async () => {
  for (const state of ['success', 'failed', 'cancelled', 'expired'])
    assert.deepEqual(await start(await payable({ state })), closed, state)
  for (const state of ['started', 'action_required', 'submitted', 'unknown', 'held'])
    assert.deepEqual(await start(await attemptOnPage(till, { state })), inFlight, state)
  assert.equal(await start(await payable({ expires_at: ahead(1) })), 'second')
  const nobodys = { ...(await payable()), number: '9'.repeat(24) }
  assert.deepEqual(await start(nobodys), closed)
  const ended = await payable({ expires_at: ahead(0) })
  assert.deepEqual(await start(ended), closed)
  const { merchant_id: merchantId, number } = ended
  assert.equal((await till.read({ merchantId, number })).state, 'expired')
  const busy = await attemptOnPage(till, {}, { expires_at: ahead(0) })
  assert.deepEqual(await start(busy), inFlight)
  assert.equal((await till.read({ merchantId, number: busy.number })).state, 'pending')
})

/** Begins with its own rules about card testing. */
function judging(): StartAttempt {
  const limits = { freeDeclines: 4, attackDeclines: 30, attackPercent: 70 }
  return makeStartAttempt({ ...till.paying, cardTesting: { limits } as CardTesting })
}

async function declined(level: number): Promise<void> {
  await insertRows(till.db, 'decline_levels', [
    {
      merchant_id: till.merchantId,
      mode: 'test',
      kind: 'card',
      name: 'crd',
      level,
      level_at: ahead(0),
    },
  ])
}

async function traceOf({ merchant_id, number }: AttemptRow): Promise<unknown> {
  return till.db.query(sql`
    select address_hash, card_fingerprint from attempts
    where merchant_id = ${merchant_id} and number = ${number} and attempt = 2`)
}

test('a customer with declines is checked first, and waits after too many', async () => {
  const clean = await payable()
  assert.equal(await start(clean, judging(), traced), 'second')
  assert.deepEqual(await traceOf(clean), [{ address_hash: 'adr', card_fingerprint: 'crd' }])
  await declined(3)
  assert.equal(await start(await payable(), judging(), traced), 'second')
  await till.db.query(sql`update decline_levels set level = 4 where merchant_id = ${till.merchantId}`)
  const wait = { kind: 'wait', until: ahead(5 * secondMs) }
  assert.deepEqual(await start(await payable(), judging(), traced), wait)
  const untraced = await payable()
  assert.equal(await start(untraced, judging()), 'second', 'nothing is known of who brings no trace')
  assert.deepEqual(await traceOf(untraced), [{ address_hash: null, card_fingerprint: null }])
  assert.deepEqual(
    await start(await payable(), till.paying.startAttempt, traced),
    inFlight,
    'nobody judges here',
  )
})

test('under attack a proof is required, valid only for its own attempt', async () => {
  const now = ahead(0)
  await insertRows(till.db, 'card_attacks', [
    {
      merchant_id: till.merchantId,
      mode: 'test',
      declines: 30,
      counted_from: now,
      since: now,
      until: ahead(minuteMs),
    },
  ])
  const proven = async (provenFor?: number): ReturnType<typeof start> =>
    start(await payable(), judging(), { ...traced, provenFor })
  assert.deepEqual(await proven(), { kind: 'proof_needed' })
  assert.equal(await proven(2), 'second')
  assert.deepEqual(await proven(1), inFlight)
  assert.deepEqual(await proven(3), inFlight)
})

test('an attempt refused for no known reason counts as in flight, as with a network of another mode', async () => {
  const { merchant_id: merchantId, number } = await payable()
  const live = { name: 'bank', mode: 'live' } as const
  for (const trace of [undefined, traced])
    for (const begin of [till.paying.startAttempt, judging()])
      assert.deepEqual(await begin({ merchantId, number }, live, visa, 'de', trace), inFlight)
})

test('an attempt the database refuses fails alone, even in a batch', async () => {
  const { merchantId } = till
  const numbers = [(await payable()).number, (await payable()).number, (await payable()).number]
  const results = await Promise.allSettled(
    numbers.map(async (number, index) => {
      const card = { ...visa, last4: index === 1 ? '424' : '4242' }
      return till.paying.startAttempt({ merchantId, number }, till.network, card)
    }),
  )
  assert.deepEqual(
    results.map((result) => (result.status === 'fulfilled' ? result.value.kind : 'refused')),
    ['started', 'refused', 'started'],
  )
})
