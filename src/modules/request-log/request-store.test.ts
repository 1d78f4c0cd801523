import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.ts'
import { Database, inTransaction } from '../../platform/database/database.ts'
import { createMerchant } from '../../core/merchants/create-merchant.ts'
import {
  deleteMentioning,
  deleteRequestsBefore,
  findRequestById,
  findRequests,
  findWindowEnd,
  insertRequests,
  listMentioning,
  type LineFilter,
  type NewRequest,
} from './request-store.ts'

// Lines that differ from one another in one thing each.

let home: TestDatabase
let db: Database
let merchantId: number
let neighbour: number

before(async () => {
  home = await createTestDatabase()
  db = new Database(home.url)
  merchantId = await createMerchant(db, { name: 'Corner shop' })
  neighbour = await createMerchant(db, { name: 'Its neighbour' })
  // Rows that lie in order would hide a statement that forgot to ask for it.
  const shuffled = [4, 7, 0, 3, 6, 9, 2, 5, 8, 1].flatMap((index) => lines[index] ?? [])
  for (const each of [merchantId, neighbour]) await insertRequests(db, each, shuffled)
  // Those that are there already, as after a commit whose answer was lost, are not written twice.
  await insertRequests(db, neighbour, [...lines, ...ofNeighbour])
})
after(async () => {
  await db.close()
  await home.drop()
})

function moment(second: number): string {
  return new Date(Date.UTC(2026, 10, 15, 12, 0, second)).toISOString()
}

const plain: NewRequest = {
  mode: 'test',
  at: moment(0),
  id: '',
  request_id: 'req-plain',
  key_id: 'key_1',
  method: 'GET',
  path: '/api/transaction/1',
  status: 200,
  duration_us: 1_000,
  request_body: '{}',
  answer_body: '{}',
  warnings: 'txRef was ignored: did you mean tx_ref?',
}

const changes: readonly Partial<NewRequest>[] = [
  {},
  { method: 'POST' },
  { status: 400 },
  { status: 399 },
  { key_id: 'key_2' },
  { path: '/api/transaction/order-7' },
  { request_body: '{"tx_ref":"order-7"}' },
  { answer_body: '{"tx_ref":"order-7"}' },
  { mode: 'live', request_id: 'req-of-live' },
  { mode: 'none', request_id: 'req-of-none' },
]
/** Two of each moment, so that the id decides. */
const lines = changes.map((change, index): NewRequest => ({
  ...plain,
  at: moment(Math.floor(index / 2)),
  id: `line-${index}`,
  ...change,
}))

/** With the name of another line, of another mode or moment. */
const ofNeighbour: readonly NewRequest[] = [
  { ...plain, id: 'line-0', mode: 'live', request_id: 'req-of-neighbour' },
  { ...plain, id: 'line-0', at: moment(5) },
]

const anything: LineFilter = { method: null, statusMin: 0, statusMax: 999, keyId: null, path: null }
const behindAll = { at: moment(59), name: '' }
const wide = { window: 100, limit: 100 }

function wanted(isWanted: (line: NewRequest) => boolean): string[] {
  const key = ({ at, id }: NewRequest): string => `${at} ${id}`
  const asked = lines.filter((line) => line.mode === 'test' && isWanted(line))
  return asked.toSorted((one, other) => (key(one) < key(other) ? 1 : -1)).map(({ id }) => id)
}

async function found(filter: Partial<LineFilter>, edge = behindAll, sizes = wide): Promise<string[]> {
  const scope = { merchantId, mode: 'test' } as const
  return (await findRequests(db, scope, { ...anything, ...filter }, edge, sizes)).map(({ id }) => id)
}

test('lines are found by every filter, for one merchant and mode, newest first', async () => {
  assert.deepEqual(
    await found({}),
    wanted(() => true),
  )
  assert.deepEqual(
    await found({ method: 'POST' }),
    wanted(({ method }) => method === 'POST'),
  )
  assert.deepEqual(
    await found({ statusMin: 400 }),
    wanted(({ status }) => status >= 400),
  )
  assert.deepEqual(
    await found({ statusMax: 399 }),
    wanted(({ status }) => status <= 399),
  )
  assert.deepEqual(
    await found({ keyId: 'key_2' }),
    wanted(({ key_id }) => key_id === 'key_2'),
  )
  assert.deepEqual(
    await found({ path: 'order' }),
    wanted(({ path }) => path.includes('order')),
  )
})

test('a page starts after its cursor, reads at most its window and shows at most its limit', async () => {
  const all = wanted(() => true)
  const edge = { at: moment(2), name: 'line-5' }
  assert.deepEqual(await found({}, edge), all.slice(all.indexOf('line-5') + 1))
  assert.deepEqual(await found({}, behindAll, { window: 100, limit: 3 }), all.slice(0, 3))
  assert.deepEqual(await found({ method: 'POST' }, behindAll, { window: 3, limit: 100 }), [])
  assert.deepEqual(await found({}, behindAll, { window: 1, limit: 100 }), all.slice(0, 1))
  const scope = { merchantId, mode: 'test' } as const
  assert.equal((await findWindowEnd(db, scope, behindAll, 3))?.name, all[2])
  assert.equal((await findWindowEnd(db, scope, edge, 2))?.name, all[all.indexOf('line-5') + 2])
  assert.equal(await findWindowEnd(db, scope, behindAll, all.length + 1), undefined)
})

test('a request is found by its id in its mode, or where its key has none', async () => {
  assert.equal((await findRequestById(db, merchantId, 'live', 'req-of-live'))?.id, 'line-8')
  assert.equal(await findRequestById(db, merchantId, 'test', 'req-of-live'), undefined)
  assert.equal((await findRequestById(db, merchantId, 'test', 'req-of-none'))?.id, 'line-9')
  assert.equal(
    (await findRequestById(db, merchantId, 'test', 'req-plain'))?.at.slice(0, 19),
    '2026-11-15T12:00:03',
  )
  assert.equal(await findRequestById(db, merchantId, 'test', 'req-nobodys'), undefined)
  assert.equal(await findRequestById(db, merchantId, 'live', 'req-of-neighbour'), undefined)
})

test('only lines that mention a word anywhere are found and deleted', async () => {
  const mentioning = async (owner: number): Promise<string[]> =>
    (
      (await listMentioning(db, owner, { words: ['nowhere', 'order-7'], pattern: null })) as { id: string }[]
    ).map(({ id }) => id)
  assert.deepEqual(await mentioning(merchantId), ['line-5', 'line-6', 'line-7'])
  assert.deepEqual(await listMentioning(db, merchantId, { words: ['order-8'], pattern: null }), [])
  const matching = (await listMentioning(db, merchantId, { words: [], pattern: 'ORDER-7' })) as {
    id: string
  }[]
  assert.deepEqual(
    matching.map(({ id }) => id),
    ['line-5', 'line-6', 'line-7'],
  )
  const mentioned = { words: ['order-7'], pattern: null }
  assert.equal(await inTransaction(db, async (tx) => deleteMentioning(tx, merchantId, mentioned)), 3)
  assert.deepEqual(await mentioning(merchantId), [])
  assert.equal((await found({})).length, 5)
  assert.deepEqual(await mentioning(neighbour), ['line-5', 'line-6', 'line-7'])
})

test('old lines of one mode are deleted up to a limit, oldest first', async () => {
  const scope = { merchantId: neighbour, mode: 'test' } as const
  const left = async (): Promise<string[]> =>
    (await findRequests(db, scope, anything, behindAll, wide)).map(({ id }) => id).toReversed()
  assert.equal(await deleteRequestsBefore(db, scope, new Date(moment(0)), 10), 0)
  assert.equal(await deleteRequestsBefore(db, scope, new Date(moment(2)), 3), 3)
  assert.deepEqual(await left(), ['line-3', 'line-4', 'line-5', 'line-6', 'line-7', 'line-0'])
  assert.equal(await deleteRequestsBefore(db, scope, new Date(moment(30)), 10), 6)
  for (const requestId of ['req-of-live', 'req-of-neighbour'])
    assert.ok(await findRequestById(db, neighbour, 'live', requestId))
})
