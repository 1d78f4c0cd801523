import { lastBackupAt } from '../../platform/database/watch/installation-times.ts'
import { findUnsafeSettings } from '../../platform/database/durability.ts'
import {
  inspectDatabase,
  listNodes,
  type DatabaseFacts,
  type NodeFacts,
} from '../../platform/database/inspect.ts'
import type { PersonAsk } from '../ask.ts'
import { readGlance, type Glance } from './glance.ts'

// The installation's health: `florin status` for the browser.

export type Health = {
  readonly database: DatabaseFacts
  readonly nodes: readonly NodeFacts[]
  readonly unsafe: readonly string[]
  readonly connections: { readonly busy: number; readonly idle: number; readonly waiting: number }
  readonly glance: Glance
  /** The last backup; undefined if there was none. */
  readonly backupAt: string | undefined
  /** Merchants with overdue work. */
  readonly late: { readonly attempts: number; readonly expiries: number }
  readonly troubles: readonly string[]
}

const merchantsMax = 100
const leaseMs = 60_000
const lateMs = 10 * 60_000
const hourSeconds = 3_600

export async function readHealth(ask: PersonAsk): Promise<Health> {
  const { db } = ask.core
  const { paying, metrics } = ask.dashboard
  const now = ask.core.now()
  const [database, nodes, unsafe, text, attempts, expiries, backupAt] = await Promise.all([
    inspectDatabase(db),
    listNodes(db),
    findUnsafeSettings(db),
    metrics.print(),
    paying.findDue.withAttemptsToCheck(now, leaseMs, merchantsMax),
    paying.findDue.withPaymentsOutOfTime(new Date(now.getTime() - lateMs), merchantsMax),
    lastBackupAt(db),
  ])
  const glance = readGlance(text)
  const late = { attempts: attempts.length, expiries: expiries.length }
  const known = { database, nodes, unsafe, connections: db.load(), glance, late, backupAt }
  return { ...known, troubles: troublesOf(known) }
}

function troublesOf({
  database,
  nodes,
  unsafe,
  connections,
  glance,
  late,
}: Omit<Health, 'troubles' | 'backupAt'>): string[] {
  const hasWorker = database.processes.some(({ role }) => role.includes('worker'))
  const away = nodes.filter(({ isActive }) => !isActive)
  return [
    ...(hasWorker
      ? []
      : ['No worker is running, so nothing is delivered and nothing expires. Start florin worker.']),
    ...(database.missing.length > 0 || database.isNewer
      ? ['The database schema doesn’t match this version. Run florin migrate, or start the newer version.']
      : []),
    ...(unsafe.length > 0 ? [`PostgreSQL may lose committed data: ${unsafe.join(' and ')} is off.`] : []),
    ...away.map(({ name }) => `Node ${name} is down.`),
    ...(connections.waiting > 0 ? ['Requests are waiting for a database connection.'] : []),
    ...((glance.overdueSeconds ?? 0) > hourSeconds ? ['Deliveries are overdue by more than an hour.'] : []),
    ...(late.expiries > 0 ? ['Payments that passed their deadline ten minutes ago haven’t expired.'] : []),
  ]
}
