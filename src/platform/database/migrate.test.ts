import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { pathToFileURL } from 'node:url'
import { createEmptyDatabase } from '../../../test/support/empty-database.ts'
import { waitUntil } from '../../../test/support/wait-until.ts'
import { dumpSchema } from '../../../test/support/dump-schema.ts'
import { Database } from './database.ts'
import {
  hasMigrations,
  isMigrated,
  migrate,
  MigrationRefused,
  readMigrations,
  type Migration,
} from './migrate.ts'
import { sql } from './sql.ts'

const first = migration(1, 'create table a (id integer primary key);')
const second = migration(2, 'create table b (id integer primary key); insert into b values (1);')

test('migrations run in order, once, and are reported', async (t) => {
  const db = await open(t)
  assert.deepEqual(await migrate(db.url, [first]), ['0001_step'])
  assert.deepEqual(await migrate(db.url, [first, second]), ['0002_step'])
  assert.deepEqual(await migrate(db.url, [first, second]), [])
  assert.deepEqual(await db.query(sql`select id from b`), [{ id: 1 }])
})

test('an update reports each step and the total; a new database is set up silently', async (t) => {
  const db = await open(t)
  const lines: string[] = []
  const say = (line: string): void => void lines.push(line)
  await migrate(db.url, [first], say)
  assert.deepEqual(lines, [])
  await migrate(db.url, [first, second, migration(3, 'select 1')], say)
  assert.deepEqual(lines, [
    'Updating the database: step 1 of 2, 0002_step',
    'Updating the database: step 2 of 2, 0003_step',
  ])
})

test('a migration edited after it ran is refused, and nothing runs', async (t) => {
  const db = await open(t)
  await migrate(db.url, [first])
  const edited = migration(1, `${first.text} -- harmless`)
  await assert.rejects(
    migrate(db.url, [edited, second]),
    refusal(/^Migration 0001_step was changed after it ran/),
  )
  assert.equal(await exists(db, 'b'), false)
})

test('an older program refuses a newer schema', async (t) => {
  const db = await open(t)
  await migrate(db.url, [first, second])
  await assert.rejects(
    migrate(db.url, [first]),
    refusal(/is at migration 0002_step, newer than this version \(0001_step\)/),
  )
  assert.equal(await isMigrated(db, [first]), false)
  assert.equal(await isMigrated(db, [first, second]), true)
})

test('a running server keeps working after a newer release migrates', async (t) => {
  const db = await open(t)
  assert.equal(await hasMigrations(db, [first]), false)
  await migrate(db.url, [first, second])
  assert.equal(await hasMigrations(db, [first]), true)
  assert.equal(await hasMigrations(db, [migration(1, 'select 1'), second]), false)
})

test('an index is built in steps while others write, by only one runner, and resumes after an interruption', async (t) => {
  const db = await open(t)
  const steps = migration(
    2,
    '-- in steps\ndrop index concurrently if exists a_twice;\ncreate unique index concurrently a_twice on a ((id / 2));',
  )
  await migrate(db.url, [first])
  await db.query(sql`insert into a values (2), (3)`)
  await assert.rejects(migrate(db.url, [first, steps]), refusal(/could not create unique index/))
  assert.deepEqual(await isValid(db, 'a_twice'), [{ valid: false }])
  await db.query(sql`delete from a where id = 3`)

  const writer = await db.connect(undefined)
  await writer.client.query('begin; insert into a values (100)')
  const running = Promise.all([migrate(db.url, [first, steps]), migrate(db.url, [first, steps])])
  try {
    // It waits for the writer, and nobody waits for it.
    await db.query(sql`insert into a values (200)`)
  } finally {
    await writer.client.query('commit')
    writer.end(undefined)
  }
  assert.deepEqual((await running).flat(), ['0002_step'])
  assert.deepEqual(await isValid(db, 'a_twice'), [{ valid: true }])
})

async function isValid(db: Database, index: string): Promise<unknown[]> {
  return db.query(sql`select indisvalid as valid from pg_index where indexrelid = ${index}::regclass`)
}

test('a migration lets others pass while a long transaction holds its table', async (t) => {
  const db = await open(t)
  await migrate(db.url, [first])
  const backup = await db.connect(undefined)
  await backup.client.query('begin; select id from a')
  const migrating = migrate(db.url, [first, migration(2, 'alter table a add column note text;')])
  const tries = new Set<string>()
  const triesTwice = waitUntil(
    'the migration has waited for the table, given up and tried again',
    async () => {
      const waiting = await db.query<{ began: string }>(sql`
      select query_start::text as began from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and query like '%alter table a add%'`)
      for (const { began } of waiting) tries.add(began)
      return tries.size >= 2
    },
  )
  let asked = 0
  try {
    // Each insert may meet the migration while that waits for the table, and none may wait for the backup: it would
    // wait in vain, as the backup ends after them.
    for (; tries.size < 2 || asked < 2; asked += 1) await db.query(sql`insert into a values (${asked})`)
    await triesTwice
  } finally {
    await backup.client.query('commit')
    backup.end(undefined)
  }
  assert.deepEqual(await migrating, ['0002_step'])
})

test('a database that was never migrated is not ready, but that is no error', async (t) => {
  const db = await open(t)
  assert.equal(await isMigrated(db, [first]), false)
})

test('runners that start together run each migration once', async (t) => {
  const db = await open(t)
  const ran = await Promise.all(Array.from({ length: 5 }, () => migrate(db.url, [first, second])))
  assert.deepEqual(ran.flat().toSorted(), ['0001_step', '0002_step'])
  assert.deepEqual(await db.query(sql`select count(*)::integer as n from b`), [{ n: 1 }])
})

test('a failed migration leaves nothing behind and keeps the earlier ones', async (t) => {
  const db = await open(t)
  const failing = migration(2, 'create table b (id integer); insert into b values (1); select 1 / 0;')
  await assert.rejects(
    migrate(db.url, [first, failing]),
    refusal(/^Migration 0002_step failed: division by zero$/),
  )
  assert.equal(await exists(db, 'a'), true)
  assert.equal(await exists(db, 'b'), false)
  assert.deepEqual(await migrate(db.url, [first, second]), ['0002_step'], 'mended, it runs')
})

test('migration files must be numbered without gaps and plainly named', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'florin-migrations-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const from = pathToFileURL(`${folder}/`)
  writeFileSync(join(folder, '0001_first.sql'), 'select 1')
  writeFileSync(join(folder, 'notes.txt'), '')
  assert.deepEqual(
    readMigrations(from).map((found) => found.name),
    ['0001_first'],
  )
  writeFileSync(join(folder, '0003_third.sql'), 'select 1')
  assert.throws(() => readMigrations(from), refusal(/0003_third.sql is out of order: expected number 2/))
})

test('schema.sql matches the migrations (update it with npm run schema)', async (t) => {
  const db = await open(t)
  await migrate(db.url)
  assert.equal(await dumpSchema(db), readFileSync(new URL('./schema.sql', import.meta.url), 'utf8'))
})

function migration(number: number, text: string): Migration {
  const checksum = createHash('sha256').update(text).digest('hex')
  return { number, name: `${String(number).padStart(4, '0')}_step`, text, checksum }
}

function refusal(message: RegExp): (error: unknown) => boolean {
  return (error) => {
    assert.ok(error instanceof MigrationRefused, String(error))
    assert.match(error.message, message)
    return true
  }
}

async function open(t: TestContext): Promise<Database> {
  const home = await createEmptyDatabase()
  const db = new Database(home.url)
  t.after(async () => {
    await db.close()
    await home.drop()
  })
  return db
}

async function exists(db: Database, table: string): Promise<boolean> {
  const rows = await db.query<{ there: boolean }>(sql`select to_regclass(${table}) is not null as there`)
  return rows[0]?.there === true
}
