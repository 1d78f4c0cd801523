import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.ts'
import { waitUntil } from '../../../test/support/wait-until.ts'
import { Database } from '../database/database.ts'
import type { Listener } from '../database/listen.ts'
import { listenPatiently } from '../../../test/support/listen-patiently.ts'
import { sql, type Sql } from '../database/sql.ts'
import { makeLog } from '../http/log.ts'
import type { Core } from './core.ts'
import { startWorker } from './worker.ts'

const hourMs = 3_600_000
let home: TestDatabase
let db: Database
let listener: Listener
let core: Core
const lines: string[] = []
const log = makeLog('info', { write: (line: string) => void lines.push(line) })

before(async () => {
  home = await createTestDatabase()
  db = new Database(home.url)
  core = { db, log, now: () => new Date() }
  listener = listenPatiently(home.url)
  await waitUntil('it listens', () => listener.connected)
})

after(async () => {
  await listener.close()
  await db.close()
  await home.drop()
})

test('a job continues at once while there is work, then pauses', async () => {
  let left = 5
  let rounds = 0
  const run = async (): Promise<number> => {
    rounds += 1
    left = Math.max(0, left - 2)
    return left
  }
  const worker = startWorker([{ name: 'drain', everyMs: hourMs, run }], core, listener)
  await waitUntil('the work is done', () => left === 0)
  await worker.stop()
  assert.equal(rounds, 3)
})

test('a notification on its channel wakes a job before its pause is over', async () => {
  let rounds = 0
  const run = async (): Promise<number> => {
    rounds += 1
    return 0
  }
  const job = { name: 'sleeper', everyMs: hourMs, wakeOn: 'florin_test_work', run }
  const worker = startWorker([job], core, listener)
  await waitUntil('it sleeps', () => rounds === 1)
  await waitUntil('it was woken', async () => {
    await db.query(sql`select pg_notify('florin_test_work', '')`)
    return rounds > 1
  })
  await worker.stop()
})

test('a notification that arrives during work is not lost', async () => {
  let rounds = 0
  let finish = (): void => {}
  const run = async (): Promise<number> => {
    rounds += 1
    if (rounds === 1) await new Promise<void>((resolve) => (finish = resolve))
    return 0
  }
  const job = { name: 'busy', everyMs: hourMs, wakeOn: 'florin_test_busy', run }
  let heard = 0
  listener.on('florin_test_busy', () => (heard += 1))
  const worker = startWorker([job], core, listener)
  await waitUntil('the message arrived', async () => {
    await db.query(sql`select pg_notify('florin_test_busy', '')`)
    return heard > 0
  })
  finish()
  await waitUntil('it looked again', () => rounds > 1)
  await worker.stop()
})

test('a failed job is logged and retried, and doesn’t stop the others', async () => {
  let tries = 0
  let others = 0
  const failing = async (): Promise<number> => {
    tries += 1
    if (tries === 1) throw new Error('the network is down')
    return 0
  }
  const other = async (): Promise<number> => {
    others += 1
    return 0
  }
  const worker = startWorker(
    [
      { name: 'failing', everyMs: hourMs, run: failing },
      { name: 'other', everyMs: 5, run: other },
    ],
    core,
    listener,
  )
  await waitUntil('it was tried again', () => tries === 2)
  await worker.stop()
  assert.ok(others > 1)
  assert.match(lines.join(''), /"job":"failing","msg":"A job failed; will retry"/)
})

test('stopping waits for the running round and starts no other', async () => {
  let finish = (): void => {}
  let rounds = 0
  const run = async (): Promise<number> => {
    rounds += 1
    await new Promise<void>((resolve) => (finish = resolve))
    return 1
  }
  const worker = startWorker([{ name: 'long', everyMs: hourMs, run }], core, listener)
  await waitUntil('it runs', () => rounds === 1)
  let stopped = false
  const stopping = worker.stop().then(() => (stopped = true))
  await db.query(sql`select 1`)
  assert.equal(stopped, false)
  finish()
  await stopping
  assert.equal(rounds, 1)
})

const often = { lookEveryMs: 1, longestRestMs: hourMs }
const due = (time: string) => sql`select ${time}::timestamptz`

function count(nextDue: readonly Sql[], everyMs = 1) {
  const job = { name: 'counted', everyMs, nextDue, rounds: 0, run: async () => ((job.rounds += 1), 0) }
  return job
}

test('a job rests until the time that its query returns', async () => {
  let today = '2030-01-01'
  const jobs = {
    never: count([sql`select null::timestamptz`]),
    later: count([due('2030-01-03')]),
    oneOfTwo: count([due('2040-01-01'), due('2030-01-02')]),
    always: count([due('2020-01-01')]),
  }
  const clock = { ...core, now: () => new Date(today) }
  const worker = startWorker(Object.values(jobs), clock, listener, often)
  await waitUntil('some looks have passed', () => jobs.always.rounds > 5)
  assert.deepEqual([jobs.never.rounds, jobs.later.rounds, jobs.oneOfTwo.rounds], [1, 1, 1])
  today = '2030-01-02'
  await waitUntil('one is due', () => jobs.oneOfTwo.rounds > 2)
  assert.deepEqual([jobs.never.rounds, jobs.later.rounds], [1, 1])
  today = '2030-01-03'
  await waitUntil('the next is due', () => jobs.later.rounds > 2)
  await worker.stop()
  assert.equal(jobs.never.rounds, 1)
})

test('a job that leaves what is due pauses before it looks again', async () => {
  const jobs = { slow: count([due('2020-01-01')], hourMs), quick: count([due('2020-01-01')]) }
  const worker = startWorker(Object.values(jobs), core, listener, often)
  await waitUntil('some looks have passed', () => jobs.quick.rounds > 5)
  await worker.stop()
  assert.equal(jobs.slow.rounds, 1)
})

test('a job with nothing due runs after its longest rest', async () => {
  const job = count([sql`select null::timestamptz`])
  const worker = startWorker([job], core, listener, { lookEveryMs: hourMs, longestRestMs: 1 })
  await waitUntil('it ran again', () => job.rounds > 2)
  await worker.stop()
})

test('every job looks for itself while the question of what is due fails', async () => {
  const jobs = [count([sql`select null::timestamptz`]), count([sql`select 1 / 0`])]
  const worker = startWorker(jobs, core, listener, often)
  await waitUntil('all run', () => jobs.every(({ rounds }) => rounds > 2))
  await worker.stop()
})
