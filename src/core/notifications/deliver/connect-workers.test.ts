import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createTestDatabase, type TestDatabase } from '../../../../test/support/database.ts'
import { waitUntil } from '../../../../test/support/wait-until.ts'
import { Database, inTransaction } from '../../../platform/database/database.ts'
import type { Listener } from '../../../platform/database/listen.ts'
import { listenPatiently } from '../../../../test/support/listen-patiently.ts'
import { makeOutbox, type Outbox } from '../outbox.ts'
import type { Queue } from '../queues.ts'
import type { Deliverer } from './deliver.ts'
import { connectWorkers } from './connect-workers.ts'

let home: TestDatabase
let db: Database
let listener: Listener
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

/** A process that delivers, or one that only takes payments, and what its deliverer was asked for. */
function openProcess(isRunning: boolean): { outbox: Outbox; asked: unknown[] } {
  const outbox = makeOutbox()
  const asked: unknown[] = []
  const deliverer = {
    isRunning,
    ask: (queue: Queue) => asked.push(queue),
    look: async () => asked.push('everything'),
  }
  connectWorkers(db, listener, outbox, deliverer as unknown as Deliverer)
  return { outbox, asked }
}

async function commit(outbox: Outbox, isDue: boolean, ...queues: readonly Queue[]): Promise<void> {
  await inTransaction(db, async (tx) => {
    for (const queue of queues) outbox.notifyListeners(tx, queue, isDue)
  })
}

const queue = (merchantId: number, origin = 'https://shop.example'): Queue => ({
  merchantId,
  mode: 'live',
  origin,
})

test('committed deliveries go to the process’s own deliverer if it runs, rolled-back ones to nobody', async () => {
  const { outbox, asked } = openProcess(true)
  await commit(outbox, false, queue(1))
  await commit(outbox, true, queue(2))
  await waitUntil('it is asked', () => asked.length > 0)
  assert.deepEqual(asked, [queue(2)])
})

test('without a deliverer another process is notified, once per queue and in one message', async () => {
  const [till, worker] = [openProcess(false), openProcess(true)]
  await commit(till.outbox, false, queue(1))
  await commit(till.outbox, true, queue(2), queue(3), queue(2))
  await waitUntil('the worker is asked', () => worker.asked.length > 1)
  await commit(till.outbox, true, queue(4))
  await waitUntil('and again', () => worker.asked.length > 2)
  assert.deepEqual(worker.asked, [queue(2), queue(3), queue(4)])
  assert.deepEqual(till.asked, [])
})

test('when the queues don’t fit PostgreSQL’s notification limit, workers search for themselves', async () => {
  const [till, worker] = [openProcess(false), openProcess(true)]
  const ofLength = (length: number): Queue => {
    const rest = JSON.stringify([queue(1, '')]).length
    return queue(1, 'x'.repeat(length - rest))
  }
  await commit(till.outbox, true, ofLength(7_900))
  await waitUntil('the worker is asked', () => worker.asked.length === 1)
  await commit(till.outbox, true, ofLength(7_901))
  await waitUntil('the worker looks', () => worker.asked.length === 2)
  assert.deepEqual(worker.asked, [ofLength(7_900), 'everything'])
  assert.deepEqual(till.asked, [])
})
