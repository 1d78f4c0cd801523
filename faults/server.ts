import { spawn, type ChildProcess } from 'node:child_process'
import { createWriteStream, existsSync, readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { Order, Played } from './points.ts'
import { testSecretsKey } from '../test/support/secrets.ts'

export { freePort } from '../test/support/free-port.ts'

// A Florin in a process of its own that can be killed, stopped and told to fail, and started again on its port.

export type FloatingServer = {
  readonly url: string
  readonly pid: number
  /** Resolves with the signal or the code that it ended with. */
  readonly ended: Promise<NodeJS.Signals | number>
  /** How often the network's mood was acted out so far. */
  played(): number
  tell(order: Order): void
  kill(signal: NodeJS.Signals): void
}

export type ServerPlace = {
  readonly port: number
  readonly databaseUrl: string
  readonly settings: Readonly<Record<string, string>>
  /** A file with the certificate of the receiving merchant. */
  readonly trusted: string
  /** Everything that it prints ends up here. */
  readonly logFile: string
}

const program = fileURLToPath(new URL('../src/florin.ts', import.meta.url))
// Apart from bin/florin's: with the hooks some modules read otherwise, and where both share a folder each throws away
// what the other compiled, which made every start cost a third more.
const compiled = fileURLToPath(new URL('../node_modules/.cache/florin-compiled-faults', import.meta.url))
const hooks = new URL('./fail-points.ts', import.meta.url).href
/** A machine with ten times as much to do as it can took more than half a minute once, and a long run was lost for it. */
const readyWithinMs = 300_000
const startsAtMost = 30
/** A stage's limits are two and three seconds: where the machine stands still for longer, a start ends with one of these. */
const lateStart =
  /due to connection timeout|due to statement timeout|did not answer in time|Query read timeout/

/** Again where the database did not answer in time, as whatever looks after a server would. */
export async function startServer(place: ServerPlace, args: string[] = ['serve']): Promise<FloatingServer> {
  for (let left = startsAtMost; ; left -= 1) {
    try {
      return await startOnce(place, args)
    } catch (error) {
      const isLate = error instanceof Error && lateStart.test(error.message)
      if (!isLate || left === 1) throw error
    }
  }
}

async function startOnce(place: ServerPlace, args: string[]): Promise<FloatingServer> {
  const child = spawn(process.execPath, ['--import', hooks, program, ...args], {
    cwd: '/',
    env: {
      PATH: process.env['PATH'],
      NODE_COMPILE_CACHE: compiled,
      NODE_EXTRA_CA_CERTS: place.trusted,
      DATABASE_URL: place.databaseUrl,
      SECRETS_KEY: testSecretsKey,
      PORT: String(place.port),
      LOG_LEVEL: 'info',
      ...place.settings,
    },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  const ended = new Promise<NodeJS.Signals | number>((resolve) => {
    child.on('exit', (code, signal) => resolve(signal ?? code ?? 1))
  })
  const log = createWriteStream(place.logFile, { flags: 'a' })
  child.stdout?.pipe(log, { end: false })
  child.stderr?.pipe(log, { end: false })
  child.on('close', () => log.end())
  let played = 0
  child.on('message', (word: Played) => {
    if (word === 'played') played += 1
  })
  try {
    await ready(child, place.logFile)
    keepCompiledCode(child)
  } catch (error) {
    child.kill('SIGKILL')
    await ended
    throw error
  }
  return {
    url: `http://127.0.0.1:${place.port}`,
    pid: child.pid ?? 0,
    ended,
    played: () => played,
    tell: (order) => void (child.connected && child.send(order)),
    kill: (signal) => void child.kill(signal),
  }
}

const state = { isCompiledCodeKept: false }

/** Once is enough for all servers that this process starts. */
function keepCompiledCode(child: ChildProcess): void {
  if (state.isCompiledCodeKept) return
  state.isCompiledCodeKept = true
  child.send({ kind: 'keep compiled code' } satisfies Order)
}

async function ready(child: ChildProcess, logFile: string): Promise<void> {
  if (!child.stdout) throw new Error('The server has no output')
  const lines = createInterface({ input: child.stdout })
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new Error(`Not ready in time: ${lastWords(logFile)}`)),
      readyWithinMs,
    )
    const settle = (act: () => void) => (): void => {
      clearTimeout(timer)
      act()
    }
    lines.on('line', (line) => line.includes('is ready') && settle(resolve)())
    child.on(
      'exit',
      settle(() => reject(new Error(`The server ended before it was ready: ${lastWords(logFile)}`))),
    )
  })
}

/** The folder is thrown away with the stage, so what was said last is told at once. */
function lastWords(logFile: string): string {
  return existsSync(logFile) ? readFileSync(logFile, 'utf8').slice(-2_000) : ''
}
