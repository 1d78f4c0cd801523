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
import { leavePage } from './leave-page.ts'

let till: Till
before(async () => {
  till = await openTill()
})
after(() => till.close())

/** Whether the page was left, what the network was asked, and the state of the attempt. */
async function leave(answers: Answers, changes: Values = {}): Promise<unknown[]> {
  const attempt = await attemptOnPage(till, changes)
  const { merchant_id: merchantId, number } = attempt
  const desk = openDesk(till, answers, { applyOutcome: till.paying.applyOutcome })
  const isLeft = await leavePage(desk.paying, { merchantId, number })
  return [isLeft, desk.asked, (await readAttempt(till, attempt)).state]
}

test('another attempt may start once the network says its page can’t charge', async () => {
  const asked = ['withdraw']
  const pending = { kind: 'pending', connectorReference: 'tb_1' } as const
  const charged = {
    kind: 'charged',
    connectorReference: 'tb_1',
    chargeReference: 'ch_1',
    money: { amountMinor: 1_000n, currency: 'GBP' },
  } as const
  assert.deepEqual(await leave({ withdraw: { kind: 'not_found' } }), [true, asked, 'abandoned'])
  assert.deepEqual(await leave({ withdraw: pending }), [false, asked, 'submitted'])
  assert.deepEqual(await leave({ withdraw: charged }), [false, asked, 'succeeded'])
  assert.deepEqual(await leave({}), [false, asked, 'unknown'])
})

test('without an open page there is none to leave, and no network is asked', async () => {
  for (const state of ['started', 'submitted', 'unknown', 'declined', 'abandoned', 'succeeded'])
    assert.deepEqual(await leave({}, { state }), [false, [], state])
  const byCard = { account_id: null, method: null }
  assert.deepEqual(await leave({}, byCard), [false, [], 'action_required'])
  const desk = openDesk(till, {})
  assert.equal(await leavePage(desk.paying, await till.newPayment()), false)
})
