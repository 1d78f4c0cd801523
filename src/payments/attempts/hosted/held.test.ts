import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { attemptOnPage, readAttempt } from '../../../../test/support/scripted-networks.ts'
import { openTill, type Till } from '../../../../test/support/till.ts'
import { attemptStates } from '../../state-machine.ts'
import { attemptKey } from '../attempt-store.ts'
import { sendBackHeld } from './held.ts'

let till: Till
before(async () => {
  till = await openTill()
})
after(() => till.close())

test('only held money is returned, at the moment of the request', async () => {
  const at = till.paying.now()
  for (const state of attemptStates) {
    const attempt = await attemptOnPage(till, { state })
    assert.equal(await sendBackHeld(till.paying, attemptKey(attempt), at), state === 'held', state)
    const row = await readAttempt(till, attempt)
    if (state !== 'held') assert.deepEqual(row, attempt)
    else assert.deepEqual([row.state, new Date(row.updated_at)], ['surplus', at])
  }
  const key = attemptKey(await attemptOnPage(till, { state: 'held' }))
  for (const gone of [
    { ...key, attempt: 2 },
    { ...key, number: '9'.repeat(24) },
  ])
    assert.equal(await sendBackHeld(till.paying, gone, at), false)
})
