import {
  closeSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { randomBytes } from 'node:crypto'
import { dirname } from 'node:path'
import { giveToFolderOwner } from '../postgres/data-folder.ts'
import { drawSecretsKey, readSecretsKey, type SecretsKey } from './secrets-key.ts'
import { SecretsRefused } from './secrets-refused.ts'

// Keys in a file, a line each: the first seals, those below open what was sealed before. Lines that begin with # say
// something to people. On an embedded database Florin makes the file itself, once; it never writes over a key.

const note = `# Florin's secrets are sealed under the first key below. Back this file up, and not together with the database:
# without it the secrets in the database are lost, and with both of them whoever has the copy can read them.
`

/** Undefined when there is no such file. */
export function readKeyFile(path: string): SecretsKey[] | undefined {
  const lines = linesOf(path)
  if (lines === undefined) return undefined
  const keys = lines.filter((line) => line !== '' && !line.startsWith('#')).map(readSecretsKey)
  const known = keys.filter((key) => key !== undefined)
  if (known.length === 0 || known.length < keys.length)
    throw new SecretsRefused(
      `${path} must have one key per line, 32 bytes in base64 each, but has an invalid line or none. Restore it from a backup.`,
    )
  return known
}

/** Creates the file with a new key, unless it exists; two processes at once agree on one. */
export function createKeyFile(path: string): void {
  const fresh = writeBeside(path, `${note}${drawSecretsKey()}\n`)
  try {
    // Unlike a rename, a link never takes the place of a file that is there.
    linkSync(fresh, path)
    syncFolder(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw unwritable(path, error)
  } finally {
    rmSync(fresh)
  }
}

/** Puts a new key before those in the file, which stay: database backups were sealed under them. */
export function addKeyToFile(path: string): void {
  const lines = linesOf(path) ?? []
  const old = lines.filter((line) => line !== '' && !line.startsWith('#'))
  const fresh = writeBeside(path, `${[`${note}${drawSecretsKey()}`, ...old].join('\n')}\n`)
  renameSync(fresh, path)
  syncFolder(path)
}

function linesOf(path: string): string[] | undefined {
  try {
    return readFileSync(path, 'utf8')
      .split('\n')
      .map((line) => line.trim())
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return undefined
    throw new SecretsRefused(`${path} can't be read (${code}): it holds the key that encrypts secrets.`)
  }
}

/** On the disk, not in its cache, before anything is sealed under it. */
function writeBeside(path: string, text: string): string {
  const fresh = `${path}.${randomBytes(6).toString('hex')}`
  try {
    const file = openSync(fresh, 'wx', 0o600)
    try {
      writeSync(file, text)
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
    giveToFolderOwner(fresh)
    return fresh
  } catch (error) {
    rmSync(fresh, { force: true })
    throw unwritable(path, error)
  }
}

function syncFolder(path: string): void {
  // Windows can't open a folder; there the link itself is written through.
  if (process.platform === 'win32') return // No test: Windows only, where no test runs
  const folder = openSync(dirname(path), 'r')
  fsyncSync(folder)
  closeSync(folder)
}

function unwritable(path: string, error: unknown): SecretsRefused {
  const { code } = error as NodeJS.ErrnoException
  return new SecretsRefused(
    `${path} can't be written (${code}): Florin stores the key that encrypts secrets there. Make its folder writable, or set SECRETS_KEY (create one: florin secrets key).`,
  )
}
