import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../sql.ts'
import { hasMoved, openShards, toShards, type HomeShards } from './home-shards.ts'

const names = new Map([
  ['payments', 'payments_102013'],
  ['attempts', 'attempts_102017'],
  ['test_network.charges', 'test_network.charges_102021'],
])
const home = (): HomeShards => ({ shard: '102009', node: 'node1:5432', names, texts: new Map() })
const words = (statement: ReturnType<typeof sql>): string => toShards(home(), 7, statement).text

test('a merchant’s statement names the shards, under the names of their tables', () => {
  assert.equal(
    words(
      sql`select payments.number from payments join attempts as last on true where payments.merchant_id = ${7}`,
    ),
    'select payments.number from payments_102013 as payments join attempts_102017 as last on true where payments.merchant_id = $1',
  )
  assert.equal(
    words(sql`insert into test_network.charges (merchant_id, id) values (${7}, ${1}) on conflict do nothing`),
    'insert into test_network.charges_102021 as charges (merchant_id, id) values ($1, $2) on conflict do nothing',
  )
  assert.equal(
    words(sql`insert into payments (merchant_id, number) values (${7}, ${1}), (${7}, ${2})`),
    'insert into payments_102013 as payments (merchant_id, number) values ($1, $2), ($3, $4)',
  )
  assert.equal(
    words(sql`update payments set late = true where merchant_id = ${7}`),
    'update payments_102013 as payments set late = true where merchant_id = $1',
  )
})

test('a column with the name of a table stays as it is', () => {
  const text = words(
    sql`select 1 from payments where merchant_id = ${7} and 2 is distinct from attempts for update of payments`,
  )
  assert.ok(text.endsWith('distinct from attempts for update of payments'), text)
})

test('each shard has its own plan, found once per text', () => {
  const statement = sql`select number from payments where merchant_id = ${7}`
  const shards = home()
  const renamed = toShards(shards, 7, statement)
  assert.notEqual(renamed.name, statement.name)
  assert.equal(toShards(shards, 7, statement).name, renamed.name)
  assert.deepEqual([renamed.values, shards.texts.size], [[7], 1])
})

test('a statement that names another merchant, none, or an unknown table is left to Citus', () => {
  for (const statement of [
    sql`select number from payments where merchant_id = ${8}`,
    sql`select number from payments where merchant_id = ${7} and exists (select from attempts where merchant_id = ${8})`,
    sql`insert into payments (merchant_id, number) values (${7}, ${1}), (${8}, ${2})`,
    sql`insert into payments (merchant_id, number) values (${7}, coalesce(${1}, '1')),
      (${8}::integer, ${2})`,
    sql`insert into payments (merchant_id, number) values (${7}, ${1}), (8, ${2})`,
    sql`insert into payments (merchant_id, number) select ${8}, number from payments where merchant_id = ${7}`,
    sql`insert into payments (number, merchant_id) select number, 8 from payments where merchant_id = ${7}`,
    sql`select number from payments`,
    sql`select number from payments join refunds using (number) where payments.merchant_id = ${7}`,
  ])
    assert.equal(toShards(home(), 7, statement).text, statement.text)
})

test('writes take the lock of the shard first, and both look whether it is still there', () => {
  assert.deepEqual(
    [true, false].map((mayWrite) => openShards(home(), mayWrite).map(({ values }) => values[0])),
    [['102009', '102009'], ['102009']],
  )
  assert.ok(hasMoved(new Error('invalid input syntax for type integer: "the shard has moved"')))
  assert.ok(!hasMoved(new Error('invalid input syntax for type integer: "1x"')))
})
