import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { freePort } from './free-port.ts'
import { ordinary } from './run-florin.ts'

// A Florin in a process of its own, on a database that the test made: for what only shows between processes.

export type ServerProcess = {
  readonly url: string
  readonly child: ChildProcess
  stop(signal?: NodeJS.Signals): Promise<void>
}

const program = fileURLToPath(new URL('../../src/florin.ts', import.meta.url))

export async function startServerProcess(
  databaseUrl: string,
  settings: Record<string, string> = {},
  args: string[] = ['serve'],
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
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  const lines = createInterface({ input: child.stdout })
  await new Promise<void>((resolve, reject) => {
    lines.on('line', (line) => line.includes('ready') && resolve())
    child.on('exit', (code) => reject(new Error(`The server ended with ${code} before it was ready`)))
  })
  return {
    url,
    child,
    async stop(signal = 'SIGTERM') {
      if (child.exitCode === null && child.signalCode === null) child.kill(signal)
      await ended
    },
  }
}
