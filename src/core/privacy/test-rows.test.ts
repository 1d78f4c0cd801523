import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.ts'
import { insertRows } from '../../../test/support/rows.ts'
import { Database } from '../../platform/database/database.ts'
import { oldTests, type OldTests, type TestRooms } from './test-rows.ts'

const merchants = [20_000_001, 20_000_002, 20_000_003, 20_000_004]
const [own = 0] = merchants
let home: TestDatabase
let db: Database
before(async () => {
  home = await createTestDatabase()
  db = new Database(home.url)
  const rows = merchants.map((id) => ({ id, name: 'Corner shop' }))
  await insertRows(db, 'merchants', rows)
})
after(async () => {
  await db.close()
  await home.drop()
})

const until = new Date('2026-11-01T00:00:00Z')
const numbersUpTo = (count: number): string[] => Array.from({ length: count }, (_, index) => `n${index + 1}`)

type Deletion = readonly [room: string, tests: OldTests]

/** Two rooms over the tests of each merchant; `open`: what something still works on, in one room or the other. */
function furnish(left: Map<number, string[]>, open: readonly string[] = []) {
  const deleted: Deletion[] = []
  const some: TestRooms['find'] = async (_db, { merchantId, before: moment, max }) => {
    assert.equal(moment, until)
    return (left.get(merchantId) ?? []).slice(0, max).map((number) => ({ number, tx_ref: `order ${number}` }))
  }
  const rooms: TestRooms = {
    find: async (asked, rest) => {
      assert.deepEqual([asked, rest.max], [db, 1])
      return some(asked, rest)
    },
    lock: async (tx, asked) => {
      assert.deepEqual([tx.kind, asked.max], ['transaction', 50])
      return some(db, asked)
    },
    rows: [
      {
        findOpen: async (tx, { numbers }) => {
          assert.equal(tx.kind, 'transaction')
          return numbers.filter((number) => open[0] === number)
        },
        delete: async (_tx, tests) => void deleted.push(['refunds', tests]),
      },
      { delete: async (_tx, tests) => void deleted.push(['notes', tests]) },
      {
        findOpen: async (_tx, { numbers }) => numbers.filter((number) => open.slice(1).includes(number)),
        async delete(_tx, tests) {
          deleted.push(['payments', tests])
          const gone = new Set(tests.numbers)
          const { merchantId } = tests
          left.set(
            merchantId,
            (left.get(merchantId) ?? []).filter((number) => !gone.has(number)),
          )
        },
      },
    ],
  }
  return { deleted, pruning: oldTests(rooms) }
}

test('merchants with old tests are found in order, up to the limit', async () => {
  const { pruning } = furnish(new Map(merchants.slice(1).map((id) => [id, ['n1', 'n2']])))
  assert.equal(pruning.name, 'payments of test mode')
  for (const max of [0, 1, 2, 3, 4])
    assert.deepEqual(await pruning.findMerchants(db, until, max), merchants.slice(1, 1 + max))
})

test('old tests are deleted with all their rows, fifty per commit, up to the limit', async () => {
  for (const [count, max, gone] of [
    [0, 500, 0],
    [1, 500, 1],
    [50, 50, 50],
    [120, 500, 120],
    [120, 51, 100],
    [120, 100, 100],
  ] as const) {
    const numbers = numbersUpTo(count)
    const left = new Map([[own, numbers]])
    const { pruning, deleted } = furnish(left)
    assert.equal(await pruning.prune(db, own, until, max), gone)
    assert.deepEqual(left.get(own), numbers.slice(gone))
    const rounds = Array.from({ length: Math.ceil(gone / 50) }, (_, round) =>
      numbers.slice(round * 50, Math.min(gone, (round + 1) * 50)),
    )
    assert.deepEqual(
      deleted,
      rounds.flatMap((some) =>
        ['refunds', 'notes', 'payments'].map((room) => [
          room,
          { merchantId: own, numbers: some, txRefs: some.map((number) => `order ${number}`) },
        ]),
      ),
    )
  }
})

test('a test payment that any module still needs is kept everywhere', async () => {
  const left = new Map([[own, numbersUpTo(4)]])
  const { pruning, deleted } = furnish(left, ['n1', 'n3'])
  assert.equal(await pruning.prune(db, own, until, 500), 2)
  assert.deepEqual(left.get(own), ['n1', 'n3'])
  assert.deepEqual(
    deleted.map(([room, { numbers }]) => [room, numbers]),
    ['refunds', 'notes', 'payments'].map((room) => [room, ['n2', 'n4']]),
  )
})
