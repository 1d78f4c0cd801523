import { createReadStream } from 'node:fs'
import type { Readable } from 'node:stream'
import type { Config } from '../../../platform/settings/config.ts'
import { BackupRefused } from '../backup-refused.ts'
import { restoreBackup, type RestoredFacts } from '../restore-backup.ts'
import { Database } from '../../../platform/database/database.ts'
import { currentKeyId } from '../../../platform/secrets/check-key.ts'
import { SecretsRefused } from '../../../platform/secrets/secrets-refused.ts'
import { openKeyRing } from '../../../cli/reach/open-key-ring.ts'
import { withDatabaseUrl } from '../../../cli/reach/with-database.ts'
import { flag, readArguments, UsageMistake } from '../../../cli/terminal/arguments.ts'
import { print, printLine } from '../../../cli/terminal/print.ts'
import { showProgress } from './progress.ts'
import { standard } from '../../../cli/terminal/standard.ts'

export const restoreHelp = `florin restore FILE [--json]

  Restores a backup into an empty database: the one in DATABASE_URL, or a new
  embedded one in DATA_DIR. The version of PostgreSQL may differ. - means
  standard input. Either everything is restored or nothing; migrations run
  afterwards.

  A server on the restored database continues where the backup ended: it sends
  waiting notifications and asks networks about payments. Do not start one while
  a server still runs on the original.`

export async function restore(config: Config, args: string[]): Promise<void> {
  const parsed = readArguments(args, { json: { type: 'boolean' } }, 1)
  const [file] = parsed.words
  if (file === undefined) throw new UsageMistake('Name a file: florin restore FILE, or - for standard input')
  const facts = await withDatabaseUrl(config, async (url) => restoreFrom(config, url, file), {
    mayCreate: true,
    asOwner: true,
    asItIs: true,
  })
  if (flag(parsed, 'json')) return print(JSON.stringify(facts))
  print(`Restored ${facts.rows} rows, as of ${facts.at}, from a backup by Florin ${facts.program}`)
  if (facts.migrated.length > 0) print(`Then migrated: ${facts.migrated.join(', ')}`)
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
  if (standard().stdin.isTTY)
    throw new UsageMistake('Standard input is a terminal: name a file, or pipe one in')
  return standard().stdin
}

function asRefusal(file: string, error: unknown): unknown {
  const { code, syscall, message } = error as NodeJS.ErrnoException
  const isOfFile = code !== undefined && (syscall === 'open' || syscall === 'read')
  return isOfFile ? new BackupRefused(`${file} could not be read: ${message}`) : error
}

/** The rows are restored, but the secrets in them can't be opened without their key, which no backup holds. */
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
    printLine(`Everything was restored, but a server needs the key from that time to start. ${error.message}`)
  } finally {
    await db.close()
  }
}
