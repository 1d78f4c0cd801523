import { createReadStream, createWriteStream, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { restoreBackup } from '../src/modules/backup/restore-backup.ts'
import { writeBackup } from '../src/modules/backup/write-backup.ts'
import { Database } from '../src/platform/database/database.ts'
import { startLoad, type Load } from '../faults/load-process.ts'
import type { Random } from '../faults/random.ts'
import { openReceiver } from '../faults/receiver.ts'
import { freePort, startServer, type FloatingServer, type ServerPlace } from '../faults/server.ts'
import { openAccount, serverSettings, type Merchant, type Witness } from '../faults/stage.ts'
import { cert } from '../test/support/certificate.ts'
import { createTestDatabase } from '../test/support/database.ts'
import { createEmptyDatabase } from '../test/support/empty-database.ts'
import { createTemplate, setEnvironment, testEnvironment } from './databases.ts'
import { nodeOf } from './shop.ts'
import { startCluster, type CitusCluster, type Node } from './start-cluster.ts'

// What faults of a cluster need: a server in a process of its own, and on each node a merchant with a receiver and a load.

export type ClusterStage = {
  readonly cluster: CitusCluster
  readonly sides: readonly [Side, Side]
  server(): FloatingServer
  startServer(): Promise<void>
  /** What the promises of each merchant are checked with: a copy of the database, as of now, on a plain PostgreSQL. */
  copy(): Promise<Witness[]>
  close(): Promise<void>
}

/** A merchant, and the node that it is on. */
export type Side = { readonly node: Node; readonly witness: Witness; readonly load: Load }

const clients = 4
const merchantsMax = 50

export async function openClusterStage(programs: string, random: Random): Promise<ClusterStage> {
  const closing = new AsyncDisposableStack()
  try {
    return await furnish(programs, random, closing)
  } catch (error) {
    await closing.disposeAsync()
    throw error
  }
}

async function furnish(
  programs: string,
  random: Random,
  closing: AsyncDisposableStack,
): Promise<ClusterStage> {
  const folder = mkdtempSync(join(tmpdir(), 'florin-cluster-faults-'))
  closing.defer(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
  const cluster = await startCluster(programs)
  closing.defer(() => cluster.stop())
  await createTemplate(cluster)
  closing.defer(setEnvironment(testEnvironment(cluster)))
  const { url: databaseUrl } = await createTestDatabase()
  const merchants = await merchantOfEach(cluster, databaseUrl)
  const place = await placeOf(folder, databaseUrl)
  let server = await startServer(place)
  closing.defer(async () => {
    server.kill('SIGKILL')
    await server.ended
  })
  const sides: Side[] = []
  for (const [at, { node, merchant }] of merchants.entries()) {
    const receiver = await openReceiver(join(folder, `received-${at}.jsonl`))
    closing.defer(() => receiver.close())
    const journal = join(folder, `load-${at}.jsonl`)
    const stranger = merchants[1 - at]?.merchant ?? merchant
    const witness: Witness = {
      databaseUrl,
      receiver,
      merchant,
      stranger,
      journals: [journal],
      logFile: place.logFile,
      live: undefined,
      server: () => server,
    }
    const order = { url: server.url, key: merchant.testKey, callbackUrls: [receiver.url], journal, clients }
    const load = startLoad({ ...order, seed: random.whole(0, 2 ** 31), name: `order-${at}` })
    closing.defer(() => load.kill())
    sides.push({ node, witness, load })
  }
  return {
    cluster,
    sides: sides as [Side, Side],
    server: () => server,
    async startServer() {
      server = await startServer(place)
    },
    async copy() {
      const url = await copyToPlain(databaseUrl, folder)
      return sides.map(({ witness }) => ({ ...witness, databaseUrl: url }))
    },
    close: async () => closing.disposeAsync(),
  }
}

async function merchantOfEach(
  cluster: CitusCluster,
  databaseUrl: string,
): Promise<{ node: Node; merchant: Merchant }[]> {
  const db = new Database(databaseUrl, { poolSize: 2 })
  const found = new Map<Node, Merchant>()
  try {
    for (let tries = 0; found.size < cluster.nodes.length && tries < merchantsMax; tries += 1) {
      const merchant = await openAccount(db, `Shop ${tries}`)
      const place = await nodeOf(databaseUrl, merchant.id)
      const node = cluster.nodes.find(({ port }) => place.endsWith(`:${port}`))
      if (node && !found.has(node)) found.set(node, merchant)
    }
    return [...found].map(([node, merchant]) => ({ node, merchant }))
  } finally {
    await db.close()
  }
}

async function placeOf(folder: string, databaseUrl: string): Promise<ServerPlace> {
  const trusted = join(folder, 'merchant.pem')
  writeFileSync(trusted, cert)
  const logFile = join(folder, 'server.log')
  return { port: await freePort(), databaseUrl, trusted, settings: serverSettings, logFile }
}

/** The checks join and compare as they like, which Citus does not take. That it has all rows is what backups promise. */
async function copyToPlain(databaseUrl: string, folder: string): Promise<string> {
  const file = join(folder, 'copy.backup')
  await writeBackup(databaseUrl, createWriteStream(file), { program: '0.0.0' })
  const { url } = await createEmptyDatabase()
  await restoreBackup(url, createReadStream(file))
  return url
}
