import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openRefundDesk } from '../../../test/support/refund-desk.ts'
import { openTill, type Till } from '../../../test/support/till.ts'
import type { RefundStatus } from '../../core/networks/connector.ts'
import { sql } from '../../platform/database/sql.ts'
import type { Payable } from '../../core/payments/attempts/pay.ts'
import type { RefundState } from './state-machine.ts'
import { listHistory, type RefundRow } from './store.ts'

let till: Till
before(async () => {
  till = await openTill()
})
after(() => till.close())

const whole = 123_450n
const said = {
  submitted: { kind: 'submitted', refundReference: 'ref' },
  succeeded: { kind: 'succeeded', refundReference: 'ref' },
  failed: { kind: 'failed', reason: 'bounced', refundReference: 'ref' },
  not_found: { kind: 'not_found' },
} as const satisfies Record<RefundStatus['kind'], RefundStatus>

/** A refund of the whole payment in this state, as its network brought it there. */
async function refundIn(state: RefundState): Promise<{ key: Payable; refund: RefundRow }> {
  const desk = openRefundDesk(till)
  const key = await desk.paid()
  const requested = await desk.request(key)
  assert.equal(requested.state, 'requested')
  const refund = state === 'requested' ? requested : await desk.apply(requested, said[state])
  assert.equal(refund.state, state)
  return { key, refund }
}

type After = readonly [state: RefundState, reserved: bigint, refunded: bigint, payment: string]

const open = (state: RefundState): After => [state, whole, 0n, 'success']
const done: After = ['succeeded', whole, whole, 'refunded']
const failed: After = ['failed', 0n, 0n, 'success']

/** Where each word of a network leads from each state, and what it does to what is reserved and refunded. */
const words: Readonly<Record<RefundState, Readonly<Record<RefundStatus['kind'], After>>>> = {
  requested: { submitted: open('submitted'), succeeded: done, failed, not_found: failed },
  submitted: { submitted: open('submitted'), succeeded: done, failed, not_found: open('submitted') },
  succeeded: { submitted: done, succeeded: done, failed, not_found: done },
  failed: { submitted: failed, succeeded: done, failed, not_found: failed },
}

for (const [state, byWord] of Object.entries(words)) {
  for (const [word, expected] of Object.entries(byWord)) {
    test(`a ${state} refund that is ${word} at its network becomes ${expected[0]}, reported once or twice`, async () => {
      const { key, refund } = await refundIn(state as RefundState)
      const desk = openRefundDesk(till)
      for (let times = 0; times < 2; times += 1) {
        const { state: now } = await desk.apply(refund, said[word as RefundStatus['kind']])
        const payment = await till.read(key)
        assert.deepEqual([now, await desk.reserved(key), payment.refunded_minor, payment.state], expected)
      }
    })
  }
}

test('a failed refund that succeeds late counts only if it fits beside an open one', async () => {
  const desk = openRefundDesk(till)
  for (const [openMinor, state] of [
    [23_450n, 'succeeded'],
    [23_451n, 'failed'],
  ] as const) {
    const key = await desk.paid()
    const late = await desk.apply(await desk.request(key, 100_000n), said.failed)
    const beside = await desk.request(key, openMinor)
    assert.equal(beside.state, 'requested')
    assert.equal((await desk.apply(late, said.succeeded)).state, state, `${openMinor} are open`)
    assert.equal(await desk.reserved(key), state === 'succeeded' ? whole : openMinor)
    const both = await desk.apply(beside, said.succeeded)
    assert.equal(both.state, 'succeeded', 'the open one goes on')
    assert.ok((await till.read(key)).refunded_minor <= whole)
  }
  assert.match(till.log(), /after another refund replaced it; check it by hand/)
})

test('fees are returned with refunds, stay when one bounces, and never exceed the whole fee', async () => {
  const desk = openRefundDesk(till, { refundFees: true })
  const key = await desk.paid()
  // Thirds of a fee that three does not divide.
  await till.db.query(sql`
    update payments set charge_minor = 11 where merchant_id = ${key.merchantId} and number = ${key.number}`)
  const third = async (): Promise<RefundRow> =>
    desk.apply(await desk.request(key, whole / 3n), said.succeeded)
  const [first, second] = [await third(), await third()]
  assert.deepEqual([first.fee_returned_minor, second.fee_returned_minor], [3n, 4n])
  const home = await desk.apply(first, said.failed)
  assert.equal(home.fee_returned_minor, 0n)
  assert.equal((await third()).fee_returned_minor, 3n)
  assert.equal((await third()).fee_returned_minor, 4n)
  assert.equal((await till.read(key)).state, 'refunded')
})

test('fees are kept where the merchant’s plan says so, beside refunds that returned theirs', async () => {
  const [keeps, returns] = [openRefundDesk(till), openRefundDesk(till, { refundFees: true })]
  const key = await keeps.paid()
  const { charge_minor: charge } = await till.read(key)
  const kept = await keeps.apply(await keeps.request(key, whole / 2n), said.succeeded)
  const returned = await returns.apply(await returns.request(key, whole / 2n), said.succeeded)
  assert.deepEqual([kept.fee_returned_minor, returned.fee_returned_minor], [0n, charge / 2n])
})

test('a refund that bounces a second time is subtracted from the day it last went out', async () => {
  const desk = openRefundDesk(till)
  const key = await desk.paid()
  const refund = await desk.apply(await desk.request(key, 1_000n), said.succeeded)
  await desk.apply(refund, said.failed)
  await desk.apply(refund, said.succeeded)
  const names = { merchantId: key.merchantId, id: refund.id }
  const history = await listHistory(till.db, names)
  assert.deepEqual(
    history.map(({ to_state }) => to_state),
    ['succeeded', 'failed', 'succeeded'],
  )
  await till.db.query(sql`
    update refund_history set at = '2026-01-01'::timestamptz + place * interval '1 day'
    where merchant_id = ${key.merchantId} and refund_id = ${refund.id}`)
  await desk.apply(refund, said.failed)
  const days = await till.db.query<{ refunded_minor: bigint }>(sql`
    select refunded_minor from daily_total_changes where merchant_id = ${key.merchantId} and day = '2026-01-04'`)
  assert.deepEqual(days, [{ refunded_minor: -1_000n }])
})
