import assert from 'node:assert/strict'
import { test } from 'node:test'
import { tellStory } from './story.ts'

const now = new Date('2026-11-18T02:00:00Z')

test('the same seed tells the same story, another seed another one', () => {
  assert.deepEqual(tellStory(3, now), tellStory(3, now))
  assert.notDeepEqual(tellStory(3, now), tellStory(4, now))
})

test('no story goes beyond now, even at night, and each has payments of the last hours', () => {
  for (let seed = 1; seed <= 6; seed += 1) {
    const payments = tellStory(seed, now)
    const moments = payments.flatMap(({ createdAt, attempts, end, refunds, dispute }) => [
      createdAt,
      ...attempts.map(({ endedAt }) => endedAt),
      ...(end ? [end.at] : []),
      ...refunds.map(({ at }) => at),
      ...(dispute ? [dispute.openedAt, ...(dispute.decided ? [dispute.decided.at] : [])] : []),
    ])
    assert.ok(moments.every((moment) => moment < now))
    const lately = payments.filter(({ createdAt }) => now.getTime() - createdAt.getTime() < 3 * 3_600_000)
    assert.ok(lately.length >= 5)
    const open = payments.filter(({ dispute }) => dispute && !dispute.decided)
    assert.ok(open.length > 0 && open.every(({ dispute }) => (dispute?.dueAt ?? now) > now))
    const tickets = payments.filter(({ link, end }) => link?.stock === 60 && (!end || end.event === 'paid'))
    assert.ok(tickets.length <= 60, 'no link is oversold')
  }
})
