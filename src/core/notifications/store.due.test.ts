import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { changesBy } from '../../../test/support/notification-changes.ts'
import {
  delivery,
  moment,
  neighbour,
  oneTry,
  openNotificationRows,
  origins,
  own,
  plainSecret,
  secret,
  type NotificationRows,
  type StoredDelivery,
} from '../../../test/support/notification-rows.ts'
import { inTransaction } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import type { Queue } from './queues.ts'
import { countMailsBefore } from './mail/sent-mail-store.ts'
import { claim, listDueQueues, type Claim } from './store.ts'

let rows: NotificationRows
before(async () => {
  rows = await openNotificationRows()
})
after(() => rows.close())

const now = new Date(moment(0))
const later = { next_try_at: moment(1) }
const queue = { merchantId: own, mode: 'test', origin: origins.one } as const

async function claimIds(room = 10): Promise<string[]> {
  return (await claim(rows.db, own, [{ ...queue, room }], now)).map(({ id }) => id)
}

test('a claim is for one merchant, even if another has deliveries with the same ids', async () => {
  await rows.replace({
    deliveries: [
      delivery({ id: 'evt_due' }),
      delivery({ id: 'evt_later', ...later }),
      delivery({ id: 'evt_due', merchant_id: neighbour, ...later }),
      delivery({ id: 'evt_later', merchant_id: neighbour }),
    ],
  })
  assert.deepEqual(await changesBy(rows.db, claimIds), {
    'own evt_due': { tries: 2, next_try_at: moment(30) },
  })
})

test('the delivery that has waited longest goes first', async () => {
  const waiting = [-1, -3, -2].map((seconds) =>
    delivery({ id: `evt_${seconds}`, next_try_at: moment(seconds) }),
  )
  await rows.replace({ deliveries: waiting })
  assert.deepEqual((await claimIds(2)).toSorted(), ['evt_-2', 'evt_-3'])
})

test('a delivery being claimed by another worker is skipped without waiting', async () => {
  await rows.replace({ deliveries: [delivery({ id: 'evt_taken' }), delivery({ id: 'evt_free' })] })
  await inTransaction(rows.db, async (tx) => {
    await tx.query(sql`
      select id from deliveries where merchant_id = ${own} and id = 'evt_taken' for update`)
    assert.deepEqual(await claimIds(), ['evt_free'])
  })
  assert.deepEqual(await claimIds(), ['evt_taken'])
})

test('a secret signs exactly until its end', async () => {
  await rows.replace({
    deliveries: [delivery({ id: 'evt_due' })],
    secrets: [
      secret({ id: '1', secret: plainSecret('a'), ends_at: moment(0) }),
      secret({ id: '2', secret: plainSecret('b'), ends_at: moment(1) }),
    ],
  })
  const [claimed] = await claim(rows.db, own, [{ ...queue, room: 1 }], now)
  assert.deepEqual(claimed?.secrets, [plainSecret('b')])
})

/** Queues in order, and whether the own merchant or its neighbour has something due there. */
const queues = [
  { mode: 'live', origin: origins.one, own: 'due', neighbour: 'due' },
  { mode: 'live', origin: origins.two, own: 'later', neighbour: 'due' },
  { mode: 'test', origin: 'https://four.example', own: 'due', neighbour: 'later' },
  { mode: 'test', origin: origins.one, own: 'later', neighbour: 'due' },
  { mode: 'test', origin: origins.two, own: 'due', neighbour: 'later' },
] as const

function dueQueues(of: 'own' | 'neighbour', behind = ''): string[] {
  return queues
    .filter((one) => one[of] === 'due')
    .map(({ mode, origin }) => `${mode} ${origin}`)
    .filter((name) => name > behind)
}

test('queues with something due are found by merchant, mode and origin, in order after the last one', async () => {
  await rows.replace({
    deliveries: queues.toReversed().flatMap(({ mode, origin, ...due }, index) =>
      (['own', 'neighbour'] as const).flatMap((of) => {
        const one = { merchant_id: of === 'own' ? own : neighbour, mode, origin }
        const next_try_at = moment(due[of] === 'due' ? 0 : 1)
        return ['first', 'second'].map((id) => delivery({ id: `evt_${index}_${id}`, ...one, next_try_at }))
      }),
    ),
  })
  const listed = async (merchantId: number, behind?: Queue, limit = 10): Promise<string[]> => {
    const found = await listDueQueues(rows.db, merchantId, behind, now, limit)
    assert.ok(found.every((one) => one.merchantId === merchantId))
    return found.map(({ mode, origin }) => `${mode} ${origin}`)
  }
  assert.deepEqual(await listed(own), dueQueues('own'))
  assert.deepEqual(await listed(neighbour), dueQueues('neighbour'))
  assert.deepEqual(await listed(own, undefined, 2), dueQueues('own').slice(0, 2))
  for (const { mode, origin } of queues) {
    const behind = { merchantId: own, mode, origin }
    assert.deepEqual(await listed(own, behind), dueQueues('own', `${mode} ${origin}`), `${mode} ${origin}`)
  }
})

const day = 24 * 3_600
const mail = { kind: 'mail', mode: 'live', origin: 'mail', target: 'ada@example.com' } as const

/** The mail that is about to be sent is `msg_5`, written at noon. */
async function countBefore(
  deliveries: readonly StoredDelivery[],
  tries: Parameters<typeof oneTry>[0][] = [],
) {
  await rows.replace({ deliveries, tries: tries.map(oneTry) })
  const asked = {
    ...delivery({ id: 'msg_5', ...mail, target: 'Ada@Example.com' }),
    secrets: null,
    endpoint_id: null,
    dialect: null,
  }
  return countMailsBefore(rows.db, asked satisfies Claim, now)
}

test('mails about to go to an address are this merchant’s earlier live ones', async () => {
  const waiting = delivery({ id: 'msg_4', ...mail })
  assert.equal(await countBefore([waiting]), 1)
  assert.equal(await countBefore([{ ...waiting, target: 'ADA@example.com' }]), 1)
  const others: Partial<StoredDelivery>[] = [
    { id: 'msg_5' },
    { id: 'msg_6' },
    { created_at: moment(1) },
    { merchant_id: neighbour },
    { target: 'grace@example.com' },
    { kind: 'ipn' },
    { mode: 'test' },
    { state: 'paused', next_try_at: null },
  ]
  for (const other of others)
    assert.equal(await countBefore([{ ...waiting, ...other }]), 0, JSON.stringify(other))
})

test('mails sent to an address are counted by attempt for a day, without refused ones', async () => {
  const sent = delivery({ id: 'msg_1', ...mail, state: 'delivered', finished_at: moment(-60) })
  const neighbours = { ...sent, merchant_id: neighbour }
  const delivery_id = sent.id
  assert.equal(await countBefore([sent], [{ delivery_id }, { delivery_id, attempt: 2 }]), 2)
  assert.equal(await countBefore([sent], [{ delivery_id, error: 'timeout' }]), 0)
  assert.equal(await countBefore([sent], [{ delivery_id, at: moment(1 - day) }]), 1)
  assert.equal(await countBefore([sent], [{ delivery_id, at: moment(-day) }]), 0)
  assert.equal(await countBefore([sent, neighbours], [{ delivery_id, merchant_id: neighbour }]), 0)
  const elsewhere = { ...sent, id: 'msg_2', target: 'grace@example.com' }
  assert.equal(await countBefore([sent, elsewhere], [{ delivery_id: 'msg_2' }]), 0)
})
