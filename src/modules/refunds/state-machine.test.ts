import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  announcedOn,
  nextRefundState,
  refundEvents,
  refundStates,
  type RefundEvent,
} from './state-machine.ts'

// Written a second time and by hand: what may happen in which state.
const moves: Readonly<Record<(typeof refundStates)[number], Partial<Record<RefundEvent, string>>>> = {
  requested: { accepted: 'submitted', paid_back: 'succeeded', refused: 'failed' },
  submitted: { paid_back: 'succeeded', refused: 'failed' },
  succeeded: { came_back: 'failed' },
  failed: { paid_back_late: 'succeeded' },
}

test('a refund follows the state diagram', () => {
  for (const state of refundStates) {
    const allowed = Object.keys(refundEvents).flatMap((event) => {
      const next = nextRefundState(state, event as RefundEvent)
      return next ? [[event, next]] : []
    })
    assert.deepEqual(Object.fromEntries(allowed), moves[state], state)
  }
})

test('only a refund’s final state is announced', () => {
  assert.deepEqual(announcedOn, {
    requested: undefined,
    submitted: undefined,
    succeeded: 'refund.success',
    failed: 'refund.failed',
  })
})
