import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { hours, makeStillClock, type Clock } from '../../../test/support/clock.ts'
import { testConfig } from '../../../test/support/house.ts'
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.ts'
import { Database } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import { makeLog } from '../../platform/http/log.ts'
import { createMerchant } from '../merchants/create-merchant.ts'
import { makeRecentMerchants } from '../../platform/jobs/lately.ts'
import type { EventRow } from './event-store.ts'
import { nextTryAt } from './retry-schedule.ts'
import { makeStoreEvents, type StoreEvents } from './share-writes.ts'
import { retentionOf } from '../../app/retention.ts'
import { prune } from '../../platform/jobs/pruning.ts'
import { oldEvents } from './old-events.ts'
import { workOnEvents, type EventResult, type EventHandlers, type EventWork } from './work-on-events.ts'

let home: TestDatabase
let db: Database
let clock: Clock
let storeEvents: StoreEvents
const log = makeLog('silent')

before(async () => {
  home = await createTestDatabase()
  db = new Database(home.url)
  storeEvents = makeStoreEvents(db)
  clock = makeStillClock()
})

after(async () => {
  await db.close()
  await home.drop()
})

const from = { account_id: 'acc_1', connector: 'fake' }
let count = 0

async function store(
  merchantId: number,
  about: EventRow['about'] = 'order',
  reference = `cs_${count}`,
): Promise<string> {
  count += 1
  const event = { event_id: `evt_${count}`, about, number: null, idempotency_key: null, reference }
  assert.equal(await storeEvents(merchantId, [{ ...from, ...event, received_at: clock.now() }]), 1)
  return event.event_id
}

/** With the settings of a new installation, or others. */
async function pruneEvents(settings: Record<string, string> = {}): Promise<number> {
  const kept = retentionOf(testConfig(settings)).find(({ pruning }) => pruning === oldEvents)
  return prune(kept ?? assert.fail(), { db, now: clock.now, log })
}

function working(handlers: EventHandlers): EventWork {
  return { db, handlers, now: clock.now, log }
}

/** Answers with these, one after the other, and then that all is done. */
function answering(...answers: (EventResult | Error)[]) {
  const asked: EventRow[] = []
  const order = async (event: EventRow): Promise<EventResult> => {
    asked.push(event)
    const answer = answers.shift() ?? 'done'
    if (answer instanceof Error) throw answer
    return answer
  }
  return { asked, order }
}

async function stateOf(merchantId: number, eventId: string): Promise<string | undefined> {
  const rows = await db.query<{ state: string }>(sql`
    select state from callback_events where merchant_id = ${merchantId} and event_id = ${eventId}`)
  return rows[0]?.state
}

test('callbacks that arrive together are stored together, each event once, and only new ones are counted', async () => {
  const merchant = await createMerchant(db, { name: 'Crowd' })
  const named = (name: string) => ({
    ...from,
    event_id: name,
    about: 'order' as const,
    number: null,
    idempotency_key: null,
    reference: name,
    received_at: clock.now(),
  })
  await storeEvents(merchant, [named('evt_before')])
  const fresh = await Promise.all([
    storeEvents(merchant, [named('evt_b'), named('evt_a')]),
    storeEvents(merchant, [named('evt_before')]),
    storeEvents(merchant, [named('evt_a'), named('evt_c')]),
    ...Array.from({ length: 30 }, async (_, at) => storeEvents(merchant, [named(`evt_of_crowd_${at}`)])),
  ])
  assert.deepEqual(fresh.slice(0, 3), [2, 0, 1])
  assert.ok(fresh.slice(3).every((one) => one === 1))
  const { asked, order } = answering()
  while ((await workOnEvents(working({ order }))) > 0);
  assert.equal(new Set(asked.map((event) => event.event_id)).size, 34)
  assert.equal(asked.length, 34, 'each is asked about once, and finished')
})

test('the network is asked once about a callback, then the event is done', async () => {
  const merchant = await createMerchant(db, { name: 'Once' })
  const event = await store(merchant)
  const { asked, order } = answering()
  assert.equal(await workOnEvents(working({ order })), 1)
  assert.equal(await workOnEvents(working({ order })), 0)
  assert.deepEqual(
    asked.map(({ merchant_id, account_id, event_id }) => [merchant_id, account_id, event_id]),
    [[merchant, 'acc_1', event]],
  )
  assert.equal(await stateOf(merchant, event), 'done')
})

test('five events of one order ask the network once', async () => {
  const merchant = await createMerchant(db, { name: 'Five' })
  const events: string[] = []
  for (let each = 0; each < 5; each += 1) events.push(await store(merchant, 'order', 'cs_same'))
  const { asked, order } = answering()
  assert.equal(await workOnEvents(working({ order })), 5)
  assert.equal(asked.length, 1)
  for (const event of events) assert.equal(await stateOf(merchant, event), 'done')
})

test('events without an answer are retried with growing gaps and given up after three days', async () => {
  const merchant = await createMerchant(db, { name: 'Silent' })
  const event = await store(merchant)
  const { asked, order } = answering('no_answer', new Error('reset'), 'no_answer')
  const work = working({ order })
  assert.equal(await workOnEvents(work), 1)
  assert.equal(await workOnEvents(work), 0, 'not at once')
  clock.jump(5_000)
  assert.equal(await workOnEvents(work), 1)
  clock.jump(29_000)
  assert.equal(await workOnEvents(work), 0)
  clock.jump(1_000)
  assert.equal(await workOnEvents(work), 1)
  assert.equal(asked.length, 3)
  clock.jump(73 * hours)
  const silent = answering('no_answer')
  assert.equal(await workOnEvents(working(silent)), 1)
  assert.equal(await stateOf(merchant, event), 'given_up')

  const received = new Date(0)
  const pauses = [1, 2, 3, 4, 5, 6].map((tries) => nextTryAt(tries, received, received)?.getTime())
  assert.deepEqual(pauses, [5_000, 30_000, 120_000, 600_000, 3_600_000, 3_600_000])
})

test('an event about something we don’t know is marked unknown', async () => {
  const merchant = await createMerchant(db, { name: 'Stranger' })
  const event = await store(merchant)
  await workOnEvents(working(answering('unknown')))
  assert.equal(await stateOf(merchant, event), 'unknown')
})

test('an event of an unhandled kind waits until a worker that handles it arrives', async () => {
  const merchant = await createMerchant(db, { name: 'Refunds later' })
  const [refund, dispute] = [await store(merchant, 'refund'), await store(merchant, 'dispute')]
  const { order } = answering()
  assert.equal(await workOnEvents(working({ order })), 0)
  clock.jump(400 * 24 * hours)
  assert.equal(await workOnEvents(working({ order })), 0)
  await pruneEvents()
  assert.equal(await stateOf(merchant, refund), 'waiting')
  const later = answering()
  assert.equal(await workOnEvents(working({ order, refund: later.order, dispute: later.order })), 2)
  assert.deepEqual(later.asked.map(({ event_id }) => event_id).toSorted(), [refund, dispute].toSorted())
})

test('a dead worker’s lease expires, and two workers never take the same event', async () => {
  const merchant = await createMerchant(db, { name: 'Lease' })
  const event = await store(merchant)
  const { promise: hangs, resolve: goOn } = Promise.withResolvers<EventResult>()
  const started = Promise.withResolvers<void>()
  const hanging = workOnEvents(
    working({
      order: async () => {
        started.resolve()
        return hangs
      },
    }),
  )
  await started.promise
  const second = answering()
  assert.equal(await workOnEvents(working(second)), 0, 'another has it')
  clock.jump(59_999)
  assert.equal(await workOnEvents(working(second)), 0, 'its lease is a minute')
  clock.jump(1)
  assert.equal(await workOnEvents(working(second)), 1)
  assert.equal(await stateOf(merchant, event), 'done')
  goOn('no_answer')
  await hanging
  assert.equal(await stateOf(merchant, event), 'done', 'whoever was asleep changes nothing')
})

test('a merchant with thousands of events leaves room for one with a single event', async () => {
  const [busy, small] = [
    await createMerchant(db, { name: 'Busy' }),
    await createMerchant(db, { name: 'Small' }),
  ]
  for (let each = 0; each < 60; each += 1) await store(busy)
  const event = await store(small)
  assert.equal(await workOnEvents(working(answering())), 51, 'fifty of the busy one')
  assert.equal(await stateOf(small, event), 'done')
  while ((await workOnEvents(working(answering()))) > 0);
})

test('finished events are kept for 90 days, or as configured, then deleted', async () => {
  const merchant = await createMerchant(db, { name: 'Old' })
  const event = await store(merchant)
  await workOnEvents(working(answering()))
  clock.jump(89 * 24 * hours)
  await pruneEvents()
  assert.equal(await stateOf(merchant, event), 'done')
  clock.jump(2 * 24 * hours)
  assert.equal(await pruneEvents({ KEEP_CALLBACK_DAYS: '92' }), 0)
  assert.equal(await pruneEvents({ KEEP_CALLBACK_DAYS: '0' }), 0)
  assert.ok((await pruneEvents()) >= 1)
  assert.equal(await stateOf(merchant, event), undefined)
})

test('a wrong clock doesn’t leave events waiting', async () => {
  const merchant = await createMerchant(db, { name: 'Clock' })
  const event = {
    event_id: 'evt_far',
    about: 'order' as const,
    number: null,
    idempotency_key: null,
    reference: null,
  }
  const ahead = new Date(clock.now().getTime() + 2 * hours)
  await storeEvents(merchant, [{ ...from, ...event, received_at: ahead }])
  assert.equal(await workOnEvents(working(answering())), 0, 'as far ahead as a pause may be')
  clock.jump(-1)
  assert.equal(await workOnEvents(working(answering())), 1)
})

test('while the search over all merchants fails, merchants with recent callbacks are still visited', async (t) => {
  const merchant = await createMerchant(db, { name: 'Lately' })
  const { asked, order } = answering()
  const lately = makeRecentMerchants()
  await store(merchant)
  await workOnEvents(working({ order }), lately)
  const already = asked.length
  db.look = async () => Promise.reject(new Error('its node is silent'))
  t.after(() => Reflect.deleteProperty(db, 'look'))
  const name = await store(merchant)
  await workOnEvents(working({ order }), lately)
  assert.deepEqual(
    asked.slice(already).map(({ event_id }) => event_id),
    [name],
  )
  await assert.rejects(workOnEvents(working({ order })), /its node is silent/, 'nobody is known')
})
