import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nextCheckAt } from './check-schedule.ts'

const now = new Date('2026-11-15T12:00:00Z')
const openedAt = new Date('2026-11-10T12:00:00Z')
const minuteMs = 60_000

function minutesUntil(dispute: Partial<Parameters<typeof nextCheckAt>[0]>): number | null {
  const at = nextCheckAt({ state: 'evidence_due', moneyTaken: true, checks: 0, openedAt, ...dispute }, now)
  return at && (at.getTime() - now.getTime()) / minuteMs
}

test('an open dispute is asked about ever less often, and at least four times a day', () => {
  assert.deepEqual(
    [0, 1, 2, 3, 50].map((checks) => minutesUntil({ checks })),
    [1, 10, 60, 360, 360],
  )
})

test('a lost one is asked about no more, and a won one until the money is back', () => {
  assert.equal(minutesUntil({ state: 'lost' }), null)
  assert.equal(minutesUntil({ state: 'won', moneyTaken: true }), 1)
  assert.equal(minutesUntil({ state: 'won', moneyTaken: false }), null)
})

test('after nine months nobody is asked any more', () => {
  assert.equal(minutesUntil({ openedAt: new Date('2026-01-15T12:00:00Z') }), null)
})
