import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { hourMs, openTill, type Till } from '../../../../test/support/till.ts'
import { makeTwins, twinNumbers, type Twins } from '../../../../test/support/twins.ts'
import { inTransaction } from '../../../platform/database/database.ts'
import { violates } from '../../../platform/database/connection-lost.ts'
import { sql } from '../../../platform/database/sql.ts'
import { lockPayment, lockPayments } from '../store.ts'
import {
  countDeclined,
  findAttempt,
  findInFlight,
  findLastAttempt,
  hurryChecks,
  listAttempts,
  lockWithPayments,
  moveAttemptStates,
  scheduleCheck,
  type AttemptChange,
  type AttemptRow,
} from './attempt-store.ts'

// The same as in ../store.test.ts, for attempts.

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

const nameOf = (row: Pick<AttemptRow, 'merchant_id' | 'number' | 'attempt'> | undefined): unknown[] => [
  row?.merchant_id,
  row?.number,
  row?.attempt,
]

test('look-ups find this merchant’s attempts of this payment', async () => {
  await twins.forEach(async (own) => {
    for (const attempt of [1, 2]) {
      const found = await findAttempt(till.db, { merchantId: own, number: busy, attempt })
      assert.deepEqual(nameOf(found), [own, busy, attempt])
    }
    assert.equal(await findAttempt(till.db, { merchantId: own, number: open, attempt: 2 }), undefined)
    const key = { merchantId: own, number: busy }
    assert.deepEqual(nameOf(await findLastAttempt(till.db, key)), [own, busy, 2])
    assert.deepEqual(nameOf(await findLastAttempt(till.db, { ...key, number: open })), [own, open, 1])
    assert.deepEqual((await listAttempts(till.db, key)).map(nameOf), [
      [own, busy, 1],
      [own, busy, 2],
    ])
    assert.deepEqual(await countDeclined(till.db, own, [busy, live]), new Map([[busy, 1]]))
    assert.deepEqual(await findInFlight(till.db, own, [busy, open, live]), new Set([busy]))
  })
})

test('another merchant’s attempts in flight or declined don’t count here', async () => {
  const [one, two] = twins.merchants
  await till.db.query(sql`delete from attempts where merchant_id = ${one} and number = ${busy}`)
  assert.deepEqual(await findInFlight(till.db, one, [busy]), new Set())
  assert.deepEqual(await findInFlight(till.db, two, [busy]), new Set([busy]))
  assert.deepEqual(await countDeclined(till.db, one, [busy]), new Map())
  assert.equal(await findLastAttempt(till.db, { merchantId: one, number: busy }), undefined)
})

test('only the named attempts and their payments are locked', async () => {
  const [first, second] = twins.merchants
  await till.db.query(sql`
    update attempts set decline_reason = merchant_id::text where merchant_id in (${first}, ${second})`)
  await twins.forEach(async (own, other) => {
    await inTransaction(till.db, async (tx) => {
      const { payments, attempts } = await lockWithPayments(tx, own, [
        { merchantId: own, number: busy, attempt: 2 },
        { merchantId: own, number: open, attempt: 2 },
        { merchantId: other, number: alsoBusy, attempt: 2 },
      ])
      assert.deepEqual(
        [...payments.values()].map((one) => [one.merchant_id, one.number, one.amount_minor]),
        [[own, busy, BigInt(own)]],
      )
      assert.deepEqual([...attempts.values()].map(nameOf), [[own, busy, 2]])
      assert.equal(String(attempts.get(`${busy}/2`)?.decline_reason), String(own))
      assert.deepEqual(await twins.lockedPayments(own), [busy])
      assert.deepEqual(await twins.lockedAttempts(own), [`${busy}/2`])
    })
  })
})

test('a locked payment is exclusive', async () => {
  const [own] = twins.merchants
  await inTransaction(till.db, async (tx) => {
    await lockPayment(tx, { merchantId: own, number: live })
    assert.deepEqual(await twins.lockedPayments(own), [live])
    await lockPayments(tx, own, [busy, alsoBusy])
    assert.deepEqual(await twins.lockedPayments(own), [alsoBusy, live, busy])
  })
})

function charged(merchantId: number, changes: Partial<AttemptChange> = {}): AttemptChange {
  return {
    merchant_id: merchantId,
    number: busy,
    attempt: 2,
    from_state: 'unknown',
    to_state: 'succeeded',
    connector_reference: 'tn_1',
    decline_reason: null,
    is_over: true,
    page_url: null,
    charge_reference: null,
    charged_minor: null,
    charged_currency: null,
    next_check_at: null,
    event: 'charged',
    at: new Date(),
    ...changes,
  }
}

test('a move changes only the named attempt, in the named state', async () => {
  await twins.forEach(async (own, other) => {
    const rows = await twins.rowsOf(own)
    const move = async (change: AttemptChange): Promise<void> =>
      inTransaction(till.db, async (tx) => moveAttemptStates(tx, own, [change]))
    for (const wrong of [
      charged(own, { from_state: 'started' }),
      charged(own, { attempt: 1 }),
      charged(own, { attempt: 3 }),
      charged(own, { number: open }),
      charged(other),
    ])
      await assert.rejects(move(wrong), /An attempt of a locked payment changed its state/)
    assert.equal(await twins.countChanged(own, rows), 0)

    await move(charged(own))
    assert.equal(await twins.countChanged(own, rows), 2, 'the attempt, and a row of history')
    const moved = await findAttempt(till.db, { merchantId: own, number: busy, attempt: 2 })
    assert.equal(moved?.state, 'succeeded')
  })
})

test('a check is counted only for its attempt, while that is unknown', async () => {
  await twins.forEach(async (own) => {
    const rows = await twins.rowsOf(own)
    const next = { checks: 7, at: new Date() }
    await scheduleCheck(till.db, { merchantId: own, number: busy, attempt: 1 }, next)
    await scheduleCheck(till.db, { merchantId: own, number: open, attempt: 1 }, next)
    await scheduleCheck(till.db, { merchantId: own, number: live, attempt: 2 }, next)
    assert.equal(await twins.countChanged(own, rows), 0)
    await scheduleCheck(till.db, { merchantId: own, number: busy, attempt: 2 }, next)
    assert.equal(await twins.countChanged(own, rows), 1)
  })
})

test('only attempts in flight of paid payments are checked now', async () => {
  const soon = new Date(Date.now() + hourMs)
  await twins.forEach(async (own) => {
    await inTransaction(till.db, async (tx) => hurryChecks(tx, own, [busy, open], soon))
    const rows = await till.db.query<{ name: string }>(sql`
      select number || '/' || attempt as name from attempts where merchant_id = ${own} and next_check_at = ${soon}`)
    assert.deepEqual(rows, [{ name: `${busy}/2` }])
  })
})

test('an attempt that breaks a constraint is refused with its name, and empty values pass', async () => {
  const [own] = twins.merchants
  const set = async (change: ReturnType<typeof sql>): Promise<unknown> =>
    till.db.query(sql`
      update attempts set ${change} where merchant_id = ${own} and number = ${busy} and attempt = 2`)
  const broken: [ReturnType<typeof sql>, string][] = [
    [sql`attempt = 0`, 'attempts_attempt_check'],
    [sql`attempt = 101`, 'attempts_attempt_check'],
    [sql`state = 'paid'`, 'attempts_state_check'],
    [sql`card_last4 = '424'`, 'attempts_card_last4_check'],
    [sql`account_id = 'acc_1', method = 'cash'`, 'attempts_method_known'],
    [sql`account_id = 'acc_1', method = null`, 'attempts_account_with_method'],
    [sql`account_id = null, method = 'card'`, 'attempts_account_with_method'],
  ]
  for (const [change, rule] of broken) await assert.rejects(set(change), (error) => violates(error, rule))
  await set(sql`card_last4 = null, account_id = null, method = null`)
  await set(sql`card_last4 = '4242', account_id = 'acc_1', method = 'bank'`)
})
