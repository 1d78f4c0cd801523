import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Database } from '../database/database.ts'
import { makeLog } from '../http/log.ts'
import { prune, pruneJobs, type Kept, type Pruning } from './pruning.ts'

const db = {} as Database
const now = new Date('2026-11-16T12:00:00Z')
const daysAgo = (days: number): Date => new Date(now.getTime() - days * 86_400_000)

type Asked = readonly [merchantId: number, before: Date, max: number]
type Line = Readonly<Record<string, unknown>>

/** So many old rows of each merchant; a negative number stands for a merchant whose rows can't be deleted. */
function scripted(counts: readonly number[], days: number | undefined, changes: Partial<Pruning> = {}) {
  const asked: Asked[] = []
  const told: Line[] = []
  const pruning: Pruning = {
    name: 'requests',
    async findMerchants(given, before, max) {
      assert.equal(given, db)
      asked.push([-1, before, max])
      return counts.map((_, merchantId) => merchantId)
    },
    async prune(given, merchantId, before, max) {
      assert.equal(given, db)
      asked.push([merchantId, before, max])
      const count = counts[merchantId] ?? 0
      if (count < 0) throw new Error('in use')
      return count
    },
    ...changes,
  }
  const log = makeLog('info', { write: (line) => void told.push(JSON.parse(line) as Line) })
  const kept: Kept = { pruning, days }
  return { asked, told, kept, core: { db, now: () => now, log } }
}

test('old rows are deleted merchant by merchant, and the number is logged', async () => {
  const { asked, told, kept, core } = scripted([3, 500], 30)
  assert.equal(await prune(kept, core), 503)
  assert.deepEqual(asked, [
    [-1, daysAgo(30), 100],
    [0, daysAgo(30), 500],
    [1, daysAgo(30), 500],
  ])
  assert.deepEqual(
    told.map(({ what, count, days, msg }) => [what, count, days, msg]),
    [['requests', 503, 30, 'Deleted old data']],
  )
})

test('nothing is logged when nothing was old', async () => {
  const { told, kept, core } = scripted([0], 1)
  assert.equal(await prune(kept, core), 0)
  assert.deepEqual(told, [])
})

test('each kind of row sets how many are deleted per merchant at once', async () => {
  const { asked, kept, core } = scripted([7], 1, { atOnce: 1_000 })
  await prune(kept, core)
  assert.deepEqual(asked.at(-1), [0, daysAgo(1), 1_000])
})

test('a merchant whose rows can’t be deleted is logged, and others’ rows are deleted', async () => {
  const { told, kept, core } = scripted([-1, 2], 1)
  assert.equal(await prune(kept, core), 2)
  assert.deepEqual(
    told.map(({ level, what, merchantId, count, msg }) => [level, what, merchantId ?? count, msg]),
    [
      ['error', 'requests', 0, 'Old data could not be deleted'],
      ['info', 'requests', 2, 'Deleted old data'],
    ],
  )
})

test('rows kept for ever have no job; others have one, hourly by default', async () => {
  const [forEver, hourly, often] = [
    scripted([1], undefined),
    scripted([1], 1),
    scripted([], 1, { name: 'mail', everyMs: 600_000 }),
  ]
  const jobs = pruneJobs([forEver.kept, hourly.kept, often.kept], hourly.core)
  assert.deepEqual(
    jobs.map(({ name, everyMs }) => [name, everyMs]),
    [
      ['prune requests', 3_600_000],
      ['prune mail', 600_000],
    ],
  )
  assert.equal(await jobs[0]?.run(), 1)
  assert.equal(await prune(forEver.kept, forEver.core), 0)
  assert.deepEqual(forEver.asked, [])
})
