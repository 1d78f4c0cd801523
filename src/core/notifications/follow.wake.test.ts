import assert from 'node:assert/strict'
import { after, before, beforeEach, test, type TestContext } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import {
  delivery,
  moment,
  neighbour,
  openNotificationRows,
  origins,
  own,
  secret,
  type NotificationRows,
} from '../../../test/support/notification-rows.ts'
import { insertRows } from '../../../test/support/rows.ts'
import { testSecrets } from '../../../test/support/secrets.ts'
import { Database, type Row } from '../../platform/database/database.ts'
import type { Sql } from '../../platform/database/sql.ts'
import { makeFollow, type FollowedNotification } from './follow.ts'
import type { Outbox } from './outbox.ts'
import type { Queue } from './queues.ts'

// Who waits is woken by what this process writes. Time stands still here, so nobody looks by themselves unless it is let go on.

class CountingDatabase extends Database {
  answered = 0
  override async query<R extends object = Row>(statement: Sql): Promise<R[]> {
    const found = await super.query<R>(statement)
    this.answered += 1
    return found
  }
}

let rows: NotificationRows
before(async () => {
  rows = await openNotificationRows()
})
after(() => rows.close())
const secrets = [secret({ id: 'whs_a' })]
beforeEach(() => rows.replace({ secrets }))

type Waiting = {
  readonly db: CountingDatabase
  readonly answer: Promise<FollowedNotification[]>
  /** This process has written to a queue of this merchant. */
  readonly commit: (merchantId: number) => void
}

/** Somebody who has looked once and found nothing. */
async function startWaiting(t: TestContext, waitMs: number): Promise<Waiting> {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'], now: Date.parse(moment(0)) })
  // Opened now, so that all of its timers are of this clock.
  const db = new CountingDatabase(rows.db.url)
  t.after(() => db.close())
  const listeners: ((queue: Queue, isDue: boolean) => void)[] = []
  const outbox = { onCommit: (listener) => void listeners.push(listener) } as Pick<Outbox, 'onCommit'>
  const follow = makeFollow({ db, secrets: testSecrets }, outbox as Outbox)
  const { answered } = db
  const answer = follow.wait({ merchantId: own, since: moment(0), after: '' }, waitMs)
  while (db.answered === answered) await nextTurn()
  await nextTurn()
  return {
    db,
    answer,
    commit(merchantId) {
      for (const listener of listeners) listener({ merchantId, mode: 'test', origin: origins.one }, false)
    },
  }
}

test('this process’s own notifications end the wait at once, other merchants’ don’t', async (t) => {
  const { db, answer, commit } = await startWaiting(t, 60_000)
  await insertRows(db, 'deliveries', [delivery({ id: 'evt_a', created_at: moment(1) })])
  const { answered } = db
  commit(neighbour)
  await nextTurn()
  assert.equal(db.answered, answered)
  commit(own)
  assert.deepEqual(
    (await answer).map(({ id }) => id),
    ['evt_a'],
  )
  const clearing = t.mock.method(globalThis, 'clearTimeout')
  commit(own)
  assert.equal(clearing.mock.callCount(), 0, 'nobody is left to be woken')
})

test('notifications from other processes are looked for twice a second, until time is up', async (t) => {
  const { db, answer } = await startWaiting(t, 1_200)
  for (const [ms, looks] of [
    [499, 0],
    [1, 1],
    [500, 1],
    [199, 0],
  ] as const) {
    const { answered } = db
    t.mock.timers.tick(ms)
    while (db.answered < answered + looks) await nextTurn()
    await nextTurn()
    assert.equal(db.answered, answered + looks)
  }
  t.mock.timers.tick(1)
  assert.deepEqual(await answer, [])
})
