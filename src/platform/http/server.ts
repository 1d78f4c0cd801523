import fastify, {
  LogController,
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify'
import { movedTo, Refusal } from '../errors/refusals.ts'
import { answerError, sendRefusal } from './error-handler.ts'
import { addJsonBodies } from './json-body.ts'
import { makeKnownPaths, type KnownPaths } from './known-paths.ts'
import type { Logger } from './log.ts'
import type { Metrics } from './metrics.ts'
import { makeNoteAnswer, type OnAnswer } from './note-answer.ts'
import { makeRequestId, makeRequestIds } from './request-id.ts'
import { everyAnswer, jsonPolicy, transportHeaders } from './security.ts'
import { addHeaders, type Headers } from './send-text.ts'
import { makeBrokenRequests } from './sockets/broken-request.ts'
import { limitConnections, type ConnectionLimits } from './sockets/limit-connections.ts'

// The bare server: request ids, headers, limits, one error handler, one log line per answer. Rooms add the routes.

export const bodyLimitBytes = 64 * 1024
// 255 characters of four bytes each, percent-encoded.
const urlParameterMax = 3_100
const lateCheckMs = 1_000

export type ServerOptions = {
  readonly log: Logger
  readonly metrics: Metrics
  readonly baseUrl: string
  readonly version: string
  readonly requestTimeoutMs: number
  readonly headerTimeoutMs: number
  readonly idleTimeoutMs: number
  readonly connections: ConnectionLimits
  readonly trustedProxies: readonly string[]
  readonly onAnswer?: OnAnswer | undefined
  readonly shortensAddress?: (route: string) => boolean
}

export type Server = FastifyInstance

export function makeServer(options: ServerOptions): Server {
  const headers: Headers = {
    ...everyAnswer,
    'florin-version': options.version,
    ...transportHeaders(options.baseUrl),
    'content-security-policy': jsonPolicy,
  }
  const broken = makeBrokenRequests(headers, makeRequestId)
  const noteAnswer = makeNoteAnswer(options, 'none')
  const noteStray = (request: FastifyRequest, reply: FastifyReply): void =>
    noteAnswer(request, reply, () => {})
  const paths = makeKnownPaths()
  const prefix = new URL(options.baseUrl).pathname.replace(/\/+$/, '')
  function answerStray(request: FastifyRequest, reply: FastifyReply): void {
    reply.raw.once('finish', () => noteStray(request, reply))
    sendRefusal(reply, paths.nothingAt(request))
  }
  const server: Server = fastify({
    loggerInstance: quietLog(options.log),
    // No test: saves logging below the log level
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: makeRequestIds(options.trustedProxies),
    rewriteUrl: (request) => paths.tidy(request.method ?? '', request.url ?? '/'),
    requestIdHeader: false,
    bodyLimit: bodyLimitBytes,
    ...timeLimits(options),
    routerOptions: { maxParamLength: urlParameterMax, ignoreTrailingSlash: false },
    // No test: an empty list trusts nobody either
    trustProxy: options.trustedProxies.length > 0 ? [...options.trustedProxies] : false,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    clientErrorHandler: (error, socket) => broken.answer(error, socket),
    // Addresses that the router can't read: no hook has run for them.
    frameworkErrors(error, request, reply) {
      void reply.headers(headers).header('x-request-id', request.id)
      answerError(error, request, reply)
      noteStray(request, reply)
    },
  })
  limitConnections(server.server, options.connections, options)
  server.server.on('request', (request, response) => broken.seen(request, response))
  // An expectation that we don't know may be ignored; Node would answer it with an empty page.
  server.server.on('checkExpectation', (request, response) =>
    server.server.emit('request', request, response),
  )
  addHeaders(server, headers)
  // Before the body is read: what a request lacks is reported first.
  server.addHook('onRequest', (request, reply, done) => {
    const refusal = wrongHost(request)
    if (refusal === undefined && request.is404) return answerStray(request, reply)
    const moved = paths.movedTo(request)
    if (moved !== undefined) return sendRefusal(reply, movedTo(prefix + moved))
    done(refusal)
  })
  server.addHook('onRoute', (route) => {
    paths.add(route)
    route.onResponse = makeNoteAnswer(options, route.url)
    if (hasParameter(route.url)) route.preHandler = [refuseNul, ...[route.preHandler ?? []].flat()]
  })
  addJsonBodies(server)
  server.setErrorHandler(answerError)
  server.setNotFoundHandler(answerStray) // No test: a second safeguard: the hook before it answers already
  routes.set(server, paths)
  return server
}

/** Limits per connection, whatever the client does; limit-connections.ts limits their number. */
function timeLimits(options: ServerOptions) {
  return {
    requestTimeout: options.requestTimeoutMs,
    http: {
      headersTimeout: Math.min(options.headerTimeoutMs, options.requestTimeoutMs),
      requestTimeout: options.requestTimeoutMs,
      // Node looks for late requests every 30 s unless told otherwise, which would make ten seconds forty.
      connectionsCheckingInterval: lateCheckMs,
      // Node would answer a missing Host with an empty page; wrongHost says it in the envelope.
      requireHostHeader: false,
    },
    keepAliveTimeout: options.idleTimeoutMs,
    // A client that asks and never reads the answers is cut off too. Nothing moves either while an answer is being
    // prepared, which takes a wait for the database and a statement or two.
    connectionTimeout: Math.max(options.idleTimeoutMs, 3 * options.requestTimeoutMs),
  }
}

const routes = new WeakMap<Server, KnownPaths>()

/** Every route of a server, for the test that compares them with the documentation. */
export function routesOf(server: Server): readonly { readonly method: string; readonly url: string }[] {
  return routes.get(server)?.all ?? []
}

const hasParameter = (url: string): boolean => /[:*]/.test(url)

/** PostgreSQL can't hold a NUL, so nothing has a name with one: a statement with it would fail. Runs once the caller is known. */
function refuseNul({ params }: FastifyRequest, _: FastifyReply, done: (refusal?: Refusal) => void): void {
  const isOdd = Object.values(params as Record<string, string>).some((value) => value.includes('\0'))
  done(isOdd ? new Refusal('not_found') : undefined)
}

/** A proxy may go by the first of two Host headers and Florin by the second, or the reverse: neither is right. */
function wrongHost({ raw }: FastifyRequest): Refusal | undefined {
  if (raw.headers.host === undefined && raw.httpVersion === '1.1')
    return new Refusal('malformed_body', 'The request is not valid HTTP: the Host header is missing')
  if (hasOneHost(raw.rawHeaders)) return undefined
  return new Refusal('malformed_body', 'The request is not valid HTTP: it has more than one Host header')
}

/** Names and values by turns, as they came: in `headers` Node has left the second one out. */
function hasOneHost(rawHeaders: readonly string[]): boolean {
  let count = 0
  // No test: no header follows the last one
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]
    if (name?.length === 4 && name.toLowerCase() === 'host') count += 1
  }
  return count <= 1
}

/**
 * Fastify itself logs only warnings and errors: note-answer.ts writes the one line per request. And one logger for all
 * requests, as a child logger made for each would rarely be used.
 */
function quietLog(log: Logger): FastifyBaseLogger {
  const quiet: FastifyBaseLogger = log.child({}, { level: log.isLevelEnabled('info') ? 'warn' : log.level })
  quiet.child = () => quiet
  return quiet
}
