import { readFileSync } from 'node:fs'
import type { Server as HttpServer, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { networkOf } from '../../input/network-of.ts'
import type { Logger } from '../log.ts'
import type { Metrics } from '../metrics.ts'
import { makeIsTrusted } from './trusted-proxies.ts'

// So many connections and no more, and of one address so many that others still find room: without the second limit
// one stranger who opens 20,000 would be the only one who is let in. At the limit of an address a new connection takes the place of the
// oldest one that is not being answered: 500 half-open sockets must not lock out an office or the customers of a mobile carrier.

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
    'Connections refused or closed because of a limit, by limit.',
    { limit: ['all', 'address'] },
  )
  const open = new Map<string, Set<Connection>>()
  const connections = new WeakMap<object, Connection>()
  deps.metrics.gauge('florin_connections_open', 'Client connections.', () => countOf(server))
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
    refuse('all', `${limits.all} connections are open, refusing new ones: see MAX_CONNECTIONS`),
  )
  function isAdmitted(socket: Socket): boolean {
    if (isTrusted(socket.remoteAddress)) return true
    const network = networkOf(socket.remoteAddress ?? '')
    const ofAddress = open.get(network) ?? new Set()
    if (ofAddress.size >= limits.perAddress) {
      refuse(
        'address',
        `One address has ${limits.perAddress} connections, so Florin closes an idle one for each new one. If it is your proxy, add it to TRUSTED_PROXIES`,
      )
      const spared = leastNeeded(ofAddress)
      if (!spared) {
        socket.resetAndDestroy()
        return false // No test: saves making a parser for a connection that was reset
      }
      ofAddress.delete(spared)
      close(spared)
    }
    const connection: Connection = { socket, wasAnswered: false, latest: undefined }
    open.set(network, ofAddress.add(connection))
    connections.set(socket, connection)
    socket.once('close', () => {
      ofAddress.delete(connection)
      if (ofAddress.size === 0 && open.get(network) === ofAddress) open.delete(network)
    })
    return true
  }
  server.on('request', (request, response) => {
    const connection = connections.get(request.socket)
    if (!connection) return
    connection.wasAnswered ||= connection.latest !== undefined
    connection.latest = response
  })
  admitOnly(server, isAdmitted)
}

type Connection = {
  readonly socket: Socket
  /** Some request before the latest was. */
  wasAnswered: boolean
  latest: ServerResponse | undefined
}

/** The oldest that never sent a whole request, else the oldest that waits for another; none when all are being answered. */
function leastNeeded(connections: Iterable<Connection>): Connection | undefined {
  let idle: Connection | undefined
  for (const connection of connections) {
    const { wasAnswered, latest } = connection
    if (!latest?.req.complete && !wasAnswered) return connection
    if (!latest?.req.complete || latest.closed) idle ??= connection
  }
  return idle
}

/** A reset leaves nothing behind in the system, but it could overtake an answer that the other side has not read yet. */
function close({ socket, latest }: Connection): void {
  if (latest) socket.destroy()
  else socket.resetAndDestroy()
}

/** Node's own listener makes a parser and more for each connection: not for those that are refused. */
function admitOnly(server: HttpServer, isAdmitted: (socket: Socket) => boolean): void {
  const serving = server.listeners('connection') as ((socket: Socket) => void)[]
  server.removeAllListeners('connection')
  server.on('connection', (socket: Socket) => {
    if (isAdmitted(socket)) for (const serve of serving) serve.call(server, socket)
  })
}

/** The configured limits, as far as the system has descriptors: beyond them no client is answered. */
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
