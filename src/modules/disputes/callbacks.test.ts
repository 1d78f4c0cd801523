import assert from 'node:assert/strict'
import { test } from 'node:test'
import { callbackEvent } from '../../../test/support/callback-event.ts'
import { openTill } from '../../../test/support/till.ts'
import { disputeCallbacks } from './callbacks.ts'

test('an event about a dispute without an id is unknown', async (t) => {
  const till = await openTill()
  t.after(() => till.close())
  const { dispute } = disputeCallbacks(till.paying)
  assert.equal(await dispute(callbackEvent({ merchant_id: till.merchantId, about: 'dispute' })), 'unknown')
})
