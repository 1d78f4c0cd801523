import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import fc from 'fast-check'
import { anyCharacter } from '../../../test/support/any-character.ts'
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.ts'
import { openTcpProxy } from '../../../test/support/tcp-proxy.ts'
import { waitUntil } from '../../../test/support/wait-until.ts'
import { DatabaseUnavailable } from '../errors/database-unavailable.ts'
import { Database, inTransaction, sqlState } from './database.ts'
import { planEachTime, sql, type Sql } from './sql.ts'

// A statement without a name goes through pg's own Query, so it says what the answer should be.

let home: TestDatabase
let db: Database
let onlooker: Database

before(async () => {
  home = await createTestDatabase()
  // One connection, so that each statement meets what the one before it left there.
  db = new Database(home.url, { poolSize: 1, name: 'florin one' })
  onlooker = new Database(home.url, { poolSize: 1 })
  await db.query(sql`create table notes (id integer primary key, text text)`)
})

after(async () => {
  await db.close()
  await onlooker.close()
  await home.drop()
})

type Answer = { rows: object[] } | { code: string | undefined; message: string }

async function answerTo(statement: Sql): Promise<Answer> {
  try {
    return { rows: await db.query(statement) }
  } catch (error) {
    return { code: sqlState(error), message: (error as Error).message }
  }
}

async function assertAsPg(statement: Sql): Promise<void> {
  assert.ok(statement.name)
  const expected = await answerTo(planEachTime(statement))
  assert.deepEqual(await answerTo(statement), expected, 'when it is described')
  assert.deepEqual(await answerTo(statement), expected, 'when it is known')
}

test('columns of every type are read as pg reads them', async () => {
  await assertAsPg(sql`
    select 1::int2 as int2, -7 as int4, 9007199254740993 as int8, 1.50::numeric(9, 2) as numeric, 0.1::float8 as float8,
           'NaN'::float4 as float4, true as yes, false as no, 'Ünïcødé € 👍' as text, ''::text as empty, 'ab'::char(4) as padded,
           decode('00ff7f', 'hex') as bytea, '{"a": [1, null, "x"]}'::json as json, '{"b": {"c": 2}}'::jsonb as jsonb,
           '{1,2,null}'::integer[] as integers, '{a,"b c","d\\"e",null,"null"}'::text[] as texts, '{}'::text[] as nothing,
           '{{1,2},{3,4}}'::bigint[] as nested, '{t,f}'::boolean[] as flags, '{1.5}'::numeric[] as numerics,
           timestamptz '2026-11-15 16:05:00.12+02' as at, array[timestamptz '2026-11-15 16:05:00+02'] as times,
           timestamp '2026-11-15 16:05:00' as local, date '2026-11-15' as day, interval '1 day 02:03:04.5' as span,
           time '10:11:12' as clock, '192.168.0.1/24'::inet as inet, '6f2a6f8e-0000-4000-8000-000000000001'::uuid as uuid,
           null::integer as no_number, null::json as no_json, null::timestamptz as no_time, row(1, 'a') as pair,
           1 as twice, null::text as twice, 2 as "Quoted Name", 'x'::name as name, 5::oid as oid`)
})

test('a column may have any name', async () => {
  await assertAsPg(
    sql`select 1 as "it's", 2 as "say ""so""", 3 as "}; throw 1 //", 4 as "\\", 5 as "a\nb", 6 as "\u2028", 7 as "1"`,
  )
  const [row] = await db.query(sql`select 5 as "__proto__"`)
  assert.deepEqual(Object.entries(row ?? {}), [['__proto__', 5]])
  assert.equal(Object.getPrototypeOf(row), Object.prototype)
})

test('empty results, results without columns and missing answers are read as pg reads them', async () => {
  await assertAsPg(sql`select 1 as one where false`)
  await assertAsPg(sql`select from generate_series(1, 3)`)
  await assertAsPg(sql`update notes set text = '' where false`)
  await assertAsPg(sql`select n, repeat('long', n) as long from generate_series(1, 2000) as n`)
  await assertAsPg(sql``)
  await assertAsPg(sql`copy notes to stdout`)
})

test('values of every kind are written as pg writes them', async () => {
  const value = fc.oneof(
    fc.string({ unit: anyCharacter }),
    fc.constantFrom(
      null,
      undefined,
      true,
      false,
      '',
      '\0',
      '\ud800',
      'null',
      Number.NaN,
      Infinity,
      -0,
      1e300,
    ),
    fc.integer(),
    fc.double(),
    fc.bigInt(),
    fc.uint8Array(),
    fc.uint8Array().map((bytes) => Buffer.from(bytes)),
    fc.date({ noInvalidDate: true }),
    fc.jsonValue(),
    fc.array(fc.oneof(fc.string(), fc.constant(null), fc.integer(), fc.array(fc.string()))),
    fc.constantFrom({ toPostgres: () => 'itself' }, { toJSON: () => undefined }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(value, { minLength: 3, maxLength: 3 }), async ([one, two, three]) => {
      await assertAsPg(sql`select ${one}::text as one, ${two}::bytea as two, ${three}::text[] as three`)
      await assertAsPg(sql`select ${one}::text as one, ${two}::text as two, ${three}::json as three`)
    }),
    { numRuns: 40 },
  )
})

test('a value that can’t be written is refused before anything is sent', async () => {
  const loop: Record<string, unknown> = {}
  loop['self'] = loop
  await assert.rejects(db.query(sql`insert into notes values (1, ${loop})`), /circular/)
  await assert.rejects(
    inTransaction(db, (tx) => tx.query(sql`insert into notes values (1, ${loop})`)),
    /circular/,
  )
  assert.deepEqual(await db.query(sql`select id from notes where id = 1`), [])
})

test('an error after some rows is returned as an error, and the statement stays usable', async () => {
  const divide = (by: number): Sql =>
    sql`select 10 / (${by}::integer - n) as ratio from generate_series(1, 3) as n`
  await assertAsPg(divide(3))
  await assertAsPg(divide(5))
  await assertAsPg(divide(2))
  await assertAsPg(divide(5))
})

test('a statement refused at first runs once it can', async () => {
  const late = sql`select id, text from not_yet`
  assert.equal(codeOf(await answerTo(late)), '42P01')
  assert.equal(codeOf(await answerTo(late)), '42P01')
  await db.query(sql`create table not_yet as select 1 as id, 'here' as text`)
  assert.deepEqual(await db.query(late), [{ id: 1, text: 'here' }])
})

test('a table that changes under a prepared statement never gives wrong columns', async () => {
  await db.query(sql`create table changing as select 1 as id, 2 as other`)
  const all = sql`select * from changing`
  const other = sql`select other from changing`
  assert.deepEqual(await db.query(all), [{ id: 1, other: 2 }])
  assert.deepEqual(await db.query(other), [{ other: 2 }])
  await db.query(
    sql`alter table changing alter column other type text using 'two', add column third boolean default true`,
  )
  assert.equal(codeOf(await answerTo(all)), '0A000')
  assert.equal(codeOf(await answerTo(other)), '0A000')
  assert.deepEqual(await db.query(all), [{ id: 1, other: 'two', third: true }])
  assert.deepEqual(await db.query(other), [{ other: 'two' }])
  await db.query(sql`alter table changing rename column third to last`)
  await assert.rejects(inTransaction(db, (tx) => tx.query(all)))
  assert.deepEqual(await inTransaction(db, (tx) => tx.query(all)), [{ id: 1, other: 'two', last: true }])
})

test('begin is sent with the first statement, named or not', async () => {
  const xact = sql`select pg_current_xact_id()::text as id`
  for (const first of [xact, planEachTime(xact)]) {
    const [one, two] = await inTransaction(db, async (tx) => [await tx.query(first), await tx.query(xact)])
    assert.deepEqual(one, two)
    assert.notDeepEqual(await db.query(xact), two)
    const together = await inTransaction(db, (tx) => Promise.all([tx.query(first), tx.query(xact)]))
    assert.deepEqual(together[0], together[1])
  }
})

test('an error in the first statement ends the transaction, even if it is caught', async () => {
  const one = sql`insert into notes values (50, 'one')`
  await inTransaction(db, (tx) => tx.query(one))
  const codes: (string | undefined)[] = []
  await inTransaction(db, async (tx) => {
    for (const statement of [one, sql`insert into notes values (51, 'two')`]) {
      await tx.query(statement).catch((error: unknown) => codes.push(sqlState(error)))
    }
  })
  assert.deepEqual(codes, ['23505', '25P02'])
  assert.deepEqual(await db.query(sql`select id from notes where id in (50, 51)`), [{ id: 50 }])
})

test('a transaction without statements sends nothing to PostgreSQL', async () => {
  const last = sql`select 'the last statement' as text`
  await db.query(last)
  assert.equal(await inTransaction(db, async () => 'done'), 'done')
  await assert.rejects(
    inTransaction(db, async () => {
      throw new Error('changed my mind')
    }),
    /changed my mind/,
  )
  const seen = await onlooker.query<{ query: string }>(sql`
    select query from pg_stat_activity where application_name = 'florin one'`)
  assert.deepEqual(seen, [{ query: last.text }])
})

test('a commit without an answer is abandoned, and its outcome is unknown outside a transaction', async (t) => {
  let nowMs = 0
  t.mock.timers.enable({ apis: ['setTimeout'] })
  t.mock.method(performance, 'now', () => nowMs)
  const proxy = await openTcpProxy(home.url)
  const far = new Database(proxy.url, { poolSize: 1, statementTimeoutMs: 9_000 })
  const outcomes: boolean[] = []
  const note = (error: unknown): void => {
    assert.ok(error instanceof DatabaseUnavailable, String(error))
    assert.match((error.cause as Error).message, /Query read timeout/)
    outcomes.push(error.outcomeUnknown)
  }
  const select = sql`select 1 as one`
  for (const ask of [
    () => far.query(select),
    () => inTransaction(far, (tx) => tx.query(select)),
    () => far.query(planEachTime(select)),
  ]) {
    assert.deepEqual(await far.query(select), [{ one: 1 }])
    proxy.silence()
    let isOver = false
    const asked = ask()
      .catch(note)
      .finally(() => (isOver = true))
    await waitUntil('it is given up', async () => {
      await nextTurn() // it has its connection
      nowMs += 10_000
      t.mock.timers.tick(10_000)
      return isOver
    })
    await asked
    proxy.restore()
  }
  assert.deepEqual(outcomes, [true, false, true])
  assert.deepEqual(await far.query(select), [{ one: 1 }])
  await far.close()
  await proxy.close()
})

function codeOf(answer: Answer): string | undefined {
  return 'code' in answer ? answer.code : undefined
}
