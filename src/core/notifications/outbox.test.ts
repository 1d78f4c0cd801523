import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import {
  neighbour,
  openNotificationRows,
  origins,
  own,
  type NotificationRows,
} from '../../../test/support/notification-rows.ts'
import { inTransaction } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import { makeOutbox, type Carrier, type Outbox } from './outbox.ts'
import type { Queue } from './queues.ts'
import type { Claim, NewDelivery } from './store.ts'

let rows: NotificationRows
before(async () => {
  rows = await openNotificationRows()
})
after(() => rows.close())

const ipn: NewDelivery = {
  merchant_id: own,
  id: 'evt_a',
  kind: 'ipn',
  mode: 'live',
  event: 'payment.success',
  number: null,
  target: `${origins.one}/ipn`,
  origin: origins.one,
  body: '{}',
  state: 'waiting',
}
const mail: NewDelivery = { ...ipn, id: 'msg_a', kind: 'mail', target: 'ada@example.com', origin: 'mail' }
const queueOf = ({ merchant_id: merchantId, mode, origin }: NewDelivery): Queue => ({
  merchantId,
  mode,
  origin,
})

/** An outbox, what its listeners heard, and what became of the room that a carrier gave. */
function openOutbox(hasRoom?: (queue: Queue) => boolean) {
  const outbox = makeOutbox()
  const heard: unknown[] = []
  const settled: (Claim | undefined)[] = []
  outbox.onCommit((queue, isDue) => heard.push([queue, isDue]))
  const carrier: Carrier = {
    now: () => new Date('2026-11-15T12:00:00Z'),
    reserve: (queue) => (hasRoom?.(queue) ? { settle: (claim) => settled.push(claim) } : undefined),
  }
  if (hasRoom) outbox.carryBy(carrier)
  return { outbox, heard, settled }
}

async function write(outbox: Outbox, ...deliveries: readonly NewDelivery[]): Promise<void> {
  await rows.replace({})
  await inTransaction(rows.db, async (tx) => outbox.write(tx, deliveries))
  await nextTurn()
}

async function triesOf(merchantId: number): Promise<Record<string, number>> {
  const found = await rows.db.query<{ id: string; tries: number }>(sql`
    select id, tries from deliveries where merchant_id = ${merchantId} order by id`)
  return Object.fromEntries(found.map(({ id, tries }) => [id, tries]))
}

test('without a deliverer a new delivery is due, and its queue is announced', async () => {
  const { outbox, heard } = openOutbox()
  await write(outbox, ipn, mail)
  assert.deepEqual(heard, [
    [queueOf(ipn), true],
    [queueOf(mail), true],
  ])
  assert.deepEqual(await triesOf(own), { evt_a: 0, msg_a: 0 })
})

test('an IPN with a free slot is created already claimed, a mail never is', async () => {
  const { outbox, heard, settled } = openOutbox(() => true)
  await write(outbox, ipn, mail)
  assert.deepEqual(heard, [[queueOf(mail), true]])
  assert.deepEqual(
    settled.map((claim) => [claim?.id, claim?.tries, claim?.step]),
    [['evt_a', 1, 0]],
  )
  assert.deepEqual(await triesOf(own), { evt_a: 1, msg_a: 0 })
})

test('without a free slot an IPN waits its turn', async () => {
  const { outbox, heard, settled } = openOutbox(({ origin }) => origin === origins.two)
  await write(outbox, ipn, { ...ipn, id: 'evt_b', origin: origins.two, target: `${origins.two}/ipn` })
  assert.deepEqual(heard, [[queueOf(ipn), true]])
  assert.deepEqual(
    settled.map((claim) => claim?.id),
    ['evt_b'],
  )
})

test('in test mode listeners hear of every IPN, and kept ones take no slot', async () => {
  const { outbox, heard, settled } = openOutbox(() => true)
  const tested = { mode: 'test' } as const
  const kept = { ...ipn, ...tested, id: 'evt_kept', state: 'kept', target: '', origin: '' } as const
  await write(
    outbox,
    { ...ipn, ...tested },
    kept,
    { ...mail, ...tested, state: 'kept' },
    { ...kept, id: 'evt_live', mode: 'live' },
  )
  assert.deepEqual(heard, [
    [{ ...queueOf(ipn), ...tested }, false],
    [queueOf(kept), false],
  ])
  assert.deepEqual(
    settled.map((claim) => claim?.id),
    ['evt_a'],
  )
})

test('a rolled-back delivery is not announced, and its slot is freed', async () => {
  const { outbox, heard, settled } = openOutbox(() => true)
  await rows.replace({})
  const enough = new Error('undone')
  const undone = inTransaction(rows.db, async (tx) => {
    await outbox.write(tx, [ipn, mail])
    outbox.notifyListeners(tx, queueOf(ipn))
    throw enough
  })
  await assert.rejects(undone, enough)
  await nextTurn()
  assert.deepEqual([heard, settled], [[], [undefined]])
})

test('listeners are notified after the commit, as due by default', async () => {
  const { outbox, heard } = openOutbox()
  await inTransaction(rows.db, async (tx) => {
    outbox.notifyListeners(tx, queueOf(ipn))
    outbox.notifyListeners(tx, queueOf(mail), false)
    assert.deepEqual(heard, [])
  })
  await nextTurn()
  assert.deepEqual(heard, [
    [queueOf(ipn), true],
    [queueOf(mail), false],
  ])
})

test('deliveries of several merchants are written in number order, each to its own', async () => {
  const { outbox, settled } = openOutbox(() => true)
  await write(outbox, { ...ipn, merchant_id: neighbour, id: 'evt_b' }, ipn, { ...ipn, id: 'evt_c' })
  assert.deepEqual(await triesOf(own), { evt_a: 1, evt_c: 1 })
  assert.deepEqual(await triesOf(neighbour), { evt_b: 1 })
  assert.deepEqual(new Set(settled.map((claim) => claim?.id)), new Set(['evt_a', 'evt_b', 'evt_c']))
})
