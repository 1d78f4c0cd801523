import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventOf, holderOf, nextState, payoutStates, type PayoutState } from './state-machine.ts'

// Written a second time and by hand: where a report of each kind leads, by where the payout was.
const expected: Readonly<Record<PayoutState, readonly (PayoutState | undefined)[]>> = {
  announced: ['announced', 'on_its_way', 'arrived', 'failed'],
  on_its_way: [undefined, 'on_its_way', 'arrived', 'failed'],
  arrived: [undefined, undefined, 'arrived', 'returned'],
  failed: [undefined, 'on_its_way', 'arrived', 'failed'],
  returned: [undefined, 'on_its_way', 'arrived', 'returned'],
}

test('a payout follows the state diagram, and an older report changes nothing', () => {
  for (const before of payoutStates) {
    const after = (['announced', 'on_its_way', 'arrived', 'failed'] as const).map((reported) =>
      nextState(before, reported),
    )
    assert.deepEqual(after, expected[before], before)
  }
  assert.equal(nextState(undefined, 'failed'), 'failed')
})

test('a payout that arrives or fails is announced once', () => {
  assert.equal(eventOf('on_its_way', 'arrived'), 'payout.arrived')
  assert.equal(eventOf(undefined, 'arrived'), 'payout.arrived')
  assert.equal(eventOf('announced', 'failed'), 'payout.failed')
  assert.equal(eventOf('arrived', 'returned'), 'payout.failed')
  assert.equal(eventOf('arrived', 'arrived'), undefined)
  assert.equal(eventOf(undefined, 'announced'), undefined)
  assert.equal(eventOf('failed', 'on_its_way'), undefined)
})

test('a failed payout’s money is back at the network', () => {
  assert.deepEqual(payoutStates.map(holderOf), ['on_its_way', 'on_its_way', 'arrived', 'held', 'held'])
  assert.equal(holderOf(undefined), 'held')
})
