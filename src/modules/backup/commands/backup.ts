import { closeSync, createWriteStream, existsSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Writable } from 'node:stream'
import type { Config } from '../../../platform/settings/config.ts'
import { BackupRefused } from '../backup-refused.ts'
import { noteBackup } from '../../../platform/database/watch/installation-times.ts'
import { writeBackup, type BackupFacts } from '../write-backup.ts'
import { Database } from '../../../platform/database/database.ts'
import { programVersion } from '../../../platform/settings/version.ts'
import { flag, readArguments, UsageMistake } from '../../../cli/terminal/arguments.ts'
import { print, printLine } from '../../../cli/terminal/print.ts'
import { withDatabase, withDatabaseUrl } from '../../../cli/reach/with-database.ts'
import { showProgress } from './progress.ts'
import { standard } from '../../../cli/terminal/standard.ts'

export const backupHelp = `florin backup FILE [--json]
florin backup --noted

  Writes a consistent snapshot of the whole database to FILE while servers keep
  running. FILE must not exist yet; - means standard output. FILE appears once
  the backup is complete. It contains personal data, so only its owner can read
  it (mode 0600).

  Secrets stay encrypted in it. Keep their key in another place: SECRETS_KEY,
  the file named by SECRETS_KEY_FILE, or secrets.key in DATA_DIR.

  --noted   write no backup, only record that another tool has just made one`

export async function backup(config: Config, args: string[]): Promise<void> {
  const parsed = readArguments(args, { json: { type: 'boolean' }, noted: { type: 'boolean' } }, 1)
  const [file] = parsed.words
  if (flag(parsed, 'noted')) {
    if (file !== undefined) throw new UsageMistake('--noted writes no file: leave FILE out')
    return withDatabase(config, async (db) => noteBackup(db))
  }
  if (file === undefined) throw new UsageMistake('Name a file: florin backup FILE, or - for standard output')
  const facts = await withDatabaseUrl(config, async (url) => backUpTo(config, url, file), {
    asOwner: true,
    asItIs: true,
  })
  if (flag(parsed, 'json') && file !== '-') return print(JSON.stringify({ file, ...facts }))
  const line = `Backed up ${facts.rows} rows of ${facts.tables} tables, as of ${facts.at}`
  if (file === '-') printLine(line)
  else print(`${line}, to ${file}`)
}

async function backUpTo(config: Config, url: string, file: string): Promise<BackupFacts> {
  const progress = showProgress('Backing up')
  try {
    const facts = await (file === '-' ? toStandardOutput : toFile)(file, (sink) =>
      writeBackup(url, sink, { program: programVersion(), onProgress: progress.show }),
    )
    progress.clear()
    await note(config, url)
    return facts
  } finally {
    progress.clear()
  }
}

type Write = (sink: Writable) => Promise<BackupFacts>

async function toStandardOutput(_file: string, write: Write): Promise<BackupFacts> {
  if (standard().stdout.isTTY)
    throw new UsageMistake('Refusing to write a backup to the terminal: send it to a file or a program')
  return write(createWriteStream('', { fd: 1, autoClose: false }))
}

/** Under another name until it is whole and on the disk: a file that looks like a backup is one. */
async function toFile(file: string, write: Write): Promise<BackupFacts> {
  if (existsSync(file)) throw new BackupRefused(`${file} already exists. Choose another name.`)
  const unfinished = `${file}.part`
  const descriptor = open(unfinished)
  const remove = (): void => rmSync(unfinished, { force: true })
  const stopped = (): never => {
    remove()
    process.exit(130)
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, stopped)
  try {
    const facts = await write(createWriteStream('', { fd: descriptor, autoClose: false }))
    fsyncSync(descriptor)
    renameSync(unfinished, file)
    syncFolder(dirname(file))
    return facts
  } catch (error) {
    remove()
    throw asRefusal(file, error)
  } finally {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.off(signal, stopped)
    closeSync(descriptor)
  }
}

function open(file: string): number {
  try {
    return openSync(file, 'wx', 0o600)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST')
      throw new BackupRefused(
        `${file} exists: another backup is running, or one was interrupted. Remove the file if no backup is running.`,
      )
    throw asRefusal(file, error)
  }
}

/** A rename is on the disk when its folder is. */
function syncFolder(folder: string): void {
  const descriptor = openSync(folder, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/** A file system error is reported in one line, not as a bug with a stack trace. */
function asRefusal(file: string, error: unknown): unknown {
  const { code, syscall, message } = error as NodeJS.ErrnoException
  const isOfFile = code !== undefined && ['open', 'write', 'fsync', 'rename'].includes(syscall ?? '')
  return isOfFile ? new BackupRefused(`${file} could not be written: ${message}`) : error
}

/** The backup is whole, whatever becomes of the note. */
async function note(config: Config, url: string): Promise<void> {
  const db = new Database(url, {
    poolSize: 1,
    waitMs: config.DATABASE_WAIT_MS,
    statementTimeoutMs: config.REQUEST_TIMEOUT_MS,
    name: 'florin backup',
  })
  try {
    await noteBackup(db)
  } catch (error) {
    printLine(`The backup is complete, but Florin could not record it: ${(error as Error).message}`)
  } finally {
    await db.close()
  }
}
