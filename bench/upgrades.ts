import { createReadStream, createWriteStream, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { restoreBackup } from '../src/modules/backup/restore-backup.ts'
import { writeBackup } from '../src/modules/backup/write-backup.ts'
import { startEmbedded } from '../src/platform/postgres/embedded.ts'
import { migrate, readMigrations } from '../src/platform/database/migrate.ts'
import { fillFirst, firstRelease } from '../test/support/releases/fill-first.ts'

// `node bin/run.js bench/upgrades.ts 1000000`: how long each migration takes with so many payments, then a backup and a
// restore. The figures of docs/upgrading.md and docs/backup.md come from here.

const payments = Number(process.argv[2] ?? 1_000_000)
const folder = mkdtempSync(join(tmpdir(), 'florin-upgrades-'))
const embedded = await startEmbedded({ dataDir: folder })
try {
  const known = readMigrations()
  await migrate(embedded.url, known.slice(0, firstRelease))
  await timed(`fill with ${payments} payments`, () => fillFirst(embedded.url, payments))
  for (let count = firstRelease + 1; count <= known.length; count += 1)
    await timed(known[count - 1]?.name ?? '', () => migrate(embedded.url, known.slice(0, count)))
  await copy(embedded.url)
} finally {
  await embedded.stop()
  rmSync(folder, { recursive: true })
}

async function copy(url: string): Promise<void> {
  const file = join(folder, 'backup')
  const { rows } = await timed('backup', () =>
    writeBackup(url, createWriteStream(file), { program: 'bench' }),
  )
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query('create database restored')
  const size = await client.query<{ mb: number }>(
    'select (pg_database_size(current_database()) / 1000000)::integer as mb',
  )
  await client.end()
  process.stdout.write(
    `${rows} rows, database ${size.rows[0]?.mb} MB, file ${statSync(file).size / 1e6} MB\n`,
  )
  await timed('restore', () =>
    restoreBackup(url.replace(/\/florin(\?|$)/, '/restored$1'), createReadStream(file)),
  )
}

async function timed<T>(what: string, work: () => Promise<T>): Promise<T> {
  const from = performance.now()
  const result = await work()
  const memory = Math.round(process.memoryUsage.rss() / 1e6)
  process.stdout.write(
    `${what.padEnd(40)} ${((performance.now() - from) / 1000).toFixed(2)} s, ${memory} MB here\n`,
  )
  return result
}
