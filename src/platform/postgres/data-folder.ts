import { chownSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { isAbsolute, join, relative } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

// One server per data folder. Node has no flock, but SQLite locks its files: the kernel drops such a lock however the
// process ends, so it is never stale, unlike a file with a process number in it.

export type DataFolderLock = {
  /** Tells a second start where this one can be reached. */
  announce(baseUrl: string): void
  release(): void
}

/** The message is one line for the operator. */
export class DataFolderRefused extends Error {}

type Running = { pid: number; base_url: string | null; started_at: string }

const SQLITE_BUSY = 5
// Kept here because a database that nothing refers to is garbage-collected, which would release the lock.
const held = new Set<DatabaseSync>()

export function lockDataFolder(dataDir: string): DataFolderLock {
  const database = openLock(dataDir)
  held.add(database)
  const running = join(dataDir, 'running.json')
  const startedAt = new Date().toISOString()
  const write = (baseUrl: string | null): void => {
    const content: Running = { pid: process.pid, base_url: baseUrl, started_at: startedAt }
    writeFileSync(running, `${JSON.stringify(content)}\n`, { mode: 0o600 })
    giveToFolderOwner(running)
  }
  write(null)
  return {
    announce: write,
    release: () => {
      if (!held.delete(database)) return
      rmSync(running, { force: true })
      database.close()
    },
  }
}

/** Root writes into a folder that may belong to the user PostgreSQL runs as; who owns the folder owns its files. */
export function giveToFolderOwner(file: string): void {
  if (process.getuid?.() !== 0) return
  const { uid, gid } = statSync(join(file, '..'))
  chownSync(file, uid, gid)
}

function openLock(dataDir: string): DatabaseSync {
  let database: DatabaseSync | undefined
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    const file = join(dataDir, 'lock.sqlite')
    database = new DatabaseSync(file, { timeout: 0 })
    database.exec('begin exclusive')
    giveToFolderOwner(file)
    return database
  } catch (error) {
    if (database?.isOpen) database.close()
    if ((error as { errcode?: number }).errcode === SQLITE_BUSY) throw alreadyRunning(dataDir)
    throw new DataFolderRefused(
      `Florin can't use the data folder ${shown(dataDir)} (${(error as Error).message}). ` +
        `Make it writable for this user, or set DATA_DIR to another folder.`,
      { cause: error },
    )
  }
}

function alreadyRunning(dataDir: string): DataFolderRefused {
  const who = describeOwner(join(dataDir, 'running.json'))
  return new DataFolderRefused(
    `Florin is already running on ${shown(dataDir)}${who}. Stop it first, or set DATA_DIR to another folder.`,
  )
}

function describeOwner(file: string): string {
  try {
    const { pid, base_url: baseUrl } = JSON.parse(readFileSync(file, 'utf8')) as Running
    return baseUrl === null ? ` (process ${pid})` : ` (process ${pid}, ${baseUrl})`
  } catch {
    return '' // the other one has the lock and has not written the file yet
  }
}

function shown(dataDir: string): string {
  const path = relative(process.cwd(), dataDir)
  return path === '' || path.startsWith('..') || isAbsolute(path) ? `${dataDir}/` : `${path}/`
}
