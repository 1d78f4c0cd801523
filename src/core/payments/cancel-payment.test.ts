import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Values } from '../../../test/support/rows.ts'
import {
  attemptByCard,
  attemptOnPage,
  openCardDesk,
  openDesk,
} from '../../../test/support/scripted-networks.ts'
import { openTill, type Till } from '../../../test/support/till.ts'
import { sql } from '../../platform/database/sql.ts'
import type { Actor } from '../audit/audit.ts'
import type { AttemptRow } from './attempts/attempt-store.ts'
import type { Paying } from './attempts/paying.ts'
import { cancelPayment, type CancelledBy } from './cancel-payment.ts'
import { listHistory } from './history-store.ts'

let till: Till
before(async () => {
  till = await openTill()
})
after(() => till.close())

const merchant: Actor = { kind: 'key', name: 'key_1' }
const everybody: readonly CancelledBy[] = ['customer', merchant]

/** The state after it, or why not; and what is written down of it. */
async function cancel(
  { merchant_id: merchantId, number }: AttemptRow,
  by: CancelledBy,
  paying: Paying = till.paying,
): Promise<unknown[]> {
  const key = { merchantId, number }
  const told = await cancelPayment(paying, key, by).then(
    ({ state }) => state,
    (error: unknown) => String(error),
  )
  const events = (await listHistory(till.db, key)).map(({ event }) => event)
  const acts = await till.db.query<Values>(sql`
    select actor, action, before, after from audit_log
    where merchant_id = ${merchantId} and subject = ${`order-${number}`}`)
  return [told, events, acts]
}

const act = {
  actor: 'key_1',
  action: 'payment.cancelled',
  before: { mode: 'test', state: 'pending' },
  after: { mode: 'test', state: 'cancelled' },
}
const refused = (why: string): unknown[] => [`Refusal: ${why}`, [], []]

test('an open payment is cancelled, and a merchant’s cancel is audited', async () => {
  const open = async () => attemptByCard(till, { state: 'declined' })
  assert.deepEqual(await cancel(await open(), 'customer'), ['cancelled', ['cancelled_by_customer'], []])
  assert.deepEqual(await cancel(await open(), merchant), ['cancelled', ['cancelled_by_merchant'], [act]])
})

test('a finished payment says why it can’t be cancelled, and a customer may cancel twice', async () => {
  for (const [state, why] of [
    ['success', 'This payment was paid and can no longer be cancelled'],
    ['failed', 'This payment failed and can no longer be cancelled'],
    ['expired', 'This payment expired and can no longer be cancelled'],
    ['reversed', 'This payment was reversed and can no longer be cancelled'],
  ] as const)
    for (const by of everybody)
      assert.deepEqual(
        await cancel(await attemptByCard(till, { state: 'declined' }, { state }), by),
        refused(why),
      )
  const cancelled = async () => attemptByCard(till, { state: 'declined' }, { state: 'cancelled' })
  assert.deepEqual(await cancel(await cancelled(), 'customer'), ['cancelled', [], []])
  assert.deepEqual(await cancel(await cancelled(), merchant), refused('This payment is already cancelled'))
  const nobodys = { ...(await cancelled()), number: '9'.repeat(24) }
  assert.deepEqual(await cancel(nobodys, merchant), refused('Transaction not found'))
})

const beingPaid = refused('This payment is being paid right now; try again shortly')

test('a payment in progress isn’t cancelled, and no network is asked', async () => {
  for (const state of ['started', 'submitted', 'unknown', 'held'])
    for (const by of everybody) {
      const card = openCardDesk(till, {})
      assert.deepEqual(await cancel(await attemptByCard(till, { state }), by, card.paying), beingPaid, state)
      const page = openDesk(till, {})
      assert.deepEqual(await cancel(await attemptOnPage(till, { state }), by, page.paying), beingPaid, state)
      assert.deepEqual([card.asked, page.asked], [[], []])
    }
})

test('a customer’s cancel ends 3-D Secure first, a merchant’s waits for it, and both close a network’s page', async () => {
  const withdraw = { kind: 'declined', reason: 'challenge_abandoned' } as const
  const { applyOutcome } = till.paying
  const card = openCardDesk(till, { withdraw }, { applyOutcome })
  const left = ['cancelled', ['given_up', 'cancelled_by_customer'], []]
  assert.deepEqual(await cancel(await attemptByCard(till), merchant, card.paying), beingPaid)
  assert.deepEqual(card.asked, [])
  assert.deepEqual(await cancel(await attemptByCard(till), 'customer', card.paying), left)
  assert.deepEqual(card.asked, ['withdraw'])
  const page = openDesk(till, { withdraw }, { applyOutcome })
  assert.deepEqual(await cancel(await attemptOnPage(till), 'customer', page.paying), left)
  const [state, , acts] = await cancel(await attemptOnPage(till), merchant, page.paying)
  assert.deepEqual([state, acts, page.asked], ['cancelled', [act], ['withdraw', 'withdraw']])
})
