import { existsSync, readFileSync, readlinkSync, rmSync } from 'node:fs'
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { EmbeddedRefused } from './embedded-refused.ts'

// PostgreSQL's first process writes postmaster.pid into its cluster: its number, the port, how far it is.

export type Postmaster = { readonly pid: number; readonly port: number; readonly ready: boolean }

const POLL_MS = 20
const GRACE_MS = 10_000
const STOP_LIMIT_MS = 60_000

export function readPostmaster(cluster: string): Postmaster | undefined {
  try {
    const lines = readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n')
    const [pid, port] = [Number(lines[0]), Number(lines[3])]
    return pid > 0 ? { pid, port, ready: lines[7]?.trim() === 'ready' } : undefined
  } catch {
    return undefined
  }
}

/** The PostgreSQL running on this cluster now, whoever started it. */
export function findPostmaster(cluster: string): Postmaster | undefined {
  const found = readPostmaster(cluster)
  return found && whoIs(found.pid, cluster) === 'ours' ? found : undefined
}

/** Makes sure that nothing runs on the cluster, so that a new PostgreSQL can. */
export async function clearCluster(cluster: string, onWait: () => void): Promise<void> {
  const found = readPostmaster(cluster)
  if (!found) return
  const who = whoIs(found.pid, cluster)
  if (who === 'stranger') {
    // The number was given to another process since, as happens when a container restarts; PostgreSQL would refuse.
    rmSync(join(cluster, 'postmaster.pid'), { force: true })
  }
  if (who !== 'ours') return
  onWait()
  // Most likely its server has died and its supervising shell is stopping it just now; if not, we stop it.
  if (await hasEnded(found.pid, GRACE_MS)) return
  process.kill(found.pid, 'SIGINT')
  if (await hasEnded(found.pid, STOP_LIMIT_MS)) return
  throw new EmbeddedRefused(
    `A PostgreSQL (process ${found.pid}) is still running on ${cluster} and does not stop. Stop it, then start again.`,
  )
}

async function hasEnded(pid: number, limitMs: number): Promise<boolean> {
  const deadline = Date.now() + limitMs
  while (isAlive(pid)) {
    if (Date.now() > deadline) return false
    await pause(POLL_MS)
  }
  return true
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
  // A zombie: it has ended but its parent has not waited for it, so it has a number and no command.
  return commandOf(pid) !== ''
}

function whoIs(pid: number, cluster: string): 'ours' | 'stranger' | 'nobody' | 'unclear' {
  const command = commandOf(pid)
  if (command === undefined) return isAlive(pid) ? 'unclear' : 'nobody'
  const isPostgres = /^[^\0]*postgres(\s|\0|$)/.test(command)
  if (!isPostgres) return 'stranger'
  if (command.includes(cluster) || workingFolder(pid) === cluster) return 'ours'
  return process.platform === 'linux' ? 'stranger' : 'unclear'
}

/** The command with its arguments; empty for a zombie; undefined when there is no such process or we may not see it. */
function commandOf(pid: number): string | undefined {
  try {
    if (existsSync('/proc/self/cmdline')) return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
    return execFileSync('ps', ['-o', 'args=', '-p', String(pid)], { encoding: 'utf8' })
  } catch {
    return undefined
  }
}

function workingFolder(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/cwd`)
  } catch {
    return undefined
  }
}
