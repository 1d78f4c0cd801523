import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import fc from 'fast-check'
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.ts'
import { openTcpProxy } from '../../../test/support/tcp-proxy.ts'
import { waitUntil } from '../../../test/support/wait-until.ts'
import { DatabaseUnavailable } from '../errors/database-unavailable.ts'
import { Database, inTransaction, sqlState, violates, type Transaction } from './database.ts'
import { isoMicroseconds } from './statement.ts'
import { sql } from './sql.ts'

let home: TestDatabase
let db: Database

before(async () => {
  home = await createTestDatabase()
  db = new Database(home.url, { poolSize: 5 })
  await db.query(sql`create table notes (id integer constraint notes_once primary key, text text)`)
})

after(async () => {
  await db.close()
  await home.drop()
})

test('a successful transaction is committed as a whole', async () => {
  const answer = await inTransaction(db, async (tx) => {
    await tx.query(sql`insert into notes values (1, 'one')`)
    await tx.query(sql`insert into notes values (2, 'two')`)
    return 'done'
  })
  assert.equal(answer, 'done')
  assert.deepEqual(await db.query(sql`select id from notes where id in (1, 2) order by id`), [
    { id: 1 },
    { id: 2 },
  ])
})

test('a transaction that throws is rolled back, and its connection stays usable', async () => {
  const backend = await backendOf(db)
  await assert.rejects(
    inTransaction(db, async (tx) => {
      await tx.query(sql`insert into notes values (10, 'ten')`)
      throw new Error('changed my mind')
    }),
    /changed my mind/,
  )
  assert.deepEqual(await db.query(sql`select id from notes where id = 10`), [])
  assert.equal(await backendOf(db), backend)
})

test('a constraint that a cluster node names only in its message is recognised', async () => {
  const refused = async (code: string, message: string): Promise<unknown> =>
    db
      .query({
        text: `do $$ begin raise exception using errcode = '${code}', message = '${message}'; end $$`,
        values: [],
        name: undefined,
      })
      .catch((error: unknown) => error)
  const once = 'duplicate key value violates unique constraint'
  assert.ok(violates(await refused('23505', `${once} "notes_once_102024"`), 'notes_once'))
  assert.ok(!violates(await refused('23505', `${once} "notes_once_more_102024"`), 'notes_once'))
  assert.ok(!violates(await refused('23505', `${once} "all_notes_once_102024"`), 'notes_once'))
  assert.ok(!violates(await refused('42P01', 'relation "notes_once" does not exist'), 'notes_once'))
})

test('a refused statement names the constraint, rolls back and keeps its connection', async () => {
  await db.query(sql`insert into notes values (20, 'twenty')`)
  const backend = await backendOf(db)
  const again = inTransaction(db, async (tx) => {
    await tx.query(sql`insert into notes values (21, 'twenty-one')`)
    await tx.query(sql`insert into notes values (20, 'twenty')`)
  })
  await assert.rejects(again, (error) => violates(error, 'notes_once') && sqlState(error) === '23505')
  await assert.rejects(
    db.query(sql`insert into notes values (20, 'twenty')`),
    (error) => sqlState(error) === '23505',
  )
  assert.deepEqual(await db.query(sql`select id from notes where id = 21`), [])
  assert.equal(await backendOf(db), backend)
})

test('URL options are kept, and times are still read correctly', async () => {
  const url = new URL(home.url)
  url.searchParams.set('options', '-c timezone=Asia/Kolkata -c search_path=pg_catalog')
  const odd = new Database(url.href)
  const [row] = await odd.query(sql`
    select current_setting('timezone') as zone, current_setting('search_path') as path, to_timestamp(0) as began`)
  assert.deepEqual(row, { zone: 'UTC', path: 'pg_catalog', began: '1970-01-01T00:00:00.000000Z' })
  await odd.close()
})

test('a full pool refuses after its timeout and says that nothing was done', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const small = new Database(home.url, { poolSize: 1, waitMs: 2_000 })
  let release = (): void => {}
  let isHeld = false
  const held = inTransaction(small, async (tx) => {
    await tx.query(sql`select 1`)
    isHeld = true
    await new Promise<void>((resolve) => (release = resolve))
  })
  await waitUntil('the only connection is held', () => isHeld)
  let isRefused = false
  const refused = small.query(sql`select 1`).finally(() => (isRefused = true))
  t.mock.timers.tick(1_999)
  await nextTurn()
  assert.equal(isRefused, false)
  t.mock.timers.tick(1)
  await assert.rejects(refused, isUnavailable({ outcomeUnknown: false }))
  release()
  await held
  assert.deepEqual(await small.query(sql`select 1 as one`), [{ one: 1 }])
  await small.close()
})

test('a statement that runs too long is cancelled, reports that nothing was done and keeps its connection', async (t) => {
  // PostgreSQL alone counts: after a standstill both times would be over at once.
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const hasty = new Database(home.url, { poolSize: 1, statementTimeoutMs: 100 })
  const backend = await patiently(() => backendOf(hasty))
  await assert.rejects(hasty.query(sql`select pg_sleep(30)`), isUnavailable({ outcomeUnknown: false }))
  await assert.rejects(
    inTransaction(hasty, (tx) => tx.query(sql`select pg_sleep(30)`)),
    isUnavailable({ outcomeUnknown: false }),
  )
  assert.equal(await patiently(() => backendOf(hasty)), backend)
  await hasty.close()
})

test('one of two deadlocked transactions may retry', async () => {
  await db.query(sql`insert into notes values (30, ''), (31, '')`)
  const update = (first: number, second: number, meet: () => Promise<void>): Promise<void> =>
    inTransaction(db, async (tx) => {
      await tx.query(sql`set local deadlock_timeout = '10ms'`)
      await tx.query(sql`update notes set text = 'a' where id = ${first}`)
      await meet()
      await tx.query(sql`update notes set text = 'a' where id = ${second}`)
    })
  let here = 0
  const meet = async (): Promise<void> => {
    here += 1
    await waitUntil('both hold their first row', () => here === 2)
  }
  const settled = await Promise.allSettled([update(30, 31, meet), update(31, 30, meet)])
  const refused = settled.filter((one) => one.status === 'rejected')
  assert.equal(refused.length, 1)
  assert.ok(isUnavailable({ outcomeUnknown: false })(refused[0]?.reason))
})

test('a killed connection fails only its transaction, and the process continues', async () => {
  const killed = inTransaction(db, async (tx) => {
    const [own] = await tx.query<{ pid: number }>(sql`select pg_backend_pid() as pid`)
    await db.query(sql`select pg_terminate_backend(${own?.pid}::integer)`)
    await waitUntil('the backend is gone', async () => {
      const rows = await db.query(sql`select from pg_stat_activity where pid = ${own?.pid}`)
      return rows.length === 0
    })
    await tx.query(sql`select 1`)
  })
  await assert.rejects(killed, isUnavailable({ outcomeUnknown: false }))
  assert.deepEqual(await db.query(sql`select 1 as one`), [{ one: 1 }])
})

test('a connection that breaks during a statement leaves its outcome unknown', async () => {
  const proxy = await openTcpProxy(home.url)
  const far = new Database(proxy.url, { poolSize: 1, name: 'florin far' })
  const sent = far.query(sql`select pg_sleep(30)`)
  const refused = assert.rejects(sent, isUnavailable({ outcomeUnknown: true }))
  await waitUntil('the statement runs', async () => {
    const rows = await db.query(sql`
      select from pg_stat_activity where application_name = 'florin far' and wait_event = 'PgSleep'`)
    return rows.length === 1
  })
  proxy.cut()
  await refused
  await assert.rejects(
    inTransaction(far, async (tx) => {
      await tx.query(sql`select 1`)
      proxy.cut()
    }),
    isUnavailable({ outcomeUnknown: true }),
    'the answer to commit is lost',
  )
  assert.deepEqual(await far.query(sql`select 1 as one`), [{ one: 1 }])
  await far.close()
  await proxy.close()
})

test('a transaction reports its outcome once, and only a certain commit counts', async () => {
  const proxy = await openTcpProxy(home.url)
  const far = new Database(proxy.url, { poolSize: 1 })
  const ends: string[] = []
  const run = async (name: string, of: Database, work: (tx: Transaction) => Promise<unknown>) =>
    inTransaction(of, async (tx) => {
      tx.whenEnded((committed) => ends.push(`${name}: ${committed}`))
      await work(tx)
    })
  await run('committed', db, async (tx) => tx.query(sql`select 1`))
  await waitUntil('it is told', () => ends.length === 1)
  await assert.rejects(run('thrown', db, async () => Promise.reject(new Error('changed my mind'))))
  await run('swallowed', db, async (tx) => tx.query(sql`select 1 / 0`).catch(() => {}))
  await waitUntil('it is told', () => ends.length === 3)
  await assert.rejects(
    run('cut off', far, async (tx) => {
      // Without it there would be nothing to commit.
      await tx.query(sql`select 1`)
      proxy.cut()
    }),
  )
  assert.deepEqual(ends, ['committed: true', 'thrown: false', 'swallowed: false', 'cut off: false'])
  await far.close()
  await proxy.close()
})

test('times come back as PostgreSQL would write them, to the microsecond', async () => {
  const micros = fc.bigInt({ min: -62_135_596_800_000_000n, max: 253_402_300_799_999_999n })
  const round = fc
    .bigInt({ min: -62_135_596_800n, max: 253_402_300_799n })
    .map((seconds) => seconds * 1_000_000n)
  await fc.assert(
    fc.asyncProperty(fc.array(fc.oneof(micros, round), { minLength: 1, maxLength: 200 }), async (times) => {
      const rows = await db.query<{ at: string; expected: string }>(sql`
        select at, to_char(at, 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as expected
        from (select timestamptz '1970-01-01 00:00:00+00' + make_interval(days => (us / 86400000000)::integer)
                     + (us % 86400000000) * interval '1 microsecond' as at
              from unnest(${times.map(String)}::bigint[]) as us) as times`)
      for (const row of rows) assert.equal(row.at, row.expected)
    }),
    { numRuns: 20 },
  )
})

test('times are read correctly in any time zone and date style', async (t) => {
  const own = await createTestDatabase()
  t.after(() => own.drop())
  const name = new URL(own.url).pathname.slice(1)
  const first = new Database(own.url)
  await first.query({
    text: `alter database ${name} set timezone = 'Asia/Kolkata'`,
    values: [],
    name: undefined,
  })
  await first.query({ text: `alter database ${name} set datestyle = 'German'`, values: [], name: undefined })
  await first.close()
  const second = new Database(own.url)
  const [row] = await second.query<{ at: string }>(sql`select timestamptz '2026-11-15 16:05:00.12+02' as at`)
  await second.close()
  assert.equal(row?.at, '2026-11-15T14:05:00.120000Z')
  assert.equal(isoMicroseconds('2026-11-15 14:05:00+00'), '2026-11-15T14:05:00.000000Z')
})

test('64-bit integers come back exactly', async () => {
  const [row] = await db.query<{ n: bigint }>(sql`select 9007199254740993::bigint as n`)
  assert.equal(row?.n, 9_007_199_254_740_993n)
})

function isUnavailable(expected: { outcomeUnknown: boolean }): (error: unknown) => boolean {
  return (error) => {
    assert.ok(error instanceof DatabaseUnavailable, String(error))
    assert.equal(error.outcomeUnknown, expected.outcomeUnknown)
    return true
  }
}

/** With a single statement at a time the pool hands out the same connection again, unless it dropped it. */
async function backendOf(database: Database): Promise<unknown> {
  const rows = await database.query<{ pid: number }>(sql`select pg_backend_pid() as pid`)
  return rows[0]?.pid
}

/** A busy machine may need more than the limit for the shortest statement. */
async function patiently(ask: () => Promise<unknown>): Promise<unknown> {
  let answer: unknown
  await waitUntil('it answers in time', async () => {
    answer = await ask().catch(() => undefined)
    return answer !== undefined
  })
  return answer
}
