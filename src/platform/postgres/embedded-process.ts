import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { closeSync, fstatSync, openSync, readFileSync, renameSync, statSync } from 'node:fs'
import type { Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { giveToFolderOwner } from './data-folder.ts'
import { environment } from './embedded-cluster.ts'
import type { Cluster } from './embedded-cluster.ts'
import { readPostmaster } from './embedded-postmaster.ts'
import { identity } from './embedded-user.ts'

export type RunningPostgres = {
  readonly pid: number
  readonly ended: Promise<void>
  stop(): Promise<void>
}

/** PostgreSQL ended before it was ready; the message is what it said. */
export class StartFailed extends Error {}

// PostgreSQL has its own session, out of reach of Ctrl-C, because running requests need it. So that it never outlives
// the server, a second shell reads from a pipe held by the server: when the pipe closes, however the server ended, the
// shell asks PostgreSQL for a fast shutdown. If PostgreSQL ended first, the server writes a line to the pipe, and the
// shell signals nothing: the process id may belong to another process by then.
const keeper = '( (read -r gone <&3 || kill -INT $$) & ) ; exec "$@" 3<&-'

const isReason = /FATAL|PANIC|ERROR|HINT|could not/
/** Refusals to clients that connect while it starts: hundreds of lines, and none says why it ended. */
const isToClients = /FATAL: {2}the database system is/
const saidMax = 2_000

const READY_POLL_MS = 10
const FAST_LIMIT_MS = 60_000
const IMMEDIATE_LIMIT_MS = 10_000
const LOG_LIMIT_BYTES = 10_000_000

export async function launch(cluster: Cluster, settings: Record<string, string>): Promise<RunningPostgres> {
  const log = openLog(cluster.log)
  const logStart = fstatSync(log).size
  const child = spawnSupervised(cluster, settings, log)
  closeSync(log)
  const postgres = follow(child)
  while (!postgres.hasEnded()) {
    const postmaster = readPostmaster(cluster.folder)
    if (postmaster !== undefined && postmaster.pid === child.pid && postmaster.ready) {
      child.unref()
      return postgres
    }
    await Promise.race([pause(READY_POLL_MS), postgres.ended])
  }
  const said = readFileSync(cluster.log).subarray(logStart).toString('utf8')
  const reasons = said.split('\n').filter((line) => isReason.test(line) && !isToClients.test(line))
  throw new StartFailed((reasons.length > 0 ? reasons.join('; ') : said.slice(0, saidMax)).trim())
}

function spawnSupervised(cluster: Cluster, settings: Record<string, string>, log: number): ChildProcess {
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const postgres = [cluster.postgres, '-D', cluster.folder, ...flags]
  const [command = 'sh', ...args] = [
    ...cluster.runAs.prefix,
    'sh',
    '-c',
    keeper,
    'florin-keeper',
    ...postgres,
  ]
  const child = spawn(command, args, {
    ...identity(cluster.runAs),
    cwd: '/',
    env: environment,
    detached: true,
    stdio: ['ignore', log, log, 'pipe'],
  })
  ;(child.stdio[3] as Socket).on('error', () => {}).unref()
  return child
}

type Followed = RunningPostgres & { hasEnded(): boolean }

function follow(child: ChildProcess): Followed {
  const pipe = child.stdio[3] as Socket
  let gone = false
  const ended = new Promise<void>((resolve) => {
    const finish = (): void => {
      gone = true
      pipe.end('gone\n')
      resolve()
    }
    child.on('exit', finish)
    child.on('error', finish)
  })
  return {
    pid: child.pid ?? 0,
    ended,
    hasEnded: () => gone,
    stop: async () => {
      child.ref()
      const stages = [
        ['SIGINT', FAST_LIMIT_MS],
        ['SIGQUIT', IMMEDIATE_LIMIT_MS],
        ['SIGKILL', IMMEDIATE_LIMIT_MS],
      ] as const
      for (const [signal, limitMs] of stages) {
        if (gone) return
        child.kill(signal)
        const limit = new AbortController()
        const expired = pause(limitMs, undefined, { signal: limit.signal }).catch(() => {})
        await Promise.race([ended, expired])
        limit.abort()
      }
    },
  }
}

function openLog(path: string): number {
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > LOG_LIMIT_BYTES) renameSync(path, `${path}.1`)
  const log = openSync(path, 'a', 0o600)
  giveToFolderOwner(path)
  return log
}
