import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.ts'
import { waitUntil } from '../../../test/support/wait-until.ts'
import { Database } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import { connectToCopy } from './connect.ts'
import { copyIn, copyOut } from './copy.ts'

let home: TestDatabase
let db: Database
let client: pg.Client
before(async () => {
  home = await createTestDatabase()
  db = new Database(home.url)
  client = await connectToCopy(home.url, 'copy test')
  await client.query('create table copied (line text not null)')
})
after(async () => {
  await client.end()
  await db.close()
  await home.drop()
})

async function copied(): Promise<number> {
  const { rows } = await client.query<{ count: string }>('select count(*) from copied')
  return Number(rows[0]?.count)
}

/** One after the other, then undefined. */
function give(pieces: readonly string[]): () => Promise<Buffer | undefined> {
  const rest = [...pieces]
  return async () => {
    const next = rest.shift()
    return next === undefined ? undefined : Buffer.from(next)
  }
}

test('rows come out complete, in order and counted, even from an empty table', async () => {
  const taken: string[] = []
  let counted = 0
  const take = async (rows: Buffer, count: number): Promise<void> => {
    taken.push(rows.toString())
    counted += count
  }
  const some = `copy (select repeat('x', 1000) || n from generate_series(1, 500) as n) to stdout`
  assert.equal(await copyOut(client, some, take), 500)
  const lines = taken.join('').split('\n').slice(0, -1)
  assert.deepEqual(
    lines.map((line) => Number(line.replaceAll('x', ''))),
    Array.from({ length: 500 }, (_, place) => place + 1),
  )
  assert.equal(counted, 500)
  assert.ok(taken.length > 1, 'half a megabyte is handed on piece by piece')
  assert.equal(await copyOut(client, 'copy copied to stdout', take), 0)
})

test('a slow reader holds PostgreSQL back, so memory never holds the whole table', async () => {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  const pid = rows[0]?.pid
  const { stream } = (client as pg.Client & { readonly connection: { stream: { bytesRead: number } } })
    .connection
  const earlier = stream.bytesRead
  const held = Promise.withResolvers<void>()
  const copying = copyOut(
    client,
    `copy (select repeat('x', 1000) from generate_series(1, 50000)) to stdout`,
    async () => held.promise,
  )
  let last = -1
  await waitUntil('PostgreSQL waits for us, or is through', async () => {
    const [backend] = await db.query<{ state: string; wait: string | null }>(sql`
      select state, wait_event as wait from pg_stat_activity where pid = ${pid}`)
    const stands = backend?.wait === 'ClientWrite' && stream.bytesRead === last
    last = stream.bytesRead
    return stands || backend?.state === 'idle'
  })
  const readWhileHeld = stream.bytesRead - earlier
  held.resolve()
  assert.equal(await copying, 50_000)
  assert.ok(readWhileHeld < 10_000_000, `${readWhileHeld} of 50 million bytes were read`)
})

test('a reader that fails ends the copy with its own error', async () => {
  const other = await connectToCopy(home.url, 'copy test')
  const failing = async (): Promise<void> => {
    throw new Error('the disk is full')
  }
  const much = `copy (select repeat('x', 1000) from generate_series(1, 1000)) to stdout`
  await assert.rejects(copyOut(other, much, failing), /the disk is full/)
  await other.end()
})

test('a statement that PostgreSQL refuses fails both ways, and the connection stays usable', async () => {
  await assert.rejects(
    copyOut(client, 'copy missing to stdout', async () => {}),
    /missing/,
  )
  await assert.rejects(copyIn(client, 'copy missing from stdin', give(['1\n'])), /missing/)
  assert.equal(await copied(), 0)
})

test('all rows are written and counted', async () => {
  assert.equal(await copyIn(client, 'copy copied from stdin', give(['a\nb\n', 'c\n'])), 3)
  assert.equal(await copyIn(client, 'copy copied from stdin', give([])), 0)
  assert.equal(await copied(), 3)
})

test('more than a connection’s buffer holds is written completely', async () => {
  const earlier = await copied()
  const piece = `${'y'.repeat(999)}\n`.repeat(1_000)
  assert.equal(
    await copyIn(client, 'copy copied from stdin', give(Array(20).fill(piece) as string[])),
    20_000,
  )
  assert.equal(await copied(), earlier + 20_000)
})

test('a row that PostgreSQL refuses fails the copy, and nothing of it stays', async () => {
  const earlier = await copied()
  await assert.rejects(copyIn(client, 'copy copied from stdin', give(['a\n', '\\N\n', 'b\n'])), /null/)
  assert.equal(await copied(), earlier)
})
