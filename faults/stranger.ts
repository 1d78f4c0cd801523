import { fork, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, get } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { freePort } from '../test/support/free-port.ts'
import { waitUntil } from '../test/support/wait-until.ts'

// node bin/run.js faults/stranger.ts [--sockets 20000] [--descriptors 1024] [--seconds 30] [--per-address 500] [--from 127.0.0.1]
//
// One stranger (127.0.0.2, so Linux only; with --from 127.0.0.1 the address of the honest calls) opens many connections, sends half a head on each, ignores our end, and five
// seconds after one is cut opens another: 4,000 new ones a second. Meanwhile somebody else makes honest calls, on new
// connections and on one that is kept. Ends by itself. The server that it starts has as few descriptors as told.

const options = {
  sockets: { type: 'string', default: '20000' },
  descriptors: { type: 'string', default: '1024' },
  seconds: { type: 'string', default: '30' },
  'per-address': { type: 'string', default: '500' },
  from: { type: 'string', default: '127.0.0.2' },
  hold: { type: 'string' },
  port: { type: 'string', default: '0' },
} as const
const { values } = parseArgs({ options })

const socketsPerProcess = 5_000
const reopenMs = 5_000
const honestPauseMs = 20

if (values.hold === undefined) await watch()
else hold(Number(values.hold), Number(values.port))

function hold(count: number, port: number): void {
  const open = (): void => {
    const socket = connect({ host: '127.0.0.1', port, localAddress: values.from, allowHalfOpen: true })
    socket.on('connect', () => socket.write('GET /healthz HTTP/1.1\r\nhost: a\r\nx-half'))
    socket.on('error', () => {}).on('close', () => setTimeout(open, reopenMs))
    socket.resume()
  }
  for (let opened = 0; opened < count; opened += 1) setTimeout(open, (opened / count) * reopenMs)
  // Nothing is left behind when the one who started it is gone.
  process.on('disconnect', () => process.exit())
}

async function watch(): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'florin-stranger-'))
  const port = await freePort()
  const florin = fileURLToPath(new URL('../bin/florin', import.meta.url))
  const settings = { MAX_CONNECTIONS_PER_ADDRESS: values['per-address'], LOG_LEVEL: 'error' }
  const server = spawn('sh', ['-c', `ulimit -n ${Number(values.descriptors)}; exec "$0" serve`, florin], {
    env: { ...process.env, ...settings, PORT: String(port), DATA_DIR: dataDir },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const ended = once(server, 'exit')
  const strangers: ChildProcess[] = []
  try {
    await waitUntil('the server is ready', async () => (await ask(port)).ok)
    tell('alone', await honestCalls(port, 5))
    for (let left = Number(values.sockets); left > 0; left -= socketsPerProcess) {
      const args = [
        '--hold',
        String(Math.min(left, socketsPerProcess)),
        '--port',
        String(port),
        '--from',
        values.from,
      ]
      strangers.push(fork(fileURLToPath(import.meta.url), args))
    }
    tell(`beside ${values.sockets} sockets`, await honestCalls(port, Number(values.seconds)))
  } finally {
    for (const stranger of strangers) stranger.disconnect()
    server.kill('SIGTERM')
    await ended
    rmSync(dataDir, { recursive: true, force: true })
  }
}

type CallResult = { readonly ok: boolean; readonly ms: number }
type Calls = Record<'fresh' | 'kept', CallResult[]>

async function honestCalls(port: number, seconds: number): Promise<Calls> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const calls: Calls = { fresh: [], kept: [] }
  const until = performance.now() + seconds * 1_000
  while (performance.now() < until) {
    calls.fresh.push(await ask(port))
    calls.kept.push(await ask(port, agent))
    await pause(honestPauseMs)
  }
  agent.destroy()
  return calls
}

async function ask(port: number, agent: Agent | false = false): Promise<CallResult> {
  const began = performance.now()
  const ok = await new Promise<boolean>((resolve) => {
    const request = get({ host: '127.0.0.1', port, path: '/readyz', agent, timeout: 10_000 }, (answer) => {
      answer.resume().on('end', () => resolve(answer.statusCode === 200))
    })
    request.on('error', () => resolve(false)).on('timeout', () => request.destroy())
  })
  return { ok, ms: performance.now() - began }
}

function tell(when: string, calls: Calls): void {
  for (const [kind, asked] of Object.entries(calls)) {
    const times = asked.map(({ ms }) => ms).toSorted((left, right) => left - right)
    const at = (share: number): string => (times[Math.floor((times.length - 1) * share)] ?? 0).toFixed(1)
    const failed = asked.filter(({ ok }) => !ok).length
    process.stdout.write(
      `${when}, ${kind} connections: ${asked.length} honest calls, ${failed} failed, ` +
        `median ${at(0.5)} ms, 99 % within ${at(0.99)} ms, slowest ${at(1)} ms\n`,
    )
  }
}
