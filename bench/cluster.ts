import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClusterDatabase } from '../cluster/databases.ts'
import { findCitus, waysToGetCitus } from '../cluster/find-citus.ts'
import { query } from '../cluster/query.ts'
import { explain, isOfOneMerchant, noteStatements, shownRoute } from '../cluster/routing.ts'
import { startCluster, type CitusCluster } from '../cluster/start-cluster.ts'
import { Database } from '../src/platform/database/database.ts'
import { distribute } from '../src/modules/cluster/distribute.ts'
import { migrate } from '../src/platform/database/migrate.ts'
import { createKey } from '../src/core/merchants/change-keys.ts'
import { createMerchant } from '../src/core/merchants/create-merchant.ts'
import { newLink } from '../test/support/customer.ts'
import { call, openHouse } from '../test/support/house.ts'
import { creates, createRequests, ratioOf } from './create.ts'
import { lookUpRequests } from './look-up.ts'
import { drive, interleave, summarise, type Driven, type Pace } from './measure.ts'
import type { Report } from './report.ts'
import { startServers, type Merchant, type Target } from './site.ts'

// Creates and look-ups of fifty merchants on a cluster of 1, 2 and 3 nodes, beside the same PostgreSQL with nothing spread.
// All of them share one machine, so this says what the way through the coordinator costs, and nothing of how it grows.

const merchantCount = 50
const known = 500
const connections = 64
/** None: the same PostgreSQL, not spread. */
const nodeCounts = [0, 1, 2, 3]
const nameOf = (nodes: number): string => `bench_${nodes}`

export async function benchCluster(pace: Pace): Promise<Report[]> {
  const programs = findCitus()
  if (programs === undefined) {
    process.stderr.write(`${waysToGetCitus}\n`)
    return []
  }
  await using opened = new AsyncDisposableStack()
  const cluster = await startCluster(programs, 3)
  opened.defer(() => cluster.stop())
  const targets = new Map<string, Target>()
  for (const nodes of nodeCounts) {
    const name = nodes === 0 ? 'plain' : `${nodes} ${nodes === 1 ? 'node' : 'nodes'}`
    pace.say(`making ${name} ready`)
    targets.set(name, await openTarget(opened, cluster, nodes))
  }
  await showRoutes(cluster.coordinator.url(nameOf(3)))
  const created = await compare(pace, 'create', targets, async (target) =>
    creates(target, connections, pace.seconds),
  )
  // Nobody else does it: these nodes have no autovacuum.
  for (const nodes of nodeCounts) await query(cluster.coordinator.url(nameOf(nodes)), 'analyze')
  const found = await compare(pace, 'look-up', targets, async (target) => lookUps(target, pace.seconds))
  return [...created, ...found]
}

async function openTarget(
  opened: AsyncDisposableStack,
  cluster: CitusCluster,
  nodes: number,
): Promise<Target> {
  const name = nameOf(nodes)
  if (nodes === 0) await query(cluster.coordinator.url('postgres'), `create database ${name}`)
  else await createClusterDatabase({ ...cluster, nodes: cluster.nodes.slice(0, nodes) }, name)
  const url = cluster.coordinator.url(name)
  await migrate(url)
  if (nodes > 0) await distribute(url, () => {})
  const merchants = await makeMerchants(url)
  const folder = mkdtempSync(join(tmpdir(), 'florin-bench-cluster-'))
  opened.defer(() => rmSync(folder, { recursive: true, force: true }))
  const settings = { ALLOW_UNSAFE_DATABASE: 'on' }
  const { port } = await startServers(opened, url, folder, undefined, settings)
  const target = { port, merchants }
  const requests = createRequests(target, 'known', known)
  await drive({ port, connections: 8, seconds: 60, requests, repeat: false, expectStatus: 201 })
  return target
}

/** Where the statements of what is measured go, by the word of `explain`. */
async function showRoutes(url: string): Promise<void> {
  const house = await openHouse({ databaseUrl: url })
  const { noted, stop } = noteStatements()
  try {
    const alone = await newLink(house)
    await Promise.all(Array.from({ length: 8 }, async () => newLink(house)))
    await call(`${house.url}/api/transaction/${alone.txRef}`, { key: house.secretKey })
  } finally {
    stop()
    await house.close()
  }
  const routes = (await explain(url, noted.values())).filter(isOfOneMerchant)
  process.stdout.write(
    `creates and look-ups on 3 nodes:\n${routes.map((route) => `  ${shownRoute(route)}\n`).join('')}`,
  )
}

async function makeMerchants(url: string): Promise<Merchant[]> {
  const db = new Database(url, { poolSize: 2 })
  const merchants: Merchant[] = []
  try {
    for (let count = 1; count <= merchantCount; count += 1) {
      const id = await createMerchant(db, { name: `Bench ${count}` })
      const { key } = await createKey(db, id, { kind: 'secret', mode: 'test', name: 'bench' })
      merchants.push({ id, secretKey: key })
    }
    return merchants
  } finally {
    await db.close()
  }
}

async function lookUps(target: Target, seconds: number): Promise<Driven> {
  const requests = lookUpRequests(target, 'known', known, 20_000)
  return drive({ port: target.port, connections, seconds, requests, repeat: true, expectStatus: 200 })
}

async function compare(
  pace: Pace,
  work: string,
  targets: ReadonlyMap<string, Target>,
  measure: (target: Target) => Promise<Driven>,
): Promise<Report[]> {
  const measures = Object.fromEntries(
    [...targets].map(([name, target]) => [name, async () => measure(target)]),
  )
  const results = await interleave(pace, measures)
  const plain = summarise((results['plain'] ?? []).map((each) => each.perSecond)).median
  const beside = `the same PostgreSQL, not spread: ${Math.round(plain)}/s`
  return [...targets.keys()]
    .filter((name) => name !== 'plain')
    .map((name) => ({
      work: `${work}, ${merchantCount} merchants, ${name}`,
      beside,
      goal: '–',
      ...ratioOf(results[name] ?? [], plain),
    }))
}
