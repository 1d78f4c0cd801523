import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createEmptyDatabase } from '../../../../test/support/empty-database.ts'
import type { TestDatabase } from '../../../../test/support/database.ts'
import { Database, inTransaction } from '../database.ts'
import { sql, type Sql } from '../sql.ts'
import { isInsertSelect, sendByValue } from './insert-by-value.ts'

let database: TestDatabase
let db: Database
before(async () => {
  database = await createEmptyDatabase()
  db = new Database(database.url, { poolSize: 2 })
  for (const name of ['at_once', 'by_value'])
    await db.query(sql`
      create table ${{ ...sql``, text: name }} (merchant_id integer, id text primary key, at timestamptz, amount bigint,
        body json, hash bytea, tags text[], is_late boolean)`)
})
after(async () => {
  await db.close()
  await database.drop()
})

/** A row of every type that we have, and one of nulls. */
const insert = (table: Sql, ids: readonly string[], amount: bigint): Sql => sql`
  insert into ${table} as known (merchant_id, id, at, amount, body, hash, tags, is_late)
  select ${7}::integer, new.id, '2026-11-18T16:00:00.123456Z'::timestamptz, ${amount}::bigint, '{"a": [1, "$1"]}'::json,
    decode('00ff', 'hex'), array['a,b', null, '"'], new.id = 'one'
  from json_to_recordset(${JSON.stringify(ids.map((id) => ({ id })))}) as new (id text)
  union all select ${7}::integer, 'nothing', null, null, null, null, null, null
  on conflict (id) do update set amount = known.amount + ${1n}
  returning id, amount`

async function byValue(statements: readonly Sql[]): Promise<object[][]> {
  return inTransaction(db, async (tx) => sendByValue(statements, async (all) => tx.queryAll(all)))
}

test('rows inserted by value are the rows of one insert … select, and so is what it returns', async () => {
  const [atOnce, inTwo] = [sql`at_once`, sql`by_value`]
  for (const ids of [['one', 'two'], ['two']]) {
    const returned = await db.query(insert(atOnce, ids, 12n))
    assert.deepEqual(await byValue([insert(inTwo, ids, 12n)]), [returned])
  }
  const read = async (table: Sql) =>
    db.query(sql`select t.*, t::text as exact from ${table} as t order by id`)
  assert.deepEqual(await read(inTwo), await read(atOnce))
  assert.equal((await read(inTwo)).length, 3)
})

test('each statement has its own rows, also where nothing is selected', async () => {
  const nothing = sql`insert into by_value (merchant_id, id) select ${1}::integer, 'x' where false returning id`
  const one = sql`insert into by_value (merchant_id, id) select ${1}::integer, ${'last'} returning id`
  const answers = await byValue([sql`select 1 as n`, nothing, sql`select 2 as n`, one, sql`select 3 as n`])
  assert.deepEqual(answers, [[{ n: 1 }], [], [{ n: 2 }], [{ id: 'last' }], [{ n: 3 }]])
})

test('more rows than one statement has parameters for are inserted by several', async () => {
  const many = sql`
    insert into by_value (merchant_id, id) select n, 'many ' || n from generate_series(1, 40000) as n returning merchant_id`
  const [returned = []] = await byValue([many])
  assert.equal(returned.length, 40_000)
})

test('only insert … select is split', () => {
  assert.ok(isInsertSelect(sql`insert into a (b, c) select d, e from f`))
  assert.ok(!isInsertSelect(sql`insert into a (b) values (${1})`))
  assert.ok(!isInsertSelect(sql`with x as (select 1) insert into a (b) select * from x`))
  assert.ok(!isInsertSelect(sql`select b from a`))
})
