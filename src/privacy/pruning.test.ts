import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Database } from '../database/database.ts'
import { prune, pruneJob, type Kept } from './pruning.ts'

const db = {} as Database
const now = new Date('2026-11-16T12:00:00Z')
const daysAgo = (days: number): Date => new Date(now.getTime() - days * 86_400_000)

type Asked = readonly [name: string, merchantId: number, before: Date, max: number]

/** What has so many old rows of each merchant; a negative number stands for a merchant whose rows can't be pruned. */
function scripted(rows: Readonly<Record<string, readonly number[]>>, days: readonly number[]) {
  const asked: Asked[] = []
  const told: unknown[] = []
  const kept = Object.entries(rows).map(([name, counts], index): Kept => ({
    days: days[index] ?? 0,
    pruning: {
      name,
      async findMerchants(given, before, max) {
        assert.equal(given, db)
        asked.push([name, -1, before, max])
        return counts.map((_, merchantId) => merchantId)
      },
      async prune(given, merchantId, before, max) {
        assert.equal(given, db)
        asked.push([name, merchantId, before, max])
        const count = counts[merchantId] ?? 0
        if (count < 0) throw new Error('in use')
        return count
      },
    },
  }))
  const log = {
    info: (facts: object, line: string) => void told.push(['info', facts, line]),
    error: (facts: object, line: string) => void told.push(['error', facts, line]),
  }
  return { asked, told, kept, deps: { db, now: () => now, log } }
}

test('each kind goes after its own days, merchant by merchant, and the log says how many went', async () => {
  const { asked, told, kept, deps } = scripted(
    { requests: [3, 500], mails: [], notes: [0], tries: [7] },
    [30, 7, 1, 0],
  )
  assert.equal(await prune(kept, deps), 503)
  assert.deepEqual(asked, [
    ['requests', -1, daysAgo(30), 100],
    ['requests', 0, daysAgo(30), 500],
    ['requests', 1, daysAgo(30), 500],
    ['mails', -1, daysAgo(7), 100],
    ['notes', -1, daysAgo(1), 100],
    ['notes', 0, daysAgo(1), 500],
  ])
  assert.deepEqual(told, [['info', { what: 'requests', count: 503 }, 'Pruned what is old']])
})

test('what can not be pruned of one merchant is told, and that of others goes', async () => {
  const { told, kept, deps } = scripted({ requests: [-1, 2], mails: [1] }, [1, 1])
  assert.equal(await prune(kept, deps), 3)
  assert.deepEqual(told, [
    [
      'error',
      { err: new Error('in use'), merchantId: 0, what: 'requests' },
      'What is old could not be pruned',
    ],
    ['info', { what: 'requests', count: 2 }, 'Pruned what is old'],
    ['info', { what: 'mails', count: 1 }, 'Pruned what is old'],
  ])
})

test('it is done once an hour', async () => {
  const { asked, kept, deps } = scripted({ requests: [1] }, [1])
  const job = pruneJob(kept, deps)
  assert.deepEqual([job.name, job.everyMs], ['prune what is old', 3_600_000])
  await job.run()
  assert.equal(asked.length, 2)
})
