import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { finished } from 'node:stream/promises'
import type { Writable } from 'node:stream'
import { constants, createGzip } from 'node:zlib'
import type pg from 'pg'
import { beginAtOneMoment } from './begin-at-one-moment.ts'
import { readMigrations, type Migration } from '../../platform/database/migrate.ts'
import { BackupRefused } from './backup-refused.ts'
import { connectToCopy, cut } from './connect.ts'
import { copyOut } from './copy.ts'
import { endOfRows, firstLine, type End, type Head, type Sequence, type TableHead } from './format.ts'
import { tableNamesOf } from '../../platform/database/table-names.ts'
import { describeTables, quoted, type Table } from './tables.ts'

export type Progress = { readonly table: string; readonly rows: number; readonly bytes: number }

export type BackupOptions = {
  readonly program: string
  readonly onProgress?: (progress: Progress) => void
  /** The snapshot exists, and nothing was read from it yet. */
  readonly onSnapshot?: (name: string) => Promise<void>
}

export type BackupFacts = { readonly at: string; readonly tables: number; readonly rows: number }

/**
 * Writes all of the database as it is at one moment, while it is being used, into `sink`, and ends it. Nothing waits for
 * a backup but a migration.
 */
export async function writeBackup(url: string, sink: Writable, options: BackupOptions): Promise<BackupFacts> {
  const client = await connectToCopy(url, 'florin backup')
  const packed = createGzip({ level: constants.Z_BEST_SPEED })
  packed.pipe(sink)
  sink.on('error', (error) => packed.destroy(error))
  // The caller gets this error from `written`. Without a listener it would end the process as well.
  packed.on('error', () => {})
  const written = finished(sink)
  written.catch(() => {})
  try {
    const checkPlaces = await beginAtOneMoment(client, url)
    const migrations = await runMigrations(client)
    const { rows } = await client.query<{ name: string; version: string; at: string }>(`
      select pg_export_snapshot() as name, current_setting('server_version') as version, now()::text as at`)
    const { name: snapshot = '', version = '', at = '' } = rows[0] ?? {}
    await options.onSnapshot?.(snapshot)
    const head = {
      program: options.program,
      postgres: version,
      at: new Date(at).toISOString(),
      migrations: migrations.map(({ name, checksum }) => ({ name, checksum })),
    }
    const tables = await describeTables(client, tableNamesOf(migrations))
    const counts = await writeTables(client, makeWriter(packed), head, tables, options.onProgress)
    await checkPlaces()
    await client.end()
    packed.end()
    await written
    return { at: head.at, tables: tables.length, rows: counts }
  } catch (error) {
    packed.destroy()
    sink.destroy()
    cut(client)
    throw error
  }
}

type Writer = { write(bytes: Buffer | string): Promise<void>; sha256(): string; bytes(): number }

function makeWriter(stream: Writable): Writer {
  const hash = createHash('sha256')
  let bytes = 0
  return {
    async write(text) {
      const chunk = typeof text === 'string' ? Buffer.from(text) : text
      hash.update(chunk)
      bytes += chunk.length
      if (stream.destroyed) throw stream.errored ?? new Error('Could not write the backup')
      // A disk that is full destroys the stream, which then never drains: once() fails instead.
      if (!stream.write(chunk)) await once(stream, 'drain', { signal: closedSignal(stream) })
    },
    sha256: () => hash.copy().digest('hex'),
    bytes: () => bytes,
  }
}

const closed = new WeakMap<Writable, AbortSignal>()

function closedSignal(stream: Writable): AbortSignal {
  const known = closed.get(stream)
  if (known) return known
  const controller = new AbortController()
  stream.once('close', () => controller.abort(stream.errored ?? undefined))
  closed.set(stream, controller.signal)
  return controller.signal
}

async function writeTables(
  client: pg.Client,
  writer: Writer,
  head: Head,
  tables: readonly Table[],
  onProgress: (progress: Progress) => void = () => {},
): Promise<number> {
  await writer.write(`${firstLine}\n${JSON.stringify(head)}\n`)
  const counts: Record<string, number> = {}
  let sum = 0
  for (const { name, columns } of tables) {
    await writer.write(`table ${JSON.stringify({ name, columns } satisfies TableHead)}\n`)
    const list = columns.map(quoted).join(', ')
    const count = await copyOut(client, `copy ${quoted(name)} (${list}) to stdout`, async (rows, some) => {
      await writer.write(rows)
      sum += some
      onProgress({ table: name, rows: sum, bytes: writer.bytes() })
    })
    await writer.write(endOfRows)
    counts[name] = count
  }
  const sequences = await readSequences(client, tables)
  const end: End = { rows: counts, sequences, sha256: writer.sha256() }
  await writer.write(`end ${JSON.stringify(end)}\n`)
  return Object.values(counts).reduce((all, one) => all + one, 0)
}

/** Later than the snapshot, if anything: a number that was drawn meanwhile is left out, never drawn twice. */
async function readSequences(client: pg.Client, tables: readonly Table[]): Promise<Sequence[]> {
  const sequences: Sequence[] = []
  for (const { name: table, counted } of tables)
    for (const column of counted) {
      const { rows: found } = await client.query<{ name: string }>(
        'select pg_get_serial_sequence($1, $2) as name',
        [quoted(table), column],
      )
      const { rows } = await client.query<{ value: string; called: boolean }>(
        `select last_value::text as value, is_called as called from ${found[0]?.name ?? ''}`,
      )
      sequences.push({ table, column, value: rows[0]?.value ?? '1', isCalled: rows[0]?.called ?? false })
    }
  return sequences
}

/** Migrations that have run. They must all be ours; some of ours may not have run yet. */
async function runMigrations(client: pg.Client): Promise<Migration[]> {
  const list = await client.query<{ there: boolean }>(
    `select to_regclass('schema_migrations') is not null as there`,
  )
  if (list.rows[0]?.there !== true)
    throw new BackupRefused('Nothing to back up: Florin has never used this database.')
  const { rows } = await client.query<{ name: string; checksum: string }>(
    'select name, checksum from schema_migrations order by number',
  )
  const known = readMigrations()
  const stranger = rows.find(({ checksum }, index) => checksum !== known[index]?.checksum)
  if (stranger)
    throw new BackupRefused(
      `The database is at migration ${stranger.name}, which this version does not know. Back it up with the version that runs on it.`,
    )
  return known.slice(0, rows.length)
}
