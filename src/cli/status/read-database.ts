import type { Config } from '../../platform/settings/config.ts'
import { inspectCluster, type ClusterFacts } from '../../platform/database/spread/inspect-cluster.ts'
import { Database } from '../../platform/database/database.ts'
import type { Missed } from '../../platform/database/spread/nodes.ts'
import { findRunning } from '../../platform/postgres/embedded.ts'
import { inspectDatabase, type DatabaseFacts } from '../../platform/database/inspect.ts'
import { listMerchants } from '../../core/merchants/list.ts'
import { listHeld } from '../../core/payments/attempts/hosted/held.ts'
import { readBacklog } from '../../core/notifications/bulk/find-notifications.ts'
import { databaseName } from '../reach/asked.ts'
import { databaseTrouble } from '../reach/database-trouble.ts'
import { directUrl } from '../reach/direct-url.ts'
import { describeFailing } from '../../core/notifications/receivers/failing.ts'
import { countAllWaitingMail, describeWaitingMail } from '../../core/notifications/mail/waiting-mail.ts'
import { readNetworksLine } from './networks-line.ts'

// The database as an operator sees it. One that does not run is not started: that would be another status.

export type DatabaseStatus = {
  readonly name: string
  readonly state: string
  readonly facts?: DatabaseFacts
  readonly cluster?: ClusterFacts | undefined
  readonly merchants?: number
  /** What could not be counted, as a node is away. */
  readonly missed?: Missed
  readonly networks?: string | undefined
  /** Charges of live mode that wait for a person. */
  readonly held?: number
  /** Live mails that no worker has a mail server for. */
  readonly waitingMails?: number
  readonly backlog?: { readonly waiting: number; readonly paused: number; readonly overdueSeconds: number }
  /** Failing receivers and mail: nothing is wrong with Florin, but someone should look. */
  readonly warnings?: readonly string[]
  readonly troubles: readonly string[]
}

const hourMs = 3_600_000

export async function readDatabase(config: Config): Promise<DatabaseStatus> {
  const name = databaseName(config)
  const url = directUrl(config) || (await findRunning(config.DATA_DIR))
  if (!url) {
    const trouble = `No PostgreSQL is running in ${config.DATA_DIR}. Start florin serve, or set DATABASE_URL or DATA_DIR.`
    return { name, state: 'not running', troubles: [trouble] }
  }
  const db = new Database(url, {
    poolSize: 2,
    waitMs: config.DATABASE_WAIT_MS,
    statementTimeoutMs: config.REQUEST_TIMEOUT_MS,
    name: 'florin command',
  })
  try {
    const facts = await inspectDatabase(db)
    const isUsable = facts.missing.length === 0 && !facts.isNewer
    const rest = isUsable ? await readMerchants(db) : {}
    const cluster = await inspectCluster(db)
    const troubles = [...troublesOf(facts, rest), ...awayNodes(cluster)]
    const { missed } = db
    return { name, state: 'reachable', facts, cluster, ...rest, ...(missed && { missed }), troubles }
  } catch (error) {
    const trouble = databaseTrouble(name, error)
    if (trouble === undefined) throw error
    return { name, state: 'can not be used', troubles: [trouble] }
  } finally {
    await db.close()
  }
}

async function readMerchants(
  db: Database,
): Promise<
  Pick<DatabaseStatus, 'merchants' | 'networks' | 'held' | 'waitingMails' | 'backlog' | 'warnings'>
> {
  const merchants = await listMerchants(db)
  let [waiting, paused, overdueMs, held] = [0, 0, 0, 0]
  // One after the other: each merchant is asked for by itself, and nothing else should wait for this.
  for (const { merchant } of merchants) {
    const found = await readBacklog(db, merchant)
    held += (await listHeld(db, { merchantId: merchant, mode: 'live' })).length
    waiting += found.waiting
    paused += found.paused
    if (found.oldest_due_at !== null)
      overdueMs = Math.max(overdueMs, Date.now() - Date.parse(found.oldest_due_at))
  }
  const overdueSeconds = Math.round(overdueMs / 1000)
  const networks = await readNetworksLine(db)
  const waitingMails = await countAllWaitingMail(db)
  const backlog = { waiting, paused, overdueSeconds }
  const warnings = await describeFailing(db)
  return { merchants: merchants.length, networks, held, waitingMails, backlog, warnings }
}

function awayNodes(cluster: ClusterFacts | undefined): string[] {
  return (cluster?.nodes ?? [])
    .filter(({ answers }) => !answers)
    .map(({ node }) => `Cluster node ${node} does not answer: its merchants wait, others are not affected.`)
}

function troublesOf(
  facts: DatabaseFacts,
  { backlog, waitingMails = 0 }: Pick<DatabaseStatus, 'backlog' | 'waitingMails'>,
): string[] {
  if (facts.isNewer) return ['The database belongs to a newer Florin. Start that version.']
  if (facts.missing.length > 0)
    return ['The database schema does not match this version. Run florin migrate first.']
  const runs = (what: string): boolean => facts.processes.some(({ role }) => role.includes(what))
  return [
    ...(runs('server') ? [] : ['No server is running on this database. Start florin serve.']),
    ...(runs('worker')
      ? []
      : [
          'No worker is running on this database, so nothing is delivered. Start florin worker or florin serve.',
        ]),
    ...((backlog?.overdueSeconds ?? 0) * 1000 > hourMs
      ? ["Deliveries are overdue by more than an hour. Check the worker's log."]
      : []),
    ...(waitingMails > 0 ? [describeWaitingMail(waitingMails)] : []),
  ]
}
