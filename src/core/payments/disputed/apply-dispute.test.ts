import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Values } from '../../../../test/support/rows.ts'
import { attemptByCard } from '../../../../test/support/scripted-networks.ts'
import { openTill, type Till } from '../../../../test/support/till.ts'
import { inTransaction } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'
import { listHistory } from '../history-store.ts'
import { applyDispute, lockDisputedPayment, type DisputeNow } from './apply-dispute.ts'
import type { StoredDispute } from './dispute-view.ts'

let till: Till
before(async () => {
  till = await openTill()
})
after(() => till.close())

const shown: StoredDispute = {
  id: 'dsp_1',
  state: 'under_review',
  reason: 'fraudulent',
  amount: '10.00',
  amount_minor: 1_000,
  currency: 'GBP',
  evidence_due_at: null,
  money_taken: true,
  opened_at: '2026-11-16T12:00:00Z',
  updated_at: '2026-11-16T12:00:00Z',
}

/** The state that a dispute leaves a payment in, its moves, and the events that its merchant is told of. */
async function dispute(
  payment: Values,
  moneyTaken: boolean,
  event?: DisputeNow['event'],
): Promise<unknown[]> {
  const told = { callback_url: 'https://shop.example/ipn', ...payment }
  const { merchant_id: merchantId, number } = await attemptByCard(till, { state: 'succeeded' }, told)
  const key = { merchantId, number }
  const applied = await inTransaction(till.db, async (tx) => {
    const locked = await lockDisputedPayment(tx, key)
    assert.ok(locked)
    return applyDispute(till.paying, tx, locked, { stored: shown, moneyTaken, event })
  })
  const stored = await till.read(key)
  assert.deepEqual([applied.state, applied.dispute], [stored.state, stored.dispute])
  assert.deepEqual(JSON.parse(stored.dispute ?? ''), shown)
  const moves = (await listHistory(till.db, key)).map(({ event: move }) => move)
  const deliveries = await till.db.query<{ event: string }>(sql`
    select event from deliveries
    where merchant_id = ${merchantId} and number = ${number} and kind = 'ipn' order by event`)
  return [stored.state, moves, deliveries.map((delivery) => delivery.event)]
}

test('a dispute takes a payment’s money and gives it back, and only news is announced', async () => {
  const paid = { state: 'success' }
  const part = { refunded_minor: 999n }
  const refunded = { state: 'refunded', refunded_minor: 1_000n }
  const reversed = { state: 'reversed' }
  const rows: [Values, boolean, state: string, moves: string[]][] = [
    [paid, false, 'success', []],
    [paid, true, 'reversed', ['reversed_by_bank']],
    [refunded, false, 'refunded', []],
    [refunded, true, 'reversed', ['reversed_by_bank']],
    [reversed, true, 'reversed', []],
    [reversed, false, 'success', ['given_back_by_bank']],
    [{ ...reversed, ...part }, false, 'success', ['given_back_by_bank']],
    [{ ...refunded, ...reversed }, false, 'refunded', ['given_back_refunded']],
  ]
  for (const [payment, moneyTaken, state, moves] of rows) {
    const [stateThen, movesThen, untold] = await dispute(payment, moneyTaken)
    assert.deepEqual([stateThen, movesThen], [state, moves])
    const [, , told] = await dispute(payment, moneyTaken, 'dispute.opened')
    assert.deepEqual(told, ['dispute.opened', ...(untold as string[])].toSorted())
  }
})
