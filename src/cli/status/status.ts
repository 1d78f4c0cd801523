import type { Config } from '../../platform/settings/config.ts'
import type { ClusterFacts } from '../../platform/database/spread/inspect-cluster.ts'
import type { Missed } from '../../platform/database/spread/nodes.ts'
import { differingVersions, type RunningProcess } from '../../platform/database/watch/processes.ts'
import { readDatabase, type DatabaseStatus } from './read-database.ts'
import { readServer, type ServerStatus } from './read-server.ts'
import { flag, oneOf, readArguments, text } from '../terminal/arguments.ts'
import { accent, print, printFacts } from '../terminal/print.ts'
import { span } from '../terminal/times.ts'
import { standard } from '../terminal/standard.ts'

export const statusHelp = `florin status [--only server|database] [--json]

  Shows the server at BASE_URL and the database in DATABASE_URL or DATA_DIR:
  schema, processes, networks for live payments, charges that need a person
  (florin held list) and waiting deliveries. Exits with 0 if everything works,
  even with warnings, and with 69 if something doesn't.

  --only   check only one of the two, from a machine that can't reach the other

  It also tries the key in FLORIN_KEY or --key.`

type Facts = Record<string, string | undefined>

export async function status(config: Config, args: string[]): Promise<void> {
  const parsed = readArguments(args, {
    only: { type: 'string' },
    key: { type: 'string' },
    json: { type: 'boolean' },
  })
  const asked = text(parsed, 'only')
  const only = asked === undefined ? undefined : oneOf('only', asked, ['server', 'database'])
  const server = only === 'database' ? undefined : await readServer(config, parsed)
  const database = only === 'server' ? undefined : await readDatabase(config)
  const troubles = [...(server?.troubles ?? []), ...(database?.troubles ?? [])]
  if (troubles.length > 0) standard().exitCode = 69
  if (flag(parsed, 'json')) return print(JSON.stringify({ ok: troubles.length === 0, server, database }))
  // The database says it for this moment, /metrics for one of the last ten seconds.
  const backlog = database?.backlog ?? server?.backlog
  printFacts({
    ...(server && serverFacts(server)),
    ...(database && databaseFacts(database)),
    Queue: backlog && queueLine(backlog),
  })
  // A problem that is also a count, such as waiting mail, is reported once.
  const versions = differingVersions(database?.facts?.processes ?? [])
  const warnings = [...(server?.warnings ?? []), ...(database?.warnings ?? [])]
  // Nothing is wrong with it for the minutes of an upgrade.
  const mixed = versions.length === 0 ? [] : [`Several versions are running: ${versions.join(', ')}.`]
  const lines = [...new Set([...troubles, ...warnings, ...mixed])]
  if (lines.length === 0) return
  print('')
  for (const line of lines) print(accent(line))
}

function serverFacts({ url, state, version, key }: ServerStatus): Facts {
  return {
    Server: `${url}, ${state}`,
    Version: version === undefined ? undefined : `florin ${version}`,
    Key: key,
  }
}

function databaseFacts({
  name,
  state,
  facts,
  cluster,
  merchants,
  missed,
  networks,
  held = 0,
}: DatabaseStatus): Facts {
  return {
    Database: `${name.replace(/^the database /, '')}, ${state}`,
    PostgreSQL: facts && `${facts.version}, ${megabytes(facts.bytes)}`,
    Cluster: cluster && clusterLine(cluster),
    Schema: facts && schemaLine(facts.migrations, facts.missing.length, facts.isNewer),
    Processes: facts && processLines(facts.processes),
    Merchants: merchants === undefined ? undefined : merchantsLine(merchants, missed),
    Networks:
      merchants === undefined ? undefined : (networks ?? 'none, for live payments: florin connector add'),
    Held: held === 0 ? undefined : heldLine(held),
  }
}

function merchantsLine(merchants: number, missed: Missed | undefined): string {
  return missed
    ? `${merchants}, and those in ${missed.shards} of ${missed.of} shards, which can't be read`
    : String(merchants)
}

/** Money of customers that no rule decides about. */
function heldLine(held: number): string {
  const wait = held === 1 ? '1 live charge waits' : `${held} live charges wait`
  return `${wait} for a person: florin held list --mode live`
}

function clusterLine({ version, shards, nodes }: ClusterFacts): string {
  const each = nodes.map(
    ({ node, shards: held, answers }) => `${node} (${held}${answers ? '' : ', does not answer'})`,
  )
  return `Citus ${version}, ${shards} shards on ${each.join(', ')}`
}

function schemaLine(ran: number, missing: number, isNewer: boolean): string {
  if (isNewer) return `${ran} migrations, from a newer Florin`
  return missing === 0 ? `up to date, ${ran} migrations` : `${missing} migrations behind`
}

/** One below the other: in the middle of an upgrade the eye looks for those of the old version. */
function processLines(processes: readonly RunningProcess[]): string {
  if (processes.length === 0) return 'none'
  return processes
    .map(({ role, version, since, port }) => {
      const age = since === null ? '' : ` for ${span(Date.now() - Date.parse(since))}`
      const shown = port === null ? '' : `, health and metrics on ${port}`
      return `${role.replace(/^florin /, '')} ${version ?? 'of an older version'}${age}${shown}`
    })
    .join('\n')
}

type Backlog = { readonly waiting: number; readonly paused: number; readonly overdueSeconds: number }

function queueLine({ waiting, paused, overdueSeconds }: Backlog): string {
  const oldest = overdueSeconds > 0 ? `, the oldest due for ${span(overdueSeconds * 1000)}` : ''
  return `${waiting} waiting${oldest}; ${paused} paused`
}

function megabytes(bytes: number): string {
  return `${Math.max(1, Math.round(bytes / 1_000_000))} MB`
}
