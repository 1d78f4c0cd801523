import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { clusterFolder } from '../../src/database/embedded-cluster.ts'
import { readPostmaster } from '../../src/database/embedded-postmaster.ts'
import { freePort } from '../../test/support/free-port.ts'
import { waitUntil } from '../../test/support/wait-until.ts'
import { startPostgres } from '../site.ts'
import type { Plan } from './plan.ts'

// What is the same for Florin and its peers: a PostgreSQL of their own over TCP, and one process that serves.

/** A server that runs, and what it takes to load it. */
export type Peer = AsyncDisposable & {
  readonly name: string
  readonly create: Plan
  readonly lookUp: Plan
  readonly packages: number
  /** From the command to the first answer, once for each start that counts. */
  readonly readySeconds: readonly number[]
  /** Of the server and its PostgreSQL. */
  readonly pids: readonly number[]
}

/** Opens a peer in a folder of its own and says what it is doing. */
export type OpenPeer = (folder: string, say: (doing: string) => void) => Promise<Peer>

export type Place = {
  readonly port: number
  readonly databaseUrl: string
  readonly postgresPid: number
  /** The environment of all its programs. */
  readonly env: NodeJS.Dict<string>
}

export async function openPlace(opened: AsyncDisposableStack): Promise<Place> {
  const { folder, postgres } = await startPostgres(opened)
  const port = await freePort()
  return {
    port,
    databaseUrl: postgres.url,
    postgresPid: readPostmaster(clusterFolder(folder))?.pid ?? NaN,
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      NODE_ENV: 'production',
      DATABASE_URL: postgres.url,
      PORT: String(port),
    },
  }
}

export type Program = {
  readonly folder: string
  readonly args: readonly string[]
  readonly env: NodeJS.Dict<string>
  readonly port: number
  /** Answers 200 when the server is ready. */
  readonly readyPath: string
}

const starts = 3
const readyWithinMs = 120_000

/** Starts it once to warm up and then as often as counts; the last one stays. */
export async function startOften(
  opened: AsyncDisposableStack,
  program: Program,
): Promise<{ pid: number; readySeconds: readonly number[] }> {
  const readySeconds: number[] = []
  for (let start = 0; start < starts; start += 1) {
    const { seconds, stop } = await startOnce(program)
    if (start > 0) readySeconds.push(seconds)
    await stop()
  }
  const { seconds, pid, stop } = await startOnce(program)
  opened.defer(stop)
  return { pid, readySeconds: [...readySeconds, seconds] }
}

async function startOnce({ folder, args, env, port, readyPath }: Program): Promise<{
  seconds: number
  pid: number
  stop: () => Promise<void>
}> {
  const begin = performance.now()
  const log = openSync(join(folder, 'server.log'), 'w')
  const child = spawn(process.execPath, args, { cwd: folder, env, stdio: ['ignore', log, log] })
  closeSync(log)
  const ended = once(child, 'exit')
  // Who stops us in the middle must not leave it behind.
  const end = (): void => void child.kill('SIGTERM')
  process.once('exit', end)
  const url = `http://127.0.0.1:${port}${readyPath}`
  await waitUntil(
    `${url} answers 200`,
    async () => {
      if (child.exitCode !== null) throw new Error(`The server ended with ${child.exitCode}, see ${folder}`)
      return fetch(url).then(
        ({ ok }) => ok,
        () => false,
      )
    },
    readyWithinMs,
  )
  return {
    seconds: (performance.now() - begin) / 1000,
    pid: child.pid ?? NaN,
    stop: async () => {
      process.off('exit', end)
      end()
      await ended
    },
  }
}

/** Does the work as often as asked, a few at a time, and keeps what comes of it in order. */
export async function many<Made>(times: number, make: (at: number) => Promise<Made>): Promise<Made[]> {
  const made: Made[] = []
  let next = 0
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      for (let at = next++; at < times; at = next++) made[at] = await make(at)
    }),
  )
  return made
}
