import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { environment } from '../src/database/embedded-cluster.ts'
import { launch, type RunningPostgres } from '../src/database/embedded-process.ts'
import { chooseUser, identity, type RunAs } from '../src/database/embedded-user.ts'
import { freePort } from '../test/support/free-port.ts'
import { query } from './query.ts'

// A coordinator and some nodes of Citus on this machine, thrown away at the end.

export type Node = {
  readonly name: string
  readonly port: number
  url(database: string): string
  /** kill -9 of all of it, as when the machine is gone. */
  kill(): Promise<void>
  start(): Promise<void>
}

export type CitusCluster = {
  readonly coordinator: Node
  readonly nodes: readonly Node[]
  readonly version: string
  stop(): Promise<void>
}

export async function startCluster(programs: string, nodeCount = 2): Promise<CitusCluster> {
  const folder = mkdtempSync(join(tmpdir(), 'florin-cluster-'))
  const names = ['coordinator', ...Array.from({ length: nodeCount }, (_, index) => `node${index + 1}`)]
  const runAs = chooseUser(join(programs, 'postgres'), folder, join(folder, 'coordinator'))
  const all: OwnNode[] = []
  const stop = async (): Promise<void> => {
    await Promise.all(all.map(async (node) => node.stop()))
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    for (const name of names) all.push(await makeNode(programs, join(folder, name), name, runAs))
    await Promise.all(all.map(async (node) => node.start()))
    const [coordinator, ...nodes] = all as [OwnNode, ...OwnNode[]]
    const [found] = await query<{ version: string }>(
      coordinator.url('postgres'),
      `select default_version as version from pg_available_extensions where name = 'citus'`,
    )
    return { coordinator, nodes, version: found?.version ?? '', stop }
  } catch (error) {
    await stop()
    throw error
  }
}

type OwnNode = Node & { stop(): Promise<void> }

async function makeNode(programs: string, folder: string, name: string, runAs: RunAs): Promise<OwnNode> {
  makeFiles(programs, folder, runAs)
  const port = await freePort()
  const cluster = { folder, log: `${folder}.log`, postgres: join(programs, 'postgres'), runAs }
  const settings = settingsOf(port)
  let running: RunningPostgres | undefined
  return {
    name,
    port,
    url: (database) => `postgres://florin@127.0.0.1:${port}/${database}`,
    async start() {
      running ??= await launch(cluster, settings)
    },
    async stop() {
      await running?.stop()
      running = undefined
    },
    async kill() {
      const { pid, ended } = running ?? {}
      if (pid === undefined) return
      process.kill(pid, 'SIGKILL')
      await ended
      running = undefined
    },
  }
}

function makeFiles(programs: string, folder: string, runAs: RunAs): void {
  mkdirSync(folder, { recursive: true })
  rmSync(folder, { recursive: true })
  const initdb = [join(programs, 'initdb'), '-D', folder, '-U', 'florin', '--auth=trust', '--no-sync']
  const [command = 'initdb', ...args] = [
    ...runAs.prefix,
    ...initdb,
    '--encoding=UTF8',
    '--locale=C.UTF-8',
  ] as string[]
  const made = spawnSync(command, args, {
    ...identity(runAs),
    cwd: '/',
    env: environment,
    encoding: 'utf8',
  })
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr}`)
}

function settingsOf(port: number): Record<string, string> {
  return {
    port: String(port),
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    shared_preload_libraries: 'citus',
    // Each database has a process of its own on each node, and each connection to the coordinator one to each node.
    max_connections: '300',
    max_worker_processes: '200',
    max_prepared_transactions: '300',
    max_locks_per_transaction: '256',
    shared_buffers: '64MB',
    'citus.enable_statistics_collection': 'off',
    autovacuum: 'off',
    fsync: 'off', // it need not survive the machine, only our kills
    full_page_writes: 'off',
  }
}
