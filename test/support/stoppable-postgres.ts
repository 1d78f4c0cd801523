import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from './free-port.ts'
import { connectionUrl, openCluster } from '../../src/platform/postgres/embedded-cluster.ts'
import { launch, type RunningPostgres } from '../../src/platform/postgres/embedded-process.ts'

// A PostgreSQL of a test's own, which it may stop and start again on the same port.

export type StoppablePostgres = {
  readonly url: string
  stop(): Promise<void>
  start(): Promise<void>
  remove(): Promise<void>
}

export async function startStoppablePostgres(): Promise<StoppablePostgres> {
  const folder = mkdtempSync(join(tmpdir(), 'florin-stoppable-'))
  const cluster = await openCluster(folder, { durable: false, onCreate: () => {} })
  const port = await freePort()
  const settings = {
    port: String(port),
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    fsync: 'off',
  }
  let running: RunningPostgres | undefined = await launch(cluster, settings)
  return {
    url: connectionUrl(folder, port, { database: 'postgres' }),
    async stop() {
      await running?.stop()
      running = undefined
    },
    async start() {
      running ??= await launch(cluster, settings)
    },
    async remove() {
      await running?.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
