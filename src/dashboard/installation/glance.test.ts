import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readGlance } from './glance.ts'

const text = `
# HELP florin_http_request_seconds Requests
florin_http_request_seconds_count{route="/a",status="200"} 90
florin_http_request_seconds_count{route="/a",status="404"} 5
florin_http_request_seconds_count{route="/b",status="500"} 3
florin_http_request_seconds_count{route="/b",status="503"} 2
florin_http_request_seconds_bucket{route="/a",le="0.01"} 60
florin_http_request_seconds_bucket{route="/a",le="0.1"} 92
florin_http_request_seconds_bucket{route="/a",le="+Inf"} 95
florin_http_request_seconds_bucket{route="/b",le="0.01"} 2
florin_http_request_seconds_bucket{route="/b",le="0.1"} 3
florin_http_request_seconds_bucket{route="/b",le="+Inf"} 5
florin_deliveries_waiting 7
florin_deliveries_waiting_more 8
florin_deliveries_paused 0
florin_deliveries_overdue_seconds NaN
process_resident_memory_bytes 1.5e8
process_start_time_seconds 1763467200
`

test('requests are added over routes, and those with a 5xx answer count as failed', () => {
  const glance = readGlance(text)
  assert.deepEqual([glance.requests, glance.failed], [100, 5])
})

test('gauges are read by their exact name, and one that is missing or no number is unknown', () => {
  const { waiting, paused, overdueSeconds, underAttack, memoryBytes, startedAt } = readGlance(text)
  assert.deepEqual(
    { waiting, paused, overdueSeconds, underAttack, memoryBytes, startedAt },
    {
      waiting: 7,
      paused: 0,
      overdueSeconds: undefined,
      underAttack: undefined,
      memoryBytes: 150_000_000,
      startedAt: new Date('2025-11-18T12:00:00.000Z'),
    },
  )
  assert.equal(readGlance('').startedAt, undefined)
})

function buckets(...counts: readonly [bound: string, count: number][]): string {
  const all = counts.at(-1)?.[1] ?? 0
  return [
    `florin_http_request_seconds_count{status="200"} ${all}`,
    ...counts.map(([bound, count]) => `florin_http_request_seconds_bucket{le="${bound}"} ${count}`),
  ].join('\n')
}

for (const [what, metrics, p95] of [
  ['95 of 100 within 0.1 s', text, 0.1],
  ['exactly 95 within 0.01 s', buckets(['0.1', 99], ['0.01', 95], ['+Inf', 100]), 0.01],
  ['94 within 0.01 s', buckets(['0.01', 94], ['0.1', 99], ['+Inf', 100]), 0.1],
  ['too many slow requests', buckets(['0.01', 94], ['+Inf', 100]), undefined],
  ['no request yet', buckets(['0.01', 0], ['+Inf', 0]), undefined],
] as const)
  test(`with ${what}, 95% were answered within ${p95 ?? 'an unknown time'}`, () => {
    assert.equal(readGlance(metrics).p95Seconds, p95)
  })
