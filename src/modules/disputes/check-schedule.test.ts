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

test('an open dispute is checked less and less often, but at least four times a day', () => {
  assert.deepEqual(
    [0, 1, 2, 3, 50].map((checks) => minutesUntil({ checks })),
    [1, 10, 60, 360, 360],
  )
})

test('a lost dispute is checked no more, and a won one until the money is back', () => {
  assert.equal(minutesUntil({ state: 'lost' }), null)
  assert.equal(minutesUntil({ state: 'won', moneyTaken: true }), 1)
  assert.equal(minutesUntil({ state: 'won', moneyTaken: false }), null)
})

test('after 270 days checks stop, even for money that should come back', () => {
  const ageOf = (days: number, ms: number): Date => new Date(now.getTime() - days * 86_400_000 - ms)
  for (const state of ['evidence_due', 'under_review', 'won'] as const) {
    assert.equal(minutesUntil({ state, checks: 9, openedAt: ageOf(270, -1) }), 360, state)
    assert.equal(minutesUntil({ state, checks: 9, openedAt: ageOf(270, 0) }), null, state)
  }
})
