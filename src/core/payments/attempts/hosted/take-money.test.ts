import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Values } from '../../../../../test/support/rows.ts'
import {
  attemptOnPage,
  openDesk,
  readAttempt,
  type Answers,
} from '../../../../../test/support/scripted-networks.ts'
import { openTill, type Till } from '../../../../../test/support/till.ts'
import { sql } from '../../../../platform/database/sql.ts'
import { checkHosted } from './check-hosted.ts'
import { leavePage } from './leave-page.ts'
import { findPaymentRow } from './hosted-store.ts'

let till: Till
before(async () => {
  till = await openTill()
})
after(() => till.close())

const approved = { kind: 'approved', connectorReference: 'tb_1' } as const
const charged = {
  kind: 'charged',
  connectorReference: 'tb_1',
  chargeReference: 'ch_1',
  money: { amountMinor: 1_000n, currency: 'GBP' },
} as const
const underReview = { kind: 'pending', connectorReference: 'tb_1', chargeReference: 'ch_1' } as const
const lapsed = { kind: 'declined', reason: 'challenge_abandoned' } as const

/** What the network was asked when the schedule came by, and what became of the attempt and its payment. */
async function check(answers: Answers, changes: Values = {}, payment: Values = {}): Promise<unknown> {
  const attempt = await attemptOnPage(till, changes, payment)
  const { asked, paying } = openDesk(till, answers, { applyOutcome: till.paying.applyOutcome })
  await checkHosted(paying, attempt)
  const { merchant_id: merchantId, number } = attempt
  const paid = await findPaymentRow(till.db, { merchantId, number })
  return [...asked, (await readAttempt(till, attempt)).state, paid?.state]
}

test('an approved attempt is captured, and then paid', async () => {
  const answers = { fetch: approved, capture: charged }
  assert.deepEqual(await check(answers), ['fetch', 'capture', 'succeeded', 'success'])
})

test('the approval is committed before the network is told to take the money', async () => {
  const attempt = await attemptOnPage(till)
  const states: string[] = []
  const { paying } = openDesk(till, { fetch: approved, capture: charged })
  const connectors = paying.connectors.map((connector) => ({
    ...connector,
    async capture() {
      states.push((await readAttempt(till, attempt)).state)
      return charged
    },
  }))
  await checkHosted({ ...paying, connectors, applyOutcome: till.paying.applyOutcome }, attempt)
  assert.deepEqual(states, ['submitted'])
})

test('a capture without an answer leaves the attempt submitted, and is sent again with the same order once asked about', async () => {
  const attempt = await attemptOnPage(till)
  const answers: Answers = { fetch: approved, capture: [undefined, charged] }
  const desk = openDesk(till, answers, { applyOutcome: till.paying.applyOutcome })
  await checkHosted(desk.paying, attempt)
  const between = await readAttempt(till, attempt)
  assert.equal(between.state, 'submitted')
  assert.notEqual(between.next_check_at, null)
  await checkHosted(desk.paying, between)
  assert.equal((await readAttempt(till, attempt)).state, 'succeeded')
  const captures = desk.told.filter((_, index) => desk.asked[index] === 'capture')
  assert.equal(captures.length, 2)
  assert.deepEqual(captures[0], captures[1])
})

test('a lost capture that had taken the money is not sent again', async () => {
  const answers = { fetch: charged, capture: charged }
  assert.deepEqual(await check(answers, { state: 'submitted' }), ['fetch', 'succeeded', 'success'])
})

test('nothing is captured for a payment that was paid elsewhere, expired, failed or was cancelled', async () => {
  const answers = { fetch: approved, capture: charged }
  for (const state of ['success', 'expired', 'failed', 'cancelled', 'reversed']) {
    assert.deepEqual(await check(answers, {}, { state }), ['fetch', 'abandoned', state])
    assert.deepEqual(await check(answers, { state: 'submitted' }, { state }), ['fetch', 'declined', state])
  }
})

test('an approval that lapsed ends the attempt and leaves the payment open', async () => {
  const answers = { fetch: approved, capture: lapsed }
  assert.deepEqual(await check(answers), ['fetch', 'capture', 'declined', 'pending'])
  assert.deepEqual(await check({ fetch: lapsed, capture: charged }), ['fetch', 'abandoned', 'pending'])
})

test('a capture under review stays submitted with its reference, and is written down once', async () => {
  const attempt = await attemptOnPage(till)
  const answers: Answers = { fetch: [approved, underReview, underReview], capture: underReview }
  const desk = openDesk(till, answers, { applyOutcome: till.paying.applyOutcome })
  for (let times = 0; times < 3; times += 1) await checkHosted(desk.paying, await readAttempt(till, attempt))
  const { state, charge_reference } = await readAttempt(till, attempt)
  assert.deepEqual([state, charge_reference], ['submitted', 'ch_1'])
  const history = await till.db.query<{ event: string }>(sql`
    select event from payment_history where merchant_id = ${attempt.merchant_id} and number = ${attempt.number}
    order by at, event`)
  assert.deepEqual(
    history.map(({ event }) => event),
    ['approved', 'money_on_its_way'],
  )
})

test('an undecided capture is asked about again', async () => {
  for (const capture of [
    approved,
    { kind: 'open', connectorReference: 'tb_1' },
    { kind: 'not_found' },
  ] as const)
    assert.deepEqual(await check({ fetch: approved, capture }), ['fetch', 'capture', 'submitted', 'pending'])
})

test('leaving the page during the capture stops nothing', async () => {
  const attempt = await attemptOnPage(till)
  const desk = openDesk(
    till,
    { withdraw: lapsed, capture: charged },
    { applyOutcome: till.paying.applyOutcome },
  )
  const key = { merchantId: attempt.merchant_id, number: attempt.number }
  // As read before another server committed the approval.
  await till.paying.applyOutcome({ ...key, attempt: 1 }, { kind: 'approved' })
  assert.equal(await leavePage(desk.paying, key), false)
  assert.deepEqual(desk.asked, [])
  assert.equal((await readAttempt(till, attempt)).state, 'submitted')
})
