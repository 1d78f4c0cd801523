import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { waitUntil } from '../../test/support/wait-until.ts'
import { Database } from '../database/database.ts'
import type { Listener } from '../database/listen.ts'
import { listenPatiently } from '../../test/support/listen-patiently.ts'
import { sql } from '../database/sql.ts'
import { makeLog } from '../http/log.ts'
import { startWorker } from './worker.ts'

const hourMs = 3_600_000
let home: TestDatabase
let db: Database
let listener: Listener
const lines: string[] = []
const log = makeLog('info', { write: (line: string) => void lines.push(line) })

before(async () => {
  home = await createTestDatabase()
  db = new Database(home.url)
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
  const worker = startWorker([{ name: 'drain', everyMs: hourMs, run }], listener, log)
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
  const worker = startWorker([job], listener, log)
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
  const worker = startWorker([job], listener, log)
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
    listener,
    log,
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
  const worker = startWorker([{ name: 'long', everyMs: hourMs, run }], listener, log)
  await waitUntil('it runs', () => rounds === 1)
  let stopped = false
  const stopping = worker.stop().then(() => (stopped = true))
  await db.query(sql`select 1`)
  assert.equal(stopped, false)
  finish()
  await stopping
  assert.equal(rounds, 1)
})
