import { randomBytes } from 'node:crypto'
import fastify, {
  LogController,
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify'
import { Refusal } from '../errors/refusals.ts'
import { makeBrokenRequests } from './broken-request.ts'
import { answerError, sendRefusal } from './error-handler.ts'
import { addJsonBodies } from './json-body.ts'
import { logAnswer, type Logger } from './log.ts'
import type { Metrics } from './metrics.ts'
import { everyAnswer, jsonPolicy, transportHeaders } from './security.ts'

// The bare server: request ids, headers, limits, one error handler, one log line per answer. Rooms add the routes.

export const bodyLimitBytes = 64 * 1024
// 255 characters of four bytes each, percent-encoded.
const urlParameterMax = 3_100
const lateCheckMs = 1_000

export type ServerOptions = {
  readonly log: Logger
  readonly metrics: Metrics
  readonly baseUrl: string
  readonly requestTimeoutMs: number
  readonly trustedProxies: readonly string[]
}

export type Server = FastifyInstance

export function makeServer(options: ServerOptions): Server {
  const headers = {
    ...everyAnswer,
    ...transportHeaders(options.baseUrl),
    'content-security-policy': jsonPolicy,
  }
  const broken = makeBrokenRequests(headers, makeRequestId)
  // Fastify's own lines only from warnings up: what there is to say of a request is said once, below.
  const quietLog: FastifyBaseLogger = options.log.child({}, { level: quietLevel(options.log) })
  const server: Server = fastify({
    loggerInstance: quietLog,
    logController: new LogController({ disableRequestLogging: true }),
    childLoggerFactory: (logger) => logger,
    genReqId: makeRequestId,
    requestIdHeader: false,
    bodyLimit: bodyLimitBytes,
    requestTimeout: options.requestTimeoutMs,
    http: {
      headersTimeout: options.requestTimeoutMs,
      requestTimeout: options.requestTimeoutMs,
      // Node looks for late requests every 30 s unless told otherwise, which would make ten seconds forty.
      connectionsCheckingInterval: lateCheckMs,
      // Node would answer a missing Host with an empty page; missingHost says it in the envelope.
      requireHostHeader: false,
    },
    keepAliveTimeout: 72_000,
    routerOptions: { maxParamLength: urlParameterMax, ignoreTrailingSlash: false },
    trustProxy: options.trustedProxies.length > 0 ? [...options.trustedProxies] : false,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    clientErrorHandler: (error, socket) => broken.answer(error, socket),
    // Addresses that the router can't read: no hook has run for them.
    frameworkErrors(error, request, reply) {
      void reply.headers(headers).header('x-request-id', request.id)
      answerError(error, request, reply)
      note(options, request, reply)
    },
  })
  server.server.on('request', (request, response) => broken.seen(request, response))
  // An expectation that we don't know may be ignored; Node would answer it with an empty page.
  server.server.on('checkExpectation', (request, response) =>
    server.server.emit('request', request, response),
  )
  server.addHook('onRequest', (request, reply, done) => {
    void reply.headers(headers).header('x-request-id', request.id)
    done(missingHost(request))
  })
  server.addHook('onResponse', (request, reply, done) => {
    note(options, request, reply)
    done()
  })
  lastAnswersClose(server)
  addJsonBodies(server)
  server.setErrorHandler(answerError)
  const patterns = collectPatterns(server)
  server.setNotFoundHandler((request, reply) => sendRefusal(reply, notHere(request, patterns)))
  return server
}

/** A client whose request finishes while we stop must not send its next one on the same connection. */
function lastAnswersClose(server: Server): void {
  let stopping = false
  server.addHook('preClose', (done) => {
    stopping = true
    done()
  })
  server.addHook('onSend', (_, reply, payload, done) => {
    if (stopping) void reply.header('connection', 'close')
    done(null, payload)
  })
}

// Unique, not secret: a random word for this process and a count.
const processWord = randomBytes(9).toString('base64url')
let requestCount = 0

function makeRequestId(): string {
  requestCount += 1
  return `req_${processWord}${requestCount.toString(36)}`
}

function missingHost({ raw }: FastifyRequest): Refusal | undefined {
  if (raw.httpVersion !== '1.1' || raw.headers.host !== undefined) return undefined
  return new Refusal('malformed_body', 'The request is not valid HTTP: it has no Host header')
}

function quietLevel(log: Logger): string {
  return log.isLevelEnabled('info') ? 'warn' : log.level
}

function note({ log, metrics }: ServerOptions, request: FastifyRequest, reply: FastifyReply): void {
  // The route's pattern, never the address itself: that may hold a tx_ref or a checkout number.
  const route = request.routeOptions.url ?? 'none'
  const status = reply.statusCode
  metrics.requests.observe(
    { method: request.method, route, status: String(status) },
    reply.elapsedTime / 1000,
  )
  logAnswer(log, { requestId: request.id, method: request.method, route, status, ms: reply.elapsedTime })
}

type Pattern = { readonly method: string; readonly url: string; readonly matches: RegExp }

const routes = new WeakMap<Server, Pattern[]>()

/** Every route of a server, for the 405 answer and for the test that compares them with the documentation. */
export function routesOf(server: Server): readonly { readonly method: string; readonly url: string }[] {
  return routes.get(server) ?? []
}

function collectPatterns(server: Server): Pattern[] {
  const patterns: Pattern[] = []
  routes.set(server, patterns)
  server.addHook('onRoute', (route) => {
    const source = route.url
      .split('/')
      .map((part) => (part.startsWith(':') ? '[^/]+' : escapePattern(part)))
      .join('/')
    for (const method of [route.method].flat()) {
      patterns.push({ method, url: route.url, matches: new RegExp(`^${source}$`) })
    }
  })
  return patterns
}

function escapePattern(part: string): string {
  return part === '*' ? '.*' : RegExp.escape(part)
}

function notHere(request: FastifyRequest, patterns: readonly Pattern[]): Refusal {
  const path = request.url.split('?')[0] ?? ''
  const allowed = patterns.filter((pattern) => pattern.matches.test(path)).map((pattern) => pattern.method)
  if (allowed.length === 0) return new Refusal('not_found', 'There is nothing at this address')
  const list = [...new Set(allowed)].join(', ')
  return new Refusal('method_not_allowed', `${request.method} is not allowed here, use ${list}`, {
    headers: { allow: list },
  })
}
