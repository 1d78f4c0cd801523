import assert from 'node:assert/strict'
import { test } from 'node:test'
import { disputeStates, isDisputed, type DisputeState } from '../../core/payments/disputed/dispute-view.ts'
import { eventOf, mayFollow } from './state-machine.ts'

// Written a second time and by hand: what may follow what.
const followers: Readonly<Record<DisputeState, readonly DisputeState[]>> = {
  evidence_due: ['under_review', 'won', 'lost'],
  under_review: ['evidence_due', 'won', 'lost'],
  won: [],
  lost: ['won'],
}

test('a dispute follows the state diagram, and a decided one never reopens', () => {
  for (const before of disputeStates) {
    const after = disputeStates.filter((state) => state !== before && mayFollow(before, state))
    assert.deepEqual(after.toSorted(), followers[before].toSorted(), before)
    assert.ok(mayFollow(before, before))
  }
})

test('a dispute is announced once when opened and once when decided', () => {
  assert.equal(eventOf(undefined, 'evidence_due'), 'dispute.opened')
  assert.equal(eventOf(undefined, 'under_review'), 'dispute.opened')
  assert.equal(eventOf('evidence_due', 'under_review'), undefined)
  assert.equal(eventOf('under_review', 'evidence_due'), undefined)
  assert.equal(eventOf('under_review', 'won'), 'dispute.won')
  assert.equal(eventOf('lost', 'won'), 'dispute.won')
  assert.equal(eventOf(undefined, 'lost'), 'dispute.lost')
  assert.equal(eventOf('lost', 'lost'), undefined)
})

test('a payment is disputed while its dispute is open', () => {
  const disputed = disputeStates.filter((state) => isDisputed({ dispute: JSON.stringify({ state }) }))
  assert.deepEqual(disputed, ['evidence_due', 'under_review'])
  assert.equal(isDisputed({ dispute: null }), false)
})
