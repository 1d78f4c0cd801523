import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.ts'
import { makeMerchantBatch, type MerchantBatch } from './batch.ts'
import { Database, inTransaction, isAway, type Queryable } from './database.ts'
import { sql } from './sql.ts'

// Merchants with a caller or two each, whose statements share a commit.

let database: TestDatabase
let db: Database

before(async () => {
  database = await createTestDatabase()
  db = new Database(database.url)
  await db.query(sql`create table grouped_rows (merchant_id integer, name text unique check (name <> 'bad'))`)
  await untilShared(db)
})
after(async () => {
  await db.close()
  await database.drop()
})
beforeEach(async () => void (await db.query(sql`truncate grouped_rows`)))

/** Asked for when it is first needed. */
async function untilShared(asked: Database): Promise<void> {
  while (!asked.sharesCommits) await asked.query(sql`select 1`)
}

type Written = { readonly transaction: string; readonly inCompany: boolean }

function writer(
  mayJoin?: (name: string) => boolean,
  started: (name: string) => void = () => undefined,
): MerchantBatch<string, Written> {
  return makeMerchantBatch<string, Written>({
    maxSize: 100,
    maxInFlight: 2,
    run: async (merchantId, names, tx) => {
      for (const name of names) started(name)
      return write(tx ?? db, merchantId, names)
    },
    groupOn: db,
    ...(mayJoin && { mayJoin }),
  })
}

async function write(on: Queryable, merchantId: number, names: readonly string[]): Promise<Written[]> {
  const rows = await on.query<{ transaction: string }>(sql`
    insert into grouped_rows (merchant_id, name) select ${merchantId}::integer, unnest(${names}::text[])
    returning pg_current_xact_id()::text as transaction`)
  return rows.map(({ transaction }) => ({ transaction, inCompany: on.kind === 'transaction' }))
}

async function written(): Promise<string[]> {
  const rows = await db.query<{ name: string }>(sql`select name from grouped_rows order by name`)
  return rows.map(({ name }) => name)
}

test('merchants who arrive together share one commit, each in its own statement', async () => {
  const batch = writer()
  const results = await Promise.all([batch(3, 'c'), batch(1, 'a'), batch(2, 'b'), batch(1, 'd')])
  assert.equal(new Set(results.map(({ transaction }) => transaction)).size, 1)
  assert.deepEqual(await written(), ['a', 'b', 'c', 'd'])
})

test('a single merchant needs no transaction around its statement', async () => {
  const batch = writer()
  assert.equal((await batch(1, 'a')).inCompany, false)
})

test('a bad row fails alone, and the rest of the group is written', async () => {
  const batch = writer()
  const settled = await Promise.allSettled([batch(1, 'a'), batch(2, 'bad'), batch(2, 'b'), batch(3, 'c')])
  assert.deepEqual(
    settled.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled', 'fulfilled'],
  )
  assert.deepEqual(await written(), ['a', 'b', 'c'])
})

test('a merchant waiting for a lock doesn’t hold up the others', async () => {
  const batch = writer()
  let stuck: Promise<Written> | undefined
  await inTransaction(db, async (tx) => {
    await write(tx, 9, ['taken'])
    stuck = batch(1, 'taken')
    stuck.catch(() => undefined)
    const others = await Promise.all([batch(2, 'b'), batch(3, 'c')])
    assert.deepEqual(
      others.map(({ inCompany }) => inCompany),
      [false, false],
    )
    // Its next caller goes past the one that waits, alone again.
    assert.equal((await batch(1, 'free')).inCompany, false)
  })
  await assert.rejects(stuck ?? Promise.resolve(), /grouped_rows_name_key/)
  assert.deepEqual(await written(), ['b', 'c', 'free', 'taken'])
})

test('two groups with merchants in common don’t wait for each other', async () => {
  const [one, other] = [writer(), writer()]
  await Promise.all(
    Array.from({ length: 50 }, async (_, round) =>
      Promise.all([
        one(1, `one-${round}`),
        one(2, `two-${round}`),
        other(2, `three-${round}`),
        other(1, `four-${round}`),
      ]),
    ),
  )
  assert.equal((await written()).length, 200)
})

test('an item that must not be grouped runs alone', async () => {
  const batch = writer((name) => name !== 'shy')
  const [shy, ...others] = await Promise.all([batch(1, 'shy'), batch(2, 'b'), batch(3, 'c')])
  assert.deepEqual(
    [shy, ...others].map((each) => each?.inCompany),
    [false, true, true],
  )
})

test('work that fails without a database error is also retried alone', async () => {
  let tries = 0
  const batch = makeMerchantBatch<string, number>({
    maxSize: 100,
    maxInFlight: 2,
    run: async (merchantId, items, tx) => {
      tries += 1
      await write(tx ?? db, merchantId, items)
      if (tx && merchantId === 2) throw new Error('Not in a group')
      return items.map(() => merchantId)
    },
    isDataError: () => false,
    groupOn: db,
  })
  assert.deepEqual(await Promise.all([batch(1, 'a'), batch(2, 'b')]), [1, 2])
  assert.equal(tries, 4)
  assert.deepEqual(await written(), ['a', 'b'])
})

test('several merchants’ steps run together, and each gets its own rows', async () => {
  const batch = makeMerchantBatch<number, number[]>({
    maxSize: 100,
    maxInFlight: 2,
    run: async (merchantId, items, tx) => {
      const first = await (tx ?? db).query<{ n: number }>(sql`select ${merchantId}::integer as n`)
      const [second = [], third = []] = await (tx ?? db).queryAll<{ n: number }>([
        sql`select ${merchantId * 10}::integer as n`,
        sql`select ${merchantId * 100}::integer as n`,
      ])
      return items.map(() => [...first, ...second, ...third].map(({ n }) => n))
    },
    isDataError: () => false,
    groupOn: db,
  })
  assert.deepEqual(await Promise.all([batch(1, 0), batch(2, 0)]), [
    [1, 10, 100],
    [2, 20, 200],
  ])
})

test('a lost database fails the whole group, with one try per merchant', async () => {
  let tries = 0
  const batch = makeMerchantBatch<string, Written>({
    maxSize: 100,
    maxInFlight: 2,
    run: async (merchantId, items, tx) => {
      tries += 1
      await tx?.query(sql`select pg_terminate_backend(pg_backend_pid())`)
      return write(tx ?? db, merchantId, items)
    },
    groupOn: db,
  })
  for (const { reason } of (await Promise.allSettled([
    batch(1, 'a'),
    batch(2, 'b'),
  ])) as PromiseRejectedResult[])
    assert.ok(isAway(reason))
  assert.equal(tries, 2)
  assert.deepEqual(await written(), [])
})

test('on a cluster every merchant has its own commit', async () => {
  const spread = new Database(database.url)
  // A part of what Citus keeps its tables in: enough to be no plain database.
  await db.query(sql`create table pg_dist_partition ()`)
  try {
    assert.equal(spread.sharesCommits, false)
    await assert.rejects(spread.nodes.askWhetherPlain(), /pg_dist_shard|shard_name/)
    assert.equal(spread.sharesCommits, false)
  } finally {
    await db.query(sql`drop table pg_dist_partition`)
    await spread.close()
  }
})
