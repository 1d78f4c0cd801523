import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { clusterFolder } from '../src/platform/postgres/embedded-cluster.ts'
import { readPostmaster } from '../src/platform/postgres/embedded-postmaster.ts'
import { ordinary } from '../test/support/run-florin.ts'
import { processorSeconds } from './processor-time.ts'
import { startPostgres, startServers, type Merchant, type Target } from './site.ts'

// A Florin of any checkout, spoken to as an operator would: by its commands and over HTTP. Only the PostgreSQL under it
// is started by this checkout, the same for all.

export type Checkout = Target &
  AsyncDisposable & {
    /** That its servers and its PostgreSQL have spent, where the system says it. */
    processorSeconds(): number | undefined
  }

const run = promisify(execFile)
const commandsAtOnce = 4

export async function openCheckout(root: string, merchantCount: number): Promise<Checkout> {
  await using opened = new AsyncDisposableStack()
  const { folder, postgres } = await startPostgres(opened)
  const program = join(root, 'bin', 'florin')
  const florin = async (...args: string[]): Promise<string> => {
    const env = { ...ordinary(), DATABASE_URL: postgres.socketUrl }
    return (await run(process.execPath, [program, ...args], { cwd: '/', env })).stdout.trim()
  }
  await florin('migrate')
  const merchants: Merchant[] = []
  let left = merchantCount
  await Promise.all(
    Array.from({ length: commandsAtOnce }, async () => {
      while (left > 0) {
        left -= 1
        const id = await florin('merchant', 'create', '--name', 'Bench')
        merchants.push({ id: Number(id), secretKey: await florin('key', 'create', '--merchant', id) })
      }
    }),
  )
  const { port, servers } = await startServers(opened, postgres.socketUrl, folder, program)
  const pids = [...servers.map(({ child }) => child.pid), readPostmaster(clusterFolder(folder))?.pid]
  const known = pids.filter((pid) => pid !== undefined)
  const closing = opened.move()
  return {
    port,
    merchants,
    processorSeconds: () => processorSeconds(known),
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  }
}
