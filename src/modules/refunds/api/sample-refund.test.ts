import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleRefund } from './sample-refund.ts'

for (const [event, status, failure] of [
  ['refund.success', 'success', undefined],
  ['refund.failed', 'failed', 'card_closed'],
] as const) {
  test(`the sample for ${event} is a refund with that status`, () => {
    const sample = JSON.parse(sampleRefund('test', event)) as Record<string, unknown>
    assert.deepEqual([sample['status'], sample['failure']], [status, failure])
  })
}
