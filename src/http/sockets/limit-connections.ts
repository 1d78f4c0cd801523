import { readFileSync } from 'node:fs'
import type { Server as HttpServer } from 'node:http'
import type { Socket } from 'node:net'
import { networkOf } from '../../input/network-of.ts'
import type { Logger } from '../log.ts'
import type { Metrics } from '../metrics.ts'
import { makeIsTrusted } from './trusted-proxies.ts'

// So many connections and no more, and of one address so many that others still find room: without the second limit
// one stranger who opens 20,000 would be the only one who is let in.

export type ConnectionLimits = {
  readonly all: number
  readonly perAddress: number
}

type Deps = { readonly log: Logger; readonly metrics: Metrics; readonly trustedProxies: readonly string[] }

// The rest is for the database, notifications on their way out, and files.
const shareOfDescriptors = 0.75
const warnEveryMs = 60_000

export function limitConnections(server: HttpServer, asked: ConnectionLimits, deps: Deps): void {
  const limits = withinDescriptors(asked, descriptorsMax())
  const isTrusted = makeIsTrusted(deps.trustedProxies)
  const refused = deps.metrics.counter(
    'florin_connections_refused_total',
    'Connections over a limit, by which.',
    ['limit'],
  )
  const open = new Map<string, number>()
  deps.metrics.gauge('florin_connections_open', 'Connections of clients.', () => countOf(server))
  let warnedAtMs = -warnEveryMs

  function refuse(limit: 'all' | 'address', words: string): void {
    refused.inc({ limit })
    const now = performance.now()
    if (now - warnedAtMs < warnEveryMs) return // No test: a warning a millisecond later is the same warning
    warnedAtMs = now
    deps.log.warn(words)
  }

  server.maxConnections = limits.all
  server.on('drop', () =>
    refuse('all', `${limits.all} connections are open, more are refused: see MAX_CONNECTIONS`),
  )
  function isAdmitted(socket: Socket): boolean {
    if (isTrusted(socket.remoteAddress)) return true
    const network = networkOf(socket.remoteAddress ?? '')
    const count = (open.get(network) ?? 0) + 1
    if (count > limits.perAddress) {
      // A reset leaves nothing behind in the system, where an orderly end would wait a minute for the other side.
      socket.resetAndDestroy()
      refuse(
        'address',
        `One address has ${limits.perAddress} connections, more of it are refused. If it is your proxy, list it in TRUSTED_PROXIES`,
      )
      return false // No test: saves making a parser for a connection that was reset
    }
    open.set(network, count)
    socket.once('close', () => {
      const left = (open.get(network) ?? 1) - 1
      if (left === 0) open.delete(network) // No test: saves memory: no entry means no connections
      else open.set(network, left)
    })
    return true
  }
  admitOnly(server, isAdmitted)
}

/** Node's own listener makes a parser and more for each connection: not for those that are refused. */
function admitOnly(server: HttpServer, isAdmitted: (socket: Socket) => boolean): void {
  const serving = server.listeners('connection') as ((socket: Socket) => void)[]
  server.removeAllListeners('connection')
  server.on('connection', (socket: Socket) => {
    if (isAdmitted(socket)) for (const serve of serving) serve.call(server, socket)
  })
}

/** What was asked for, as far as the system has descriptors: beyond them nobody is answered, known or not. */
export function withinDescriptors(
  { all, perAddress }: ConnectionLimits,
  descriptors: number | undefined,
): ConnectionLimits {
  const possible = Math.min(all, Math.floor((descriptors ?? Number.POSITIVE_INFINITY) * shareOfDescriptors))
  return { all: possible, perAddress: Math.min(perAddress, Math.ceil(possible / 2)) }
}

/** Undefined where the system has no such file. Node has raised the soft limit to the hard one when it started. */
function descriptorsMax(): number | undefined {
  try {
    const [, soft] = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? []
    return soft === undefined ? undefined : Number(soft)
  } catch {
    return undefined
  }
}

async function countOf(server: HttpServer): Promise<number> {
  return new Promise((resolve) => server.getConnections((_, count) => resolve(count)))
}
