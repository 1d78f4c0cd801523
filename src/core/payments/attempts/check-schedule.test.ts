import assert from 'node:assert/strict'
import { test } from 'node:test'
import { attemptStates } from '../state-machine.ts'
import {
  firstCheckAt,
  furthestChecks,
  nextCheckAt,
  nextLeftOpenCheckAt,
  nextPageCheckAt,
} from './check-schedule.ts'

const now = new Date('2026-11-15T12:00:00Z')
const after = (seconds: number): Date => new Date(now.getTime() + seconds * 1_000)
const day = 24 * 60 * 60

test('attempts in flight are checked when due, finished ones never', () => {
  const seconds = { started: 30, action_required: 900, submitted: 30, unknown: 5, surplus: 0, left_open: 60 }
  for (const state of attemptStates) {
    const pause = (seconds as Partial<Record<string, number>>)[state]
    assert.deepEqual(firstCheckAt(state, now), pause === undefined ? null : after(pause), state)
  }
})

test('a check is too far ahead beyond its pause, a lease and five seconds of clock difference', () => {
  assert.deepEqual(furthestChecks(now, 20_000), {
    submitted: after(55),
    challenge: after(925),
    unknown: [30, 40, 85, 325, 925, 3625].map(after),
    leftOpen: after(day + 25),
  })
})

test('an undecided network is asked less and less often, for seven days', () => {
  const startedAt = after(-60)
  const pauses = Array.from({ length: 8 }, (_, checks) => nextCheckAt(checks, startedAt, now))
  assert.deepEqual(pauses, [5, 15, 60, 300, 900, 3600, 3600, 3600].map(after))
  const old = (seconds: number): Date | null => nextCheckAt(20, after(-seconds), now)
  assert.deepEqual(old(7 * day - 1), after(3600))
  assert.equal(old(7 * day), null)
  assert.equal(old(7 * day + 1), null)
})

test('an open page is checked less and less often, and when it ends at the latest', () => {
  const pauses = Array.from({ length: 7 }, (_, checks) => nextPageCheckAt(checks, null, now))
  assert.deepEqual(pauses, [30, 30, 60, 180, 300, 300, 300].map(after))
  for (const ends of [-10, 0, 29, 30, 31])
    assert.deepEqual(nextPageCheckAt(0, after(ends), now), after(Math.min(ends, 30)), `${ends} s`)
})

test('a page the network can’t close is checked at most fifteen times, for a week', () => {
  const leftAt = after(-60)
  const pauses = Array.from({ length: 7 }, (_, checks) => nextLeftOpenCheckAt(checks, leftAt, now))
  assert.deepEqual(pauses, [60, 300, 900, 3600, 21_600, day, day].map(after))
  assert.deepEqual(nextLeftOpenCheckAt(9, after(1 - 7 * day), now), after(day))
  assert.equal(nextLeftOpenCheckAt(9, after(-7 * day), now), null)
})
