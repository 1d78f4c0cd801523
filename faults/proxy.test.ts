import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { createTestDatabase, type TestDatabase } from '../test/support/database.ts'
import { openProxy, type Proxy } from './proxy.ts'

let database: TestDatabase
let proxy: Proxy
before(async () => {
  database = await createTestDatabase()
  proxy = await openProxy(database.url)
  await direct('create table notes (id integer)')
})
after(async () => {
  await proxy.close()
  await database.drop()
})

async function direct(text: string): Promise<{ id: number }[]> {
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  const { rows } = await client.query<{ id: number }>(text)
  await client.end()
  return rows
}

async function through(...statements: string[]): Promise<unknown> {
  const client = new pg.Client({ connectionString: proxy.url })
  client.on('error', () => {})
  await client.connect()
  try {
    let last: unknown
    for (const text of statements) last = (await client.query(text)).rows
    return last
  } finally {
    await client.end().catch(() => {})
  }
}

test('the connection is cut after the commit and before the client can read the answer', async () => {
  let asked = 0
  proxy.cutAfterCommit(() => (asked += 1) > 0)
  await assert.rejects(through('begin', 'insert into notes values (1)', 'commit'))
  await assert.rejects(through('insert into notes values (2) returning id'))
  proxy.cutAfterCommit(() => false)
  assert.equal(asked, 2)
  assert.equal(proxy.cuts(), 2)
  assert.deepEqual(await direct('select id from notes order by id'), [{ id: 1 }, { id: 2 }])
})

test('read-only and rolled-back transactions don’t count as commits', async () => {
  proxy.cutAfterCommit(() => true)
  await through('select 1', 'update notes set id = 0 where id = 99')
  await through('begin', 'insert into notes values (3)', 'rollback')
  proxy.cutAfterCommit(() => false)
  assert.equal(proxy.cuts(), 2)
})

test('a black hole holds back data without losing any', async () => {
  proxy.blackHole(true)
  const waiting = through('select 7 as id')
  const first = await Promise.race([waiting, new Promise((resolve) => setTimeout(resolve, 100, 'silence'))])
  assert.equal(first, 'silence')
  proxy.blackHole(false)
  assert.deepEqual(await waiting, [{ id: 7 }])
})

test('a delayed answer arrives complete and in order', async () => {
  proxy.delay(5)
  const rows = (await through('select id from generate_series(1, 500) as id')) as { id: number }[]
  proxy.delay(0)
  assert.deepEqual(
    rows.map(({ id }) => id),
    Array.from({ length: 500 }, (_, index) => index + 1),
  )
})
