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
import type { Logger } from './log.ts'
import type { Metrics } from './metrics.ts'
import { makeNoteAnswer } from './note-answer.ts'
import { everyAnswer, jsonPolicy, transportHeaders } from './security.ts'
import { addHeaders, type Headers } from './send-text.ts'

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
  const headers: Headers = {
    ...everyAnswer,
    ...transportHeaders(options.baseUrl),
    'content-security-policy': jsonPolicy,
  }
  const broken = makeBrokenRequests(headers, makeRequestId)
  const noteAnswer = makeNoteAnswer(options, 'none')
  const noteStray = (request: FastifyRequest, reply: FastifyReply): void =>
    noteAnswer(request, reply, () => {})
  const server: Server = fastify({
    loggerInstance: quietLog(options.log),
    logController: new LogController({ disableRequestLogging: true }),
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
      noteStray(request, reply)
    },
  })
  server.server.on('request', (request, response) => broken.seen(request, response))
  // An expectation that we don't know may be ignored; Node would answer it with an empty page.
  server.server.on('checkExpectation', (request, response) =>
    server.server.emit('request', request, response),
  )
  addHeaders(server, headers)
  server.addHook('onRequest', (request, _, done) => done(missingHost(request)))
  server.addHook('onRoute', (route) => {
    route.onResponse = makeNoteAnswer(options, route.url)
  })
  addJsonBodies(server)
  server.setErrorHandler(answerError)
  const patterns = collectPatterns(server)
  server.setNotFoundHandler((request, reply) => {
    reply.raw.once('finish', () => noteStray(request, reply))
    sendRefusal(reply, notHere(request, patterns))
  })
  return server
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

/**
 * Of Fastify's own lines only warnings and errors: note-answer.ts writes the one line of a request. And one logger for
 * all requests, as a child logger made for each would seldom be used.
 */
function quietLog(log: Logger): FastifyBaseLogger {
  const quiet: FastifyBaseLogger = log.child({}, { level: log.isLevelEnabled('info') ? 'warn' : log.level })
  quiet.child = () => quiet
  return quiet
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
      .map((part) => (part.startsWith(':') ? '[^/]*' : escapePattern(part)))
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
