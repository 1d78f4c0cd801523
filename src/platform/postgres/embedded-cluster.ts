import { spawn } from 'node:child_process'
import { createHmac, randomBytes } from 'node:crypto'
import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, readdirSync } from 'node:fs'
import { readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { giveToFolderOwner } from './data-folder.ts'
import { findBinaries } from './embedded-binaries.ts'
import type { Binaries } from './embedded-binaries.ts'
import { EmbeddedRefused } from './embedded-refused.ts'
import { chooseUser, identity } from './embedded-user.ts'
import type { RunAs } from './embedded-user.ts'

// PostgreSQL's files in the data folder: the cluster, its password, its log.

export type Cluster = {
  readonly folder: string
  readonly log: string
  readonly postgres: string
  readonly runAs: RunAs
}

/**
 * `owner` is the superuser that initdb made: it migrates. `application` is what Florin runs as: it reads and writes rows,
 * and can neither change a table nor read a file nor start a program, whatever a statement was tricked into.
 */
export type DatabaseRole = 'owner' | 'application'
export const roleNames: Readonly<Record<DatabaseRole, string>> = {
  owner: 'florin',
  application: 'florin_app',
}
const unfinished = 'postgres.new-'

/** Nothing of our environment: no PG… variable may bend PostgreSQL, and no secret has to reach it. */
export const environment = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/run/current-system/sw/bin',
  LC_ALL: 'C',
  TZ: 'UTC',
}

/** Finds the cluster of this folder, or makes it. */
export async function openCluster(
  dataDir: string,
  options: { durable: boolean; onCreate: () => void },
): Promise<Cluster> {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const folder = clusterFolder(dataDir)
  const binaries = findBinaries()
  const runAs = chooseUser(binaries.postgres, dirname(folder), folder)
  if (existsSync(folder)) {
    refuseOtherVersion(folder, binaries.major)
    refuseLostPassword(dataDir)
  } else {
    options.onCreate()
    await createCluster(folder, binaries, runAs, options.durable)
  }
  return { folder, log: join(dirname(folder), 'postgres.log'), postgres: binaries.postgres, runAs }
}

/** Symbolic links are resolved, so that a running PostgreSQL can be recognised by the path in its command. */
export function clusterFolder(dataDir: string): string {
  return join(realpathSync(dataDir), 'postgres')
}

// sun_path holds 104 bytes on macOS and 108 on Linux, its end included.
const socketPathMax = 103

/** The folder of the Unix socket, or undefined where the system or PostgreSQL can't have one there. */
export function socketFolder(folder: string): string | undefined {
  const path = join(folder, '.s.PGSQL.65535')
  return Buffer.byteLength(path) <= socketPathMax && !/[,"]/.test(path) ? folder : undefined
}

/** The same database without the way through TCP: a query costs a fifth less processor time, on both sides. */
export function socketUrl(dataDir: string, port: number, role: DatabaseRole): string {
  const folder = socketFolder(clusterFolder(dataDir))
  const url = connectionUrl(dataDir, port, { role })
  return folder === undefined ? url : `${url}?host=${encodeURIComponent(folder)}`
}

export function connectionUrl(
  dataDir: string,
  port: number,
  { database = 'florin', role = 'owner' }: { database?: string; role?: DatabaseRole } = {},
): string {
  return `postgres://${roleNames[role]}:${passwordOf(dataDir, role)}@127.0.0.1:${port}/${database}`
}

export function passwordOf(dataDir: string, role: DatabaseRole): string {
  const password = readFileSync(passwordFile(dataDir), 'utf8').trim()
  return role === 'owner' ? password : applicationPassword(password)
}

/** Made from the owner's, and no way leads back: one file to keep, and to restore from a backup. */
export function applicationPassword(ownerPassword: string): string {
  return createHmac('sha256', ownerPassword).update(roleNames.application).digest('hex')
}

function passwordFile(dataDir: string): string {
  return join(dataDir, 'postgres.password')
}

function refuseOtherVersion(folder: string, major: string): void {
  const made = readFileSync(join(folder, 'PG_VERSION'), 'utf8').trim()
  if (made === major) return
  throw new EmbeddedRefused(
    `${folder} was created by PostgreSQL ${made}, but this Florin has PostgreSQL ${major}. With the Florin that created ` +
      `it, run: florin backup FILE. Then with this one, in another DATA_DIR: florin restore FILE.`,
  )
}

function refuseLostPassword(dataDir: string): void {
  if (existsSync(passwordFile(dataDir))) return
  throw new EmbeddedRefused(
    `${passwordFile(dataDir)}, the database password, is missing. Restore it and the database from the same backup.`,
  )
}

// Created under another name and renamed when complete, so that a start that is killed leaves no half-made cluster.
async function createCluster(
  folder: string,
  binaries: Binaries,
  runAs: RunAs,
  durable: boolean,
): Promise<void> {
  const dataDir = dirname(folder)
  for (const name of readdirSync(dataDir)) {
    if (name.startsWith(unfinished)) rmSync(join(dataDir, name), { recursive: true, force: true })
  }
  const secret = passwordFile(dataDir)
  if (!existsSync(secret)) {
    writeFileSync(secret, `${randomBytes(24).toString('hex')}\n`, { mode: 0o600, flush: true })
    giveToFolderOwner(secret)
  }
  const draft = join(dataDir, `${unfinished}${randomBytes(6).toString('hex')}`)
  const args = [
    '-D',
    draft,
    '-U',
    roleNames.owner,
    `--pwfile=${secret}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
  ]
  // The built-in C.UTF-8 knows upper and lower case in every script and sorts the same on every machine.
  args.push('--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8')
  if (!durable) args.push('--no-sync')
  await initialise(binaries.initdb, runAs, args)
  renameSync(draft, folder)
  if (durable) flushFolder(dataDir)
}

async function initialise(initdb: string, runAs: RunAs, args: string[]): Promise<void> {
  const [command = initdb, ...rest] = [...runAs.prefix, initdb, ...args]
  const child = spawn(command, rest, {
    ...identity(runAs),
    cwd: '/',
    env: environment,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const ended = new Promise<number | null>((resolve, reject) => {
    child.on('error', reject)
    child.on('exit', resolve)
  })
  const [code, words] = await Promise.all([ended, text(child.stderr)])
  if (code !== 0) {
    throw new EmbeddedRefused(
      `The embedded PostgreSQL could not create its files: ${words.trim()}. ` +
        `Set DATABASE_URL to use your own PostgreSQL.`,
    )
  }
}

function flushFolder(path: string): void {
  const descriptor = openSync(path, 'r')
  fsyncSync(descriptor)
  closeSync(descriptor)
}
