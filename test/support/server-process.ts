import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { openSync, readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { freePort } from './free-port.ts'
import { ordinary } from './run-florin.ts'
import { waitUntil } from './wait-until.ts'

// A Florin in a process of its own, on a database that the test made: for what only shows between processes.

export type ServerProcess = {
  readonly url: string
  readonly child: ChildProcess
  stop(signal?: NodeJS.Signals): Promise<void>
}

const ownProgram = fileURLToPath(new URL('../../src/florin.ts', import.meta.url))

export async function startServerProcess(
  databaseUrl: string,
  settings: Record<string, string> = {},
  args: string[] = ['serve'],
  /** Where its log goes; else it is read line by line here, which costs as much as writing it. */
  logFile?: string,
  program = ownProgram,
): Promise<ServerProcess> {
  const port = Number(settings['PORT'] ?? (await freePort()))
  const url = `http://127.0.0.1:${port}`
  const child = spawn(process.execPath, [program, ...args], {
    cwd: '/',
    env: {
      ...ordinary(),
      DATABASE_URL: databaseUrl,
      PORT: String(port),
      LOG_LEVEL: 'error',
      ALLOW_UNSAFE_DATABASE: 'on',
      // It ends with the test, also with one that was stopped for taking too long.
      FLORIN_LAUNCHER_FD: '3',
      ...settings,
    },
    stdio: ['ignore', logFile === undefined ? 'pipe' : openSync(logFile, 'w'), 'inherit', 'pipe'],
  })
  const ended = once(child, 'exit')
  const ready = child.stdout ? readyLine(child.stdout) : readyIn(logFile ?? '')
  const failed = ended.then(([code]) => {
    throw new Error(`The server ended with ${code} before it was ready`)
  })
  await Promise.race([ready, failed])
  return {
    url,
    child,
    async stop(signal = 'SIGTERM') {
      if (child.exitCode === null && child.signalCode === null) child.kill(signal)
      await ended
    },
  }
}

async function readyLine(output: Readable): Promise<void> {
  const lines = createInterface({ input: output })
  await new Promise<void>((resolve) => lines.on('line', (line) => line.includes('ready') && resolve()))
}

async function readyIn(logFile: string): Promise<void> {
  await waitUntil('the server is ready', () => readFileSync(logFile, 'utf8').includes('ready'))
}
