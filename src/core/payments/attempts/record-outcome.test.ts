import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { attemptByCard, attemptOnPage, openDesk } from '../../../../test/support/scripted-networks.ts'
import { openTill, type Till } from '../../../../test/support/till.ts'
import { DatabaseUnavailable } from '../../../platform/errors/database-unavailable.ts'
import { formConnectorOf, recordOutcome } from './record-outcome.ts'

let till: Till
before(async () => {
  till = await openTill()
})
after(() => till.close())

const charged = { kind: 'charged', connectorReference: 'tn_1' } as const

test('when an outcome can’t be written the customer waits, and is never told that nothing was done', async () => {
  const attempt = await attemptByCard(till)
  const failing = (why: Error) => openDesk(till, {}, { applyOutcome: async () => Promise.reject(why) })
  const away = failing(new DatabaseUnavailable(true))
  assert.deepEqual(await recordOutcome(away.paying, attempt, charged), { kind: 'waiting' })
  const sentence = 'Could not save an outcome; the next check with the network will find it'
  assert.deepEqual(away.log(), [['warn', sentence]])
  const broken = failing(new Error('broken'))
  await assert.rejects(recordOutcome(broken.paying, attempt, charged), /^Error: broken$/)
  assert.deepEqual(broken.log(), [])
  assert.deepEqual(await recordOutcome(till.paying, attempt, charged), { kind: 'paid' })
})

test('a card attempt is looked up at its own network, never at one with its own page', async () => {
  const byCard = await attemptByCard(till)
  assert.equal(formConnectorOf(till.paying, byCard).name, till.network.name)
  for (const attempt of [await attemptOnPage(till), { ...byCard, connector: 'gone' }])
    assert.throws(() => formConnectorOf(till.paying, attempt), /There is no connector .* for cards/)
})
