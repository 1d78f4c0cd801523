import { createReadStream } from 'node:fs'
import type { Readable } from 'node:stream'
import type { Config } from '../../settings/config.ts'
import { BackupRefused } from '../../backup/backup-refused.ts'
import { restoreBackup, type RestoredFacts } from '../../backup/restore-backup.ts'
import { Database } from '../../database/database.ts'
import { currentKeyId } from '../../secrets/check-key.ts'
import { SecretsRefused } from '../../secrets/secrets-refused.ts'
import { openKeyRing } from '../reach/open-key-ring.ts'
import { withDatabaseUrl } from '../reach/with-database.ts'
import { flag, readArguments, UsageMistake } from '../terminal/arguments.ts'
import { print, say } from '../terminal/print.ts'
import { showProgress } from './progress.ts'
import { standard } from '../terminal/standard.ts'

export const restoreHelp = `florin restore FILE [--json]

  Fills an empty database with what florin backup wrote: the one that
  DATABASE_URL names, or a new embedded one in DATA_DIR. The version of
  PostgreSQL may be another. - means standard input. All of it is restored or
  nothing; the schema is brought up to date afterwards.

  A server that is started on it goes on where the backup stopped: it sends what
  was waiting to be sent, and asks networks about payments. Do not start one
  while another runs on the original.`

export async function restore(config: Config, args: string[]): Promise<void> {
  const parsed = readArguments(args, { json: { type: 'boolean' } }, 1)
  const [file] = parsed.words
  if (file === undefined)
    throw new UsageMistake('Say from where: florin restore FILE, or - for standard input')
  const facts = await withDatabaseUrl(config, async (url) => restoreFrom(config, url, file), {
    mayCreate: true,
    asOwner: true,
    asItIs: true,
  })
  if (flag(parsed, 'json')) return print(JSON.stringify(facts))
  print(`Restored ${facts.rows} rows, as of ${facts.at}, from a backup by Florin ${facts.program}`)
  if (facts.migrated.length > 0) print(`Then brought up to date: ${facts.migrated.join(', ')}`)
}

async function restoreFrom(config: Config, url: string, file: string): Promise<RestoredFacts> {
  const progress = showProgress('Restoring')
  try {
    const facts = await restoreBackup(url, openSource(file), { onProgress: progress.show })
    progress.clear()
    await warnOfMissingKey(config, url)
    return facts
  } catch (error) {
    throw asRefusal(file, error)
  } finally {
    progress.clear()
  }
}

function openSource(file: string): Readable {
  if (file !== '-') return createReadStream(file, { highWaterMark: 1024 * 1024 })
  if (standard().stdin.isTTY) throw new UsageMistake('Standard input is a terminal: give a file, or send one')
  return standard().stdin
}

function asRefusal(file: string, error: unknown): unknown {
  const { code, syscall, message } = error as NodeJS.ErrnoException
  const isOfFile = code !== undefined && (syscall === 'open' || syscall === 'read')
  return isOfFile ? new BackupRefused(`${file} could not be read: ${message}`) : error
}

/** The rows are there; what is sealed in them can't be opened without its key, which no backup holds. */
async function warnOfMissingKey(config: Config, url: string): Promise<void> {
  const db = new Database(url, {
    poolSize: 2,
    waitMs: config.DATABASE_WAIT_MS,
    statementTimeoutMs: config.REQUEST_TIMEOUT_MS,
    name: 'florin restore',
  })
  try {
    if ((await currentKeyId(db)) !== undefined) await openKeyRing(config, db)
  } catch (error) {
    if (!(error instanceof SecretsRefused)) throw error
    say(
      `Everything was restored, but no server will start on it without the key of that time. ${error.message}`,
    )
  } finally {
    await db.close()
  }
}
