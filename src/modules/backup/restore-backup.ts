import type { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import pg from 'pg'
import { migrate, readMigrations, type Migration } from '../../platform/database/migrate.ts'
import { sqlState } from '../../platform/database/database.ts'
import { BackupRefused } from './backup-refused.ts'
import { connectToCopy, cut } from './connect.ts'
import { copyIn } from './copy.ts'
import { BackupReader, type End, type Head, type TableHead } from './format.ts'
import { tableNamesOf } from '../../platform/database/table-names.ts'
import { describeTables, quoted, type Table } from './tables.ts'
import type { Progress } from './write-backup.ts'

export type RestoreOptions = { readonly onProgress?: (progress: Progress) => void }
export type RestoredFacts = {
  readonly at: string
  readonly program: string
  readonly rows: number
  /** What ran after the rows were restored. */
  readonly migrated: readonly string[]
}

/**
 * Fills an empty database with a backup: the schema of that time, all rows in one transaction, then what this program
 * adds to the schema. A restore that fails leaves empty tables, and can be begun again.
 */
export async function restoreBackup(
  url: string,
  source: Readable,
  options: RestoreOptions = {},
): Promise<RestoredFacts> {
  const unpacked = createGunzip()
  source.on('error', (error) => unpacked.destroy(error))
  source.pipe(unpacked)
  const reader = new BackupReader(unpacked)
  try {
    const head = await reader.head()
    const migrations = migrationsOf(head)
    await refuseUsed(url, migrations)
    await migrate(url, migrations)
    const rows = await fill(url, reader, migrations, options.onProgress)
    return { at: head.at, program: head.program, rows, migrated: await migrate(url) }
  } finally {
    source.destroy()
    unpacked.destroy()
  }
}

/**
 * Migrations that had run when the backup was made. They must be the first of ours, or the backup is from a newer
 * program.
 */
function migrationsOf(head: Head): Migration[] {
  const known = readMigrations()
  const stranger = head.migrations.find(({ checksum }, index) => checksum !== known[index]?.checksum)
  if (stranger)
    throw new BackupRefused(
      `The backup was made by Florin ${head.program}, with migration ${stranger.name}, which this version does not know. Restore it with that version or a newer one.`,
    )
  return known.slice(0, head.migrations.length)
}

async function refuseUsed(url: string, migrations: readonly Migration[]): Promise<void> {
  const client = await connectToCopy(url, 'florin restore')
  try {
    const names = [...new Set([...tableNamesOf(readMigrations()), ...tableNamesOf(migrations)])]
    const { rows } = await client.query<{ name: string }>(
      'select name from unnest($1::text[]) as asked (name) where to_regclass(name) is not null order by name',
      [names],
    )
    for (const { name } of rows) {
      // Not exists(…), which a cluster does not ask of all its nodes.
      const found = await client.query(`select 1 from ${quoted(name)} limit 1`)
      if (found.rows.length > 0)
        throw new BackupRefused(
          `The database is not empty: ${name} has rows. Create an empty database and set DATABASE_URL to it, or set DATA_DIR to a new folder.`,
        )
    }
    if (rows.length > 0) await refuseNewerSchema(client, migrations)
  } finally {
    await client.end()
  }
}

/**
 * There may already be empty tables, of this schema or an older one: tables are distributed over a cluster before the
 * restore.
 */
async function refuseNewerSchema(client: pg.Client, migrations: readonly Migration[]): Promise<void> {
  const { rows } = await client.query<{ count: number }>(
    'select count(*)::integer as count from schema_migrations',
  )
  if ((rows[0]?.count ?? 0) > migrations.length)
    throw new BackupRefused(
      `The backup is of an older schema (${migrations.at(-1)?.name}) than the empty tables in this database. Restore it into a database without tables; Florin migrates it afterwards.`,
    )
}

async function fill(
  url: string,
  reader: BackupReader,
  migrations: readonly Migration[],
  onProgress: (progress: Progress) => void = () => {},
): Promise<number> {
  const client = await connectToCopy(url, 'florin restore')
  try {
    await client.query('begin')
    const tables = await describeTables(client, tableNamesOf(migrations))
    const counts: Record<string, number> = {}
    let sum = 0
    for (let part = await reader.next(); ; part = await reader.next()) {
      if ('end' in part) {
        await finish(client, part.end, counts, tables)
        break
      }
      const table = checkTable(part.table, tables, counts)
      counts[table.name] = await fillTable(client, table, reader, (count) => {
        sum += count
        onProgress({ table: table.name, rows: sum, bytes: reader.bytes })
      })
    }
    await client.query('commit')
    await client.query('analyze')
    await client.end()
    return Object.values(counts).reduce((all, one) => all + one, 0)
  } catch (error) {
    // Without a commit the server forgets all of it.
    cut(client)
    throw asAltered(error)
  }
}

/** A row that PostgreSQL doesn't take: no backup holds one, unless it was changed after it was written. */
function asAltered(error: unknown): unknown {
  const state = sqlState(error)
  if (!(error instanceof pg.DatabaseError) || !/^2[23]/.test(state ?? '')) return error
  const [, table = error.table, column] =
    /^COPY (\w+), line \d+(?:, column (\w+))?/.exec(error.where ?? '') ?? []
  const place = column === undefined ? table : `${table}, column ${column}`
  return new BackupRefused(
    `The backup was changed after it was written, or is damaged: PostgreSQL refuses a row of ${place} (${error.message}). Nothing was restored.`,
    { cause: error },
  )
}

/** Names go into statements, so they are compared with what is there. */
function checkTable(
  given: TableHead,
  tables: readonly Table[],
  done: Readonly<Record<string, number>>,
): TableHead {
  const table = tables.find(({ name }) => name === given.name)
  const isSame =
    table !== undefined &&
    given.columns.length === table.columns.length &&
    given.columns.every((column) => table.columns.includes(column))
  if (!isSame || Object.hasOwn(done, given.name))
    throw new BackupRefused(
      `The backup holds ${given.name} with columns that its schema does not have. Nothing was restored.`,
    )
  return given
}

// PostgreSQL remembers a check for each row until its COPY ends. So that it never remembers millions, a table is copied in
// pieces, all in the one transaction.
const pieceBytes = 16 * 1024 * 1024

async function fillTable(
  client: pg.Client,
  { name, columns }: TableHead,
  reader: BackupReader,
  onRows: (count: number) => void,
): Promise<number> {
  const text = `copy ${quoted(name)} (${columns.map(quoted).join(', ')}) from stdin`
  let sum = 0
  for (;;) {
    const { count, isLast } = await fillPiece(client, text, reader)
    sum += count
    onRows(count)
    if (isLast) return sum
  }
}

async function fillPiece(
  client: pg.Client,
  text: string,
  reader: BackupReader,
): Promise<{ count: number; isLast: boolean }> {
  let bytes = 0
  let isLast = false
  const count = await copyIn(client, text, async () => {
    if (bytes >= pieceBytes) return undefined
    const rows = await reader.rows()
    isLast = rows === undefined
    bytes += rows?.length ?? 0
    return rows
  })
  return { count, isLast }
}

async function finish(
  client: pg.Client,
  end: End,
  counts: Readonly<Record<string, number>>,
  tables: readonly Table[],
): Promise<void> {
  const differing = tables.find(({ name }) => counts[name] === undefined || counts[name] !== end.rows[name])
  if (differing)
    throw new BackupRefused(
      `The backup should have ${end.rows[differing.name] ?? 'no'} rows of ${differing.name}, but has ${counts[differing.name] ?? 'none'}. Nothing was restored.`,
    )
  for (const { table, column, value, isCalled } of end.sequences)
    await client.query('select setval(pg_get_serial_sequence($1, $2), $3::bigint, $4)', [
      quoted(table),
      column,
      value,
      isCalled,
    ])
}
