import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { environment } from '../src/platform/postgres/embedded-cluster.ts'
import { launch, StartFailed, type RunningPostgres } from '../src/platform/postgres/embedded-process.ts'
import { chooseUser, identity, type RunAs } from '../src/platform/postgres/embedded-user.ts'
import { familyOf } from '../faults/process-family.ts'
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
  // A run of tests removes its own folder at its end. On a busy machine that takes longer than a test file may take to end.
  const ofRun = process.env['FLORIN_TEST_FOLDER']
  const folder = mkdtempSync(join(ofRun === undefined ? tmpdir() : dirname(ofRun), 'florin-cluster-'))
  const names = ['coordinator', ...Array.from({ length: nodeCount }, (_, index) => `node${index + 1}`)]
  const runAs = chooseUser(join(programs, 'postgres'), folder, join(folder, 'coordinator'))
  const all: OwnNode[] = []
  const stop = async (): Promise<void> => {
    await Promise.all(all.map(async (node) => node.stop()))
    if (ofRun === undefined) rmSync(folder, { recursive: true, force: true })
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
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    const { pid, ended } = running ?? {}
    if (pid === undefined) return
    for (const each of signal === 'SIGKILL' ? familyOf(pid) : [pid]) signalTo(each, signal)
    // A PostgreSQL alone does not keep this process alive (launch).
    const waiting = setInterval(() => {}, 1_000)
    await ended
    clearInterval(waiting)
    running = undefined
  }
  return {
    name,
    port,
    url: (database) => `postgres://florin@127.0.0.1:${port}/${database}`,
    async start() {
      running ??= await launchAgain(async () => launch(cluster, settings))
    },
    // Nobody needs its files any more, so it writes nothing: the orderly way took ten seconds and more on a busy machine.
    stop: async () => end('SIGQUIT'),
    kill: async () => end('SIGKILL'),
  }
}

/** What is left of one that was killed ends by itself, but not at once. */
async function launchAgain(start: () => Promise<RunningPostgres>): Promise<RunningPostgres> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await start()
    } catch (error) {
      const isLeft = error instanceof StartFailed && /still in use/.test(error.message)
      if (!isLeft || tries === startsMax) throw error
      await pause(500)
    }
  }
}
const startsMax = 60

/** It may have ended by itself meanwhile. */
function signalTo(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
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
