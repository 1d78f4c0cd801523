import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { attemptOnPage, readAttempt } from '../../../../../test/support/scripted-networks.ts'
import { openTill, type Till } from '../../../../../test/support/till.ts'
import { bySystem } from '../../../audit/audit.ts'
import { sql } from '../../../../platform/database/sql.ts'
import { listHistory } from '../../history-store.ts'
import { attemptStates } from '../../state-machine.ts'
import { attemptKey } from '../attempt-store.ts'
import { acceptHeld, askAgainForSurplus, markReturned, sendBackHeld } from './held.ts'

const by = { ...bySystem, name: 'per_ada' }
let till: Till
before(async () => {
  till = await openTill()
})
after(() => till.close())

async function actsOn(number: string): Promise<string[]> {
  const rows = await till.db.query<{ action: string; actor: string }>(sql`
    select audit_log.action, audit_log.actor from audit_log
    join payments on payments.merchant_id = ${till.merchantId} and payments.number = ${number}
    where audit_log.merchant_id = ${till.merchantId} and audit_log.subject = payments.tx_ref order by at, id`)
  return rows.map(({ action, actor }) => `${action} by ${actor}`)
}

test('only held money is returned, at the moment of the request', async () => {
  const at = till.paying.now()
  for (const state of attemptStates) {
    const attempt = await attemptOnPage(till, { state })
    const key = attemptKey(attempt)
    assert.equal(await sendBackHeld(till.paying, { key, by, at }), state === 'held', state)
    const row = await readAttempt(till, attempt)
    if (state !== 'held') assert.deepEqual(row, attempt)
    else {
      assert.deepEqual([row.state, new Date(row.updated_at)], ['surplus', at])
      assert.deepEqual(await actsOn(key.number), ['charge.sent_back by per_ada'])
      const [moved] = await listHistory(till.db, key)
      assert.deepEqual([moved?.event, moved?.actor], ['sent_back', 'per_ada'])
    }
  }
  const key = attemptKey(await attemptOnPage(till, { state: 'held' }))
  for (const gone of [
    { ...key, attempt: 2 },
    { ...key, number: '9'.repeat(24) },
  ])
    assert.equal(await sendBackHeld(till.paying, { key: gone, by, at }), false)
})

const charge = { state: 'held', charged_minor: 700, charged_currency: 'GBP', charge_reference: 'ch_1' }

test('an accepted charge pays the payment, whose amount becomes what was charged, however many accept it', async () => {
  const at = till.paying.now()
  const attempt = await attemptOnPage(till, charge, { items: '[]' })
  const key = attemptKey(attempt)
  const accepted = await Promise.all([1, 2, 3].map(async () => acceptHeld(till.paying, { key, by, at })))
  assert.equal(accepted.filter(Boolean).length, 1)
  assert.equal(await sendBackHeld(till.paying, { key, by, at }), false)
  const { state, amount_minor, items } = await till.read(key)
  assert.deepEqual([state, amount_minor, items], ['success', 700n, null])
  assert.equal((await readAttempt(till, attempt)).state, 'succeeded')
  assert.deepEqual(await actsOn(key.number), ['charge.accepted by per_ada'])
  const told = await till.db.query<{ body: string }>(sql`
    select body from deliveries where merchant_id = ${till.merchantId} and number = ${key.number} and kind = 'mail'`)
  for (const { body } of told) assert.doesNotMatch(body, /"10\.00"/)
})

test('a charge in another currency, or of an unknown amount, is not accepted', async () => {
  const at = till.paying.now()
  for (const change of [{ charged_currency: 'EUR' }, { charged_minor: null, charged_currency: null }]) {
    const key = attemptKey(await attemptOnPage(till, { ...charge, ...change }))
    await assert.rejects(acceptHeld(till.paying, { key, by, at }), /another currency|did not say/)
    assert.equal((await till.read(key)).state, 'pending')
    assert.deepEqual(await actsOn(key.number), [])
  }
})

test('a surplus charge that nobody asks for is asked for again, or marked as returned', async () => {
  const at = till.paying.now()
  const stuck = { ...charge, state: 'surplus', next_check_at: null }
  const asked = await attemptOnPage(till, stuck)
  assert.equal(await askAgainForSurplus(till.db, { key: attemptKey(asked), by, at }), true)
  const again = await readAttempt(till, asked)
  assert.deepEqual(new Date(again.next_check_at ?? 0), at)
  assert.equal(again.updated_at, asked.updated_at, 'the 23 hours in which it may be sent don’t start again')
  assert.equal(await askAgainForSurplus(till.db, { key: attemptKey(asked), by, at }), false)
  assert.equal(await markReturned(till.paying, { key: attemptKey(asked), by, at }), false, 'Florin asks')

  const returned = await attemptOnPage(till, stuck)
  assert.equal(await markReturned(till.paying, { key: attemptKey(returned), by, at }), true)
  assert.equal(await markReturned(till.paying, { key: attemptKey(returned), by, at }), false)
  assert.equal((await readAttempt(till, returned)).state, 'returned')
  assert.deepEqual(await actsOn(returned.number), ['charge.marked_returned by per_ada'])
})
