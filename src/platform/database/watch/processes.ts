import type { Database } from '../database.ts'
import { sql } from '../sql.ts'

// Which processes of Florin live. Each names the one connection by which it listens after itself, so PostgreSQL's own list of
// connections knows: nothing has to be written, and one that dies is gone from it.

export const processRoles = ['florin server', 'florin server and worker', 'florin worker'] as const
export type ProcessRole = (typeof processRoles)[number]

export type ProcessFacts = {
  readonly role: ProcessRole
  readonly version: string
  readonly startedAt: Date
  /** The port of its health and metrics, if it has its own. */
  readonly port?: number | undefined
}

export type RunningProcess = {
  readonly role: ProcessRole
  /** Null: of a version before they were named. */
  readonly version: string | null
  /** Null: such a version, and PostgreSQL hides it from us. */
  readonly since: string | null
  readonly port: number | null
}

// PostgreSQL cuts names off after 63 letters, and the longest of the rest are 45.
const versionLengthMax = 18

export function processName({ role, version, startedAt, port }: ProcessFacts): string {
  const seconds = Math.floor(startedAt.getTime() / 1000)
  const shown = port === undefined ? '' : ` :${port}`
  return `${role} ${version.slice(0, versionLengthMax)} @${seconds}${shown}`
}

/** The prefix of every such name in PostgreSQL. */
export const namesOfProcesses = '^florin (server|worker)( |$)'
export const namesOfServers = '^florin server( |$)'

const shape = /^(florin server and worker|florin server|florin worker)(?: (\S+) @(\d+)(?: :(\d+))?)?$/

/** By role, version and start: the order does not change from one look to the next. */
export async function listProcesses(db: Database): Promise<RunningProcess[]> {
  const rows = await db.query<{ name: string; connected_at: string | null; pid: number }>(sql`
    select application_name as name, backend_start as connected_at, pid from pg_stat_activity
    where datname = current_database() and application_name ~ ${namesOfProcesses}`)
  const found = rows.flatMap(({ name, connected_at: connectedAt, pid }) => {
    const read = readName(name)
    return read ? [{ ...read, since: read.since ?? connectedAt, pid }] : []
  })
  return found.toSorted(inOrder).map(({ role, version, since, port }) => ({ role, version, since, port }))
}

export function readName(name: string): RunningProcess | undefined {
  const [, found, version = null, seconds, port] = shape.exec(name) ?? []
  const role = processRoles.find((one) => one === found)
  if (role === undefined) return undefined
  const since = seconds === undefined ? null : new Date(Number(seconds) * 1000).toISOString()
  return { role, version, since, port: port === undefined ? null : Number(port) }
}

/** Empty while all processes are of one version, as they are except during an upgrade. */
export function differingVersions(processes: readonly RunningProcess[]): string[] {
  const versions = [...new Set(processes.map(({ version }) => version ?? 'an older one'))]
  return versions.length < 2 ? [] : versions
}

type Listed = RunningProcess & { readonly pid: number }

function inOrder(one: Listed, other: Listed): number {
  return (
    processRoles.indexOf(one.role) - processRoles.indexOf(other.role) ||
    versions.compare(one.version ?? '', other.version ?? '') ||
    Date.parse(one.since ?? '') - Date.parse(other.since ?? '') ||
    one.pid - other.pid
  )
}

/** 0.9.0 comes before 0.10.0. */
const versions = new Intl.Collator('en', { numeric: true })
