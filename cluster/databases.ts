import { distribute } from '../src/modules/cluster/distribute.ts'
import { migrate, readMigrations, type Migration } from '../src/platform/database/migrate.ts'
import { TEMPLATE } from '../test/support/database.ts'
import { query } from './query.ts'
import type { CitusCluster } from './start-cluster.ts'

// Databases on all nodes at once. A spread one is made once and then cloned on each node: what Citus knows of a database is in
// its own tables, so clones with one name belong together.

/** Few: spreading takes time for each, and two nodes need no more. */
const shards = 4

/** Empty, with all nodes added; returns the coordinator's URL. */
export async function createClusterDatabase(cluster: CitusCluster, name: string): Promise<string> {
  for (const node of [cluster.coordinator, ...cluster.nodes]) {
    await query(node.url('postgres'), `create database ${name}`)
    await query(node.url(name), 'create extension citus')
    await query(node.url('postgres'), `alter database ${name} set citus.shard_count = ${shards}`)
  }
  const url = cluster.coordinator.url(name)
  await query(url, `select citus_set_coordinator_host('127.0.0.1', $1)`, [cluster.coordinator.port])
  for (const { port } of cluster.nodes) await query(url, `select citus_add_node('127.0.0.1', $1)`, [port])
  return url
}

/** The one that tests are given clones of. */
export async function createTemplate(cluster: CitusCluster, migrations?: Migration[]): Promise<void> {
  const url = await createClusterDatabase(cluster, TEMPLATE)
  await migrate(url, migrations ?? readMigrations())
  await distribute(url, () => {})
  for (const node of [cluster.coordinator, ...cluster.nodes]) {
    const admin = node.url('postgres')
    await query(admin, `alter database ${TEMPLATE} with is_template true allow_connections false`)
    // Citus has a process of its own in each database, which would make every clone fail.
    await query(admin, `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${TEMPLATE}'`)
  }
}

/** What test/support/database.ts reads. */
export function testEnvironment({ coordinator, nodes }: CitusCluster): Record<string, string> {
  return {
    FLORIN_TEST_DATABASE_URL: coordinator.url('postgres'),
    FLORIN_TEST_NODES: nodes.map((node) => node.url('postgres')).join(' '),
  }
}

/** Until what it returns is called. */
export function setEnvironment(environment: Record<string, string>): () => void {
  const before = Object.keys(environment).map((name) => [name, process.env[name]] as const)
  Object.assign(process.env, environment)
  return () => {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name]
      else process.env[name] = value
    }
  }
}
