import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { guessFirstStatistics } from './first-statistics.ts'
import { sql } from './sql.ts'
import { mayWrite } from './spread/hold-writes.ts'
import { runSpread } from './spread/run-spread.ts'
import { setNoTimeLimit } from './pool/no-time-limit.ts'
import { isSpread, notTheCoordinator, readSpread } from './spread/spread.ts'
import { sqlState, type Database } from './database.ts'

// Forward only: a migration that has run is never edited (its checksum is kept) and never undone. One runner at a
// time holds the advisory lock, so several servers may start at once.

export type Migration = {
  readonly number: number
  readonly name: string
  readonly text: string
  readonly checksum: string
}

export class MigrationRefused extends Error {}

const folder = new URL('./migrations/', import.meta.url)
const undefinedTable = '42P01'
const lockNotAvailable = '55P03'
const lockKey = 4_601_226_337n // any number that nothing else in this database uses

export function readMigrations(from: URL = folder): Migration[] {
  const files = readdirSync(from)
    .filter((file) => file.endsWith('.sql'))
    .toSorted()
  return files.map((file, index) => {
    const number = Number(file.slice(0, 4))
    if (!/^\d{4}_[a-z_]+\.sql$/.test(file) || number !== index + 1) {
      throw new MigrationRefused(`Migration ${file} is out of order: expected number ${index + 1}`)
    }
    const text = readFileSync(new URL(file, from), 'utf8')
    return {
      number,
      name: file.slice(0, -4),
      text,
      checksum: createHash('sha256').update(text).digest('hex'),
    }
  })
}

/**
 * Migrates the schema and returns the names of what ran. `say` gets a line before each step on a database in use:
 * building an index can take minutes, and a start that is silent for minutes looks as if it hung.
 */
export async function migrate(
  url: string,
  migrations: Migration[] = readMigrations(),
  say: (line: string) => void = () => {},
): Promise<string[]> {
  const client = new pg.Client({ connectionString: url, application_name: 'florin migrate' })
  // A connection that breaks fails its statement, which is enough; without a listener it would end the process as well.
  client.on('error', () => {})
  await client.connect()
  try {
    await setNoTimeLimit(client)
    await lockSchema(client)
    const spread = await readSpread(client)
    if (!spread.isCoordinator) throw notTheCoordinator()
    await ensureList(client)
    const applied = await client.query<AppliedMigration>(
      'select number, name, checksum from schema_migrations order by number',
    )
    refuseStrangers(applied.rows, migrations)
    const missing = migrations.slice(applied.rows.length)
    for (const [index, migration] of missing.entries()) {
      if (applied.rows.length > 0)
        say(`Updating the database: step ${index + 1} of ${missing.length}, ${migration.name}`)
      await run(client, migration, isSpread(spread))
    }
    if (missing.length > 0) await guessFirstStatistics(client)
    return missing.map((migration) => migration.name)
  } finally {
    await client.end()
  }
}

/**
 * Until the connection ends, only one process changes or distributes the schema. It polls for the lock: waiting inside
 * a statement would hold a snapshot, and building an index without locking waits for every older snapshot to end.
 */
export async function lockSchema(client: pg.Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ mine: boolean }>('select pg_try_advisory_lock($1) as mine', [
      lockKey,
    ])
    if (rows[0]?.mine === true) return
    await pause(turnPauseMs)
  }
}

/** Looked for first: a role that may read and write rows alone can start on a database that is up to date. */
async function ensureList(client: pg.Client): Promise<void> {
  const found = await client.query(`select where to_regclass('schema_migrations') is not null`)
  if (found.rowCount !== 0) return
  await client.query(`
    create table if not exists schema_migrations (
      number integer primary key,
      name text not null,
      checksum text not null,
      applied_at timestamptz not null default now()
    )`)
}

/** True when the schema is exactly the one this program was written for. */
export async function isMigrated(database: Database, migrations: readonly Migration[]): Promise<boolean> {
  const rows = await appliedMigrations(database)
  return (
    rows.length === migrations.length &&
    rows.every((row, index) => row.checksum === migrations[index]?.checksum)
  )
}

/**
 * True when everything this program needs has run; what a newer release added since does not stop it. Without this
 * the first server of a new release would make all running ones of the old release call themselves not ready.
 */
export async function hasMigrations(database: Database, migrations: readonly Migration[]): Promise<boolean> {
  const rows = await appliedMigrations(database)
  return migrations.every((migration, index) => rows[index]?.checksum === migration.checksum)
}

async function appliedMigrations(database: Database): Promise<AppliedMigration[]> {
  try {
    return await database.query<AppliedMigration>(
      sql`select number, name, checksum from schema_migrations order by number`,
    )
  } catch (error) {
    if (sqlState(error) === undefinedTable) return []
    throw error
  }
}

type AppliedMigration = { number: number; name: string; checksum: string }

function refuseStrangers(applied: AppliedMigration[], known: Migration[]): void {
  const last = applied.at(-1)
  if (last && last.number > known.length) {
    throw new MigrationRefused(
      `The database is at migration ${last.name}, newer than this version (${known.at(-1)?.name ?? 'none'}). Start the newer version.`,
    )
  }
  for (const [index, row] of applied.entries()) {
    if (row.checksum !== known[index]?.checksum) {
      throw new MigrationRefused(
        `Migration ${row.name} was changed after it ran. Restore the file and write a new migration.`,
      )
    }
  }
}

// While a migration waits for a lock on a table that a backup or a long report is using, every request for that table
// waits behind it. So a migration waits for less time than a request does, gives up, which lets the requests pass, and
// tries again.
const lockWaitMs = 1_000
const pauseBetweenTriesMs = 500
const triesMax = 400 // some ten minutes
const turnPauseMs = 100

async function run(client: pg.Client, migration: Migration, onCluster: boolean): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      if (migration.text.startsWith(inSteps)) return await runSteps(client, migration)
      return await runOnce(client, migration, onCluster)
    } catch (error) {
      const isLocked = sqlState((error as Error).cause) === lockNotAvailable
      if (!isLocked || tries >= triesMax) throw error
      await pause(pauseBetweenTriesMs)
    }
  }
}

/**
 * The first line of a migration whose statements run one by one, outside a transaction, since they take long on a large
 * table and lock nothing: `create index concurrently`. Each can be run again, after an end in the middle.
 */
const inSteps = '-- in steps'

async function runSteps(client: pg.Client, migration: Migration): Promise<void> {
  const statements = migration.text
    .replaceAll(/--.*/g, '')
    .split(';')
    .filter((statement) => statement.trim() !== '')
  try {
    // No limit on waiting: it waits for old transactions to end, and nothing waits for it.
    for (const statement of statements) await client.query(statement)
    await note(client, migration)
  } catch (error) {
    throw refused(migration, error)
  }
}

async function note(client: pg.Client, { number, name, checksum }: Migration): Promise<void> {
  await client.query('insert into schema_migrations (number, name, checksum) values ($1, $2, $3)', [
    number,
    name,
    checksum,
  ])
}

function refused({ name }: Migration, error: unknown): MigrationRefused {
  return new MigrationRefused(`Migration ${name} failed: ${(error as Error).message}`, { cause: error })
}

async function runOnce(client: pg.Client, migration: Migration, onCluster: boolean): Promise<void> {
  await client.query('begin')
  try {
    await client.query(`set local lock_timeout = ${lockWaitMs}`)
    if (onCluster) {
      await client.query(mayWrite.text)
      await runSpread(client, migration.text)
    } else await client.query(migration.text)
    await note(client, migration)
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw refused(migration, error)
  }
}
