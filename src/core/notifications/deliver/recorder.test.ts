import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Outcome } from '../ipn/send-ipn.ts'
import type { Claim } from '../store.ts'
import { resultOf } from './recorder.ts'
import { pausesMs } from './retry-schedule.ts'

const at = new Date('2026-11-15T12:00:00Z')
const now = new Date('2026-11-15T12:00:15Z')
const claim: Claim = {
  merchant_id: 12345678,
  id: 'evt_1',
  kind: 'ipn',
  mode: 'live',
  event: 'payment.success',
  number: null,
  target: 'https://shop.example/ipn',
  origin: 'https://shop.example',
  body: '{}',
  tries: 3,
  step: 2,
  created_at: '2026-11-15T11:00:00.000000Z',
  endpoint_id: null,
  dialect: null,
  secrets: null,
}
const outcome: Outcome = { verdict: 'delivered', ms: 7, status: 200, error: null, answer: 'ok' }

const resultAfter = (changes: Partial<Outcome>, step = claim.step) =>
  resultOf({ ...claim, step }, { ...outcome, ...changes }, at, now, () => 0.5)

test('no attempt follows a successful one', () => {
  assert.deepEqual(resultAfter({}), {
    merchant_id: 12345678,
    id: 'evt_1',
    attempt: 3,
    at: at.toISOString(),
    ms: 7,
    status: 200,
    error: null,
    answer: 'ok',
    state: 'delivered',
    step: 2,
    next_try_at: null,
    counts_against: false,
  })
})

test('a failed attempt is retried at the next step, counted from its end, until none is left', () => {
  const later = (ms: number): string => new Date(now.getTime() + ms).toISOString()
  const failed = resultAfter({ verdict: 'failed', status: 500 })
  assert.deepEqual(
    [failed.state, failed.step, failed.next_try_at, failed.counts_against],
    ['waiting', 3, later(pausesMs[2] ?? 0), true],
  )
  const asked = resultAfter({ verdict: 'failed', status: 503, retryAfter: '7200' })
  assert.equal(asked.next_try_at, later(7_200_000))
  const last = resultAfter({ verdict: 'failed', status: 500 }, pausesMs.length)
  assert.deepEqual(
    [last.state, last.step, last.next_try_at, last.counts_against],
    ['failed', pausesMs.length, null, true],
  )
})

test('unwanted, postponed or deliberately unsent deliveries count against no receiver', () => {
  for (const [verdict, state] of [
    ['gone', 'failed'],
    ['waits', 'paused'],
    ['skipped', 'skipped'],
    ['kept', 'kept'],
  ] as const) {
    const result = resultAfter({ verdict, retryAfter: '60' })
    assert.deepEqual(
      [result.state, result.step, result.next_try_at, result.counts_against],
      [state, 2, null, false],
    )
  }
})
