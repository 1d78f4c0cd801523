import assert from 'node:assert/strict'
import { test } from 'node:test'
import { now, wordsOf } from '../../../../test/support/dashboard/page-ask.ts'
import { at } from '../../../../test/support/dashboard/payment-model.ts'
import { inZone } from '../../../dashboard/parts/parts.ts'
import { disputeHappenings } from './part.ts'

const told = (dispute: object) =>
  disputeHappenings(dispute as never, inZone(now, 'UTC')).map(
    ({ title, tone, detail }) =>
      [wordsOf(title), tone, detail === undefined ? undefined : wordsOf(detail)] as const,
  )

test('a dispute is told when it opens, with its deadline while that counts, and when it moves', () => {
  const dispute = {
    amount_minor: 1_000n,
    currency: 'GBP',
    state: 'evidence_due',
    evidence_due_at: at(0),
    opened_at: at(5),
    updated_at: at(5),
    reason: 'product_not_received',
  }
  const of = (changes: object) => told({ ...dispute, ...changes })
  assert.deepEqual(of({})[0], [
    'Dispute of £10.00 opened',
    'warn',
    'Product not received. Evidence due by 18 November 2026, 12:00 UTC',
  ])
  assert.equal(of({}).length, 1)
  assert.equal(of({ evidence_due_at: null })[0]?.[2], 'Product not received')
  for (const [state, title, tone] of [
    ['won', 'Dispute won', 'good'],
    ['lost', 'Dispute lost', 'bad'],
    ['under_review', 'Dispute under review', undefined],
  ] as const)
    assert.deepEqual(of({ state, updated_at: at(6) })[1]?.slice(0, 2), [title, tone])
  assert.match(of({ currency: 'XXX' })[0]?.[0] ?? '', /Dispute of 1000 XXX opened/)
})
