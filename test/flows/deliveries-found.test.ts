import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { undone } from '../support/notification-changes.ts'
import { Database, type Transaction } from '../../src/platform/database/database.ts'
import { sql } from '../../src/platform/database/sql.ts'
import { createMerchant } from '../../src/core/merchants/create-merchant.ts'
import {
  countSendable,
  findDelivery,
  listFiltered,
  measureMerchant,
  restartNext,
} from '../../src/core/notifications/bulk/bulk-store.ts'
import type { DeliveryFilter, DeliveryState } from '../../src/core/notifications/bulk/delivery-filter.ts'
import { pauseDeliveries, restart, resumeDeliveries } from '../../src/core/notifications/schedule-store.ts'
import { exactly } from '../../src/core/notifications/receiver-of.ts'
import {
  findLastLooked,
  findWhole,
  listDeliveries,
  type ListFilter,
} from '../../src/core/notifications/receivers/deliveries-store.ts'

// Deliveries that differ from one another in everything that can be asked for, so that a condition which is not asked
// finds one too many. Beside each statement stands what it has to find, said in plain code.

type Kept = {
  merchant_id: number
  id: string
  kind: 'ipn' | 'mail'
  mode: 'test' | 'live'
  event: string
  origin: string
  target: string
  body: string
  state: DeliveryState
  created_at: string
}

let home: TestDatabase
let db: Database
let merchantId: number
let all: Kept[]

before(async () => {
  home = await createTestDatabase()
  db = new Database(home.url)
  merchantId = await createMerchant(db, { name: 'Corner shop' })
  all = makeDeliveries(merchantId, await createMerchant(db, { name: 'Its neighbour' }))
  for (const one of all) {
    await db.query(sql`
      insert into deliveries (merchant_id, id, kind, mode, event, target, origin, body, state, next_try_at, created_at)
      values (${one.merchant_id}, ${one.id}, ${one.kind}, ${one.mode}, ${one.event}, ${one.target}, ${one.origin},
        ${one.body}, ${one.state}, ${one.state === 'waiting' ? one.created_at : null}, ${one.created_at})`)
  }
})
after(async () => {
  await db.close()
  await home.drop()
})

/** Three of each moment, so that the id has to decide. */
function makeDeliveries(own: number, other: number): Kept[] {
  const kept: Kept[] = []
  for (const merchant_id of [own, other]) {
    for (const kind of ['ipn', 'mail'] as const) {
      for (const mode of ['test', 'live'] as const) {
        for (const state of ['failed', 'waiting', 'paused', 'delivered'] as const) {
          for (const event of ['payment.success', 'payment.failed']) {
            for (const origin of ['https://one.example', 'https://two.example']) {
              const at = Math.floor(kept.length / 3)
              const shared = { merchant_id, kind, mode, state, event, origin, target: `${origin}/ipn` }
              kept.push({
                ...shared,
                // Not in the order of time, and the same for both merchants.
                id: `evt_${String((kept.length * 7) % 64).padStart(3, '0')}`,
                body: '{}',
                created_at: new Date(Date.UTC(2026, 10, 15, 12, 0, at)).toISOString(),
              })
            }
          }
        }
      }
    }
  }
  const [first] = kept
  if (!first) throw new Error('There is none')
  // What was forgotten can't be sent again.
  return [...kept, { ...first, id: 'evt_900', body: '' }, { ...first, id: 'evt_901', target: '' }]
}

function newestFirst(one: Kept, other: Kept): number {
  return oldestFirst(other, one)
}

function oldestFirst(one: Kept, other: Kept): number {
  const key = ({ created_at, id }: Kept): string => `${created_at} ${id}`
  return key(one) < key(other) ? -1 : 1
}

function idsOf(rows: readonly { readonly id: string }[]): string[] {
  return rows.map(({ id }) => id)
}

type FilterOptions = Omit<DeliveryFilter, 'merchantId'>

function isAsked(one: Kept, { mode, kind, state, event, receiver, since, until }: FilterOptions): boolean {
  return (
    one.merchant_id === merchantId &&
    one.mode === mode &&
    (kind === undefined || one.kind === kind) &&
    (state === undefined || one.state === state) &&
    (event === undefined || one.event === event) &&
    (receiver === undefined || receiver.names.includes(one.origin)) &&
    (since === undefined || one.created_at >= since) &&
    (until === undefined || one.created_at < until)
  )
}

const middle = new Date(Date.UTC(2026, 10, 15, 12, 0, 4)).toISOString()
const questions: readonly FilterOptions[] = [
  { mode: 'test' },
  { mode: 'live' },
  { mode: 'test', kind: 'mail' },
  { mode: 'test', state: 'paused' },
  { mode: 'test', event: 'payment.failed' },
  { mode: 'test', receiver: exactly('https://two.example') },
  { mode: 'test', since: middle },
  { mode: 'test', until: middle },
  {
    mode: 'test',
    kind: 'ipn',
    state: 'failed',
    event: 'payment.success',
    receiver: exactly('https://one.example'),
  },
]

test('an operator finds exactly the requested deliveries, newest first', async () => {
  for (const asked of questions) {
    const wanted = all.filter((one) => isAsked(one, asked)).toSorted(newestFirst)
    const name = JSON.stringify(asked)
    assert.ok(wanted.length > 0, name)
    assert.deepEqual(idsOf(await listFiltered(db, { merchantId, ...asked }, 100)), idsOf(wanted), name)
    assert.deepEqual(
      idsOf(await listFiltered(db, { merchantId, ...asked }, 2)),
      idsOf(wanted.slice(0, 2)),
      name,
    )
  }
  for (const { merchant_id, id, created_at } of all) {
    const found = await findDelivery(db, { merchantId: merchant_id, id })
    assert.equal(new Date(found?.created_at ?? '').toISOString(), created_at, 'not the one of its neighbour')
  }
})

test('the counted deliveries are resent, in order and page by page, and no others', async () => {
  for (const asked of questions) {
    const state = asked.state ?? 'failed'
    const wanted = all
      .filter((one) => isAsked(one, { ...asked, kind: 'ipn', state }) && one.body !== '' && one.target !== '')
      .toSorted(oldestFirst)
    const filter = { merchantId, ...asked }
    const name = JSON.stringify(asked)
    const counted = new Map((await countSendable(db, filter)).map(({ origin, count }) => [origin, count]))
    const origins = [...new Set(wanted.map(({ origin }) => origin))]
    assert.deepEqual(
      counted,
      new Map(
        origins
          .map((origin): [string, number] => [origin, wanted.filter((one) => one.origin === origin).length])
          .toSorted(([one, many], [other, more]) => more - many || (one < other ? -1 : 1)),
      ),
      name,
    )
    const restarted = await undone(db, async (tx) => {
      const now = new Date('2026-11-16T12:00:00Z')
      const first = await restartNext(tx, filter, { created_at: '-infinity', id: '' }, now, 2)
      const rest = await restartNext(tx, filter, first.at(-1) ?? { created_at: 'infinity', id: '' }, now, 100)
      const moved = await tx.query<{ id: string }>(sql`
        select id from deliveries where merchant_id = ${merchantId} and state = 'waiting' and next_try_at = ${now}
        order by created_at, id`)
      return { first, rest, moved }
    })
    assert.deepEqual(idsOf(restarted.first), idsOf(wanted.slice(0, 2)), name)
    assert.deepEqual(idsOf(restarted.rest), idsOf(wanted.slice(2)), name)
    assert.deepEqual(idsOf(restarted.moved), idsOf(wanted), name)
  }
})

test('a queue is paused and resumed separately, and one delivery is reset without its neighbours', async () => {
  const queue = { merchantId, mode: 'test', origin: 'https://one.example' } as const
  const now = new Date('2026-11-16T12:00:00Z')
  const ofQueue = (state: DeliveryState): string[] =>
    all
      .filter((one) => one.merchant_id === merchantId && one.mode === 'test' && one.state === state)
      .filter(({ origin }) => origin === queue.origin)
      .map(nameOf)
  const paused = await movedBy(async (tx) => pauseDeliveries(tx, queue))
  assert.deepEqual(paused, ofQueue('waiting').toSorted())
  const resumed = await movedBy(async (tx) => {
    assert.equal(await resumeDeliveries(tx, queue, now), ofQueue('paused').length)
  })
  assert.deepEqual(resumed, ofQueue('paused').toSorted())

  const [one] = all.filter(({ mode, state }) => mode === 'live' && state === 'failed')
  assert.ok(one)
  const put = { merchantId, id: one.id, now }
  assert.deepEqual(await movedBy(async (tx) => restart(tx, { ...put, mode: 'live' }, now)), [nameOf(one)])
  assert.deepEqual(await movedBy(async (tx) => restart(tx, { ...put, mode: 'test' }, now)), [])
  for (const id of ['evt_900', 'evt_901'])
    assert.deepEqual(await movedBy(async (tx) => restart(tx, { merchantId, id, mode: 'test' }, now)), [], id)
})

function nameOf({ merchant_id, id }: Kept): string {
  return `${merchant_id} ${id}`
}

/** Which deliveries have another state or time afterwards. */
async function movedBy(work: (tx: Transaction) => Promise<unknown>): Promise<string[]> {
  const read = async (tx: Transaction): Promise<Map<string, string>> => {
    const rows = await tx.query<Kept & { next_try_at: string | null }>(sql`
      select merchant_id, id, state, next_try_at from deliveries`)
    return new Map(rows.map((row) => [nameOf(row), `${row.state} ${row.next_try_at}`]))
  }
  return undone(db, async (tx) => {
    const were = await read(tx)
    await work(tx)
    const are = await read(tx)
    return [...are].flatMap(([name, now]) => (were.get(name) === now ? [] : [name])).toSorted()
  })
}

test('a merchant’s backlog is its own, whatever has ended', async () => {
  const own = all.filter(({ merchant_id }) => merchant_id === merchantId)
  const waiting = own.filter(({ state }) => state === 'waiting')
  const { oldest_due_at, ...counts } = await measureMerchant(db, merchantId)
  assert.deepEqual(counts, {
    waiting: waiting.length,
    paused: own.filter(({ state }) => state === 'paused').length,
  })
  assert.equal(new Date(oldest_due_at ?? '').toISOString(), waiting.toSorted(oldestFirst)[0]?.created_at)
})

test('a merchant sees only its notifications, page by page, and none of its mails', async () => {
  const lists: readonly Omit<ListFilter, 'merchantId'>[] = [
    { mode: 'test' },
    { mode: 'live' },
    { mode: 'test', state: 'failed', receiver: exactly('https://one.example') },
    { mode: 'test', state: 'paused', receiver: exactly('https://two.example') },
    { mode: 'test', state: 'delivered', receiver: exactly('https://two.example') },
    { mode: 'test', state: 'failed' },
    { mode: 'test', event: 'payment.failed' },
    { mode: 'test', createdFrom: middle },
    { mode: 'test', createdTo: middle },
  ]
  for (const { createdFrom, createdTo, ...asked } of lists) {
    const wanted = all
      .filter((one) => isAsked(one, { ...asked, kind: 'ipn', since: createdFrom, until: createdTo }))
      .toSorted(newestFirst)
    const filter = { merchantId, ...asked, createdFrom, createdTo }
    const name = JSON.stringify(filter)
    assert.ok(wanted.length > 1, name)
    assert.deepEqual(idsOf(await listDeliveries(db, filter, 100, 100)), idsOf(wanted), name)
    const [first, second] = wanted
    const behind = { at: first?.created_at ?? '', id: first?.id ?? '' }
    const rest = await listDeliveries(db, { ...filter, after: behind }, 100, 1)
    assert.deepEqual(idsOf(rest), [second?.id], name)
  }
})

test('a search’s end is the last row read, and a full notification is read only in its merchant and mode', async () => {
  const newest = all.filter((one) => isAsked(one, { mode: 'test', kind: 'ipn' })).toSorted(newestFirst)
  assert.equal((await findLastLooked(db, { merchantId, mode: 'test' }, 5))?.id, newest[4]?.id)
  assert.equal(await findLastLooked(db, { merchantId, mode: 'test' }, newest.length + 1), undefined)
  const [one] = newest
  assert.ok(one)
  assert.equal((await findWhole(db, { merchantId, mode: 'test', id: one.id }))?.origin, one.origin)
  assert.equal(await findWhole(db, { merchantId, mode: 'live', id: one.id }), undefined)
  const mail = all.find((each) => isAsked(each, { mode: 'test', kind: 'mail' }))
  assert.equal(await findWhole(db, { merchantId, mode: 'test', id: mail?.id ?? '' }), undefined)
})
