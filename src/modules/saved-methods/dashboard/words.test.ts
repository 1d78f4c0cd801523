import assert from 'node:assert/strict'
import { test } from 'node:test'
import { now, pageAsk, wordsOf } from '../../../../test/support/dashboard/page-ask.ts'
import { savedMethod } from '../../../../test/support/dashboard/saved-method.ts'
import { describeExpiry, describeSaved, standingOfMethod } from './words.ts'

for (const [changes, name] of [
  [{}, 'Visa •••• 4242, test network'],
  [{ brand: null, last4: null }, 'Card, test network'],
  [{ kind: 'debit', brand: null, last4: '0042', connector: 'stripe' }, 'Direct debit •••• 0042, Stripe'],
] as const)
  test(`a saved method is named ${name}`, () => {
    assert.equal(describeSaved(pageAsk(), savedMethod(changes)), name)
  })

const inAnHour = new Date(now.getTime() + 3_600_000).toISOString()
const ended = { ended_at: now.toISOString() }

for (const [changes, words] of [
  [{}, 'usable'],
  [{ expires: null }, 'usable'],
  [{ expires: '2026-11' }, 'usable'],
  [{ expires: '2026-10' }, 'expired Past its expiry date. The bank may still accept it'],
  [{ retry_at: now.toISOString() }, 'usable'],
  [{ retry_at: inAnHour }, 'waiting Declined. It can be charged again after 18 November 2026, 13:00 UTC'],
  [{ ...ended, ended_by: 'merchant' }, 'ended You ended it'],
  [{ ...ended, ended_by: 'customer', retry_at: inAnHour }, 'ended The customer ended it'],
  [{ ...ended, ended_by: 'network' }, 'ended The bank or the network refused it for good'],
  [{ ...ended, ended_by: 'erasure' }, 'ended The customer was erased'],
] as const)
  test(`a saved method with ${JSON.stringify(changes)} is shown as “${words}”`, () => {
    assert.equal(wordsOf(standingOfMethod(pageAsk(), savedMethod(changes))), words)
  })

test('the month of expiry is shown as cards have it', () => {
  assert.equal(wordsOf(describeExpiry({ expires: '2029-08' })), '08/2029')
  assert.equal(describeExpiry({ expires: null }), '')
})
