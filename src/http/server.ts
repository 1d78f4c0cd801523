import { randomBytes } from 'node:crypto'
import fastify, {
  LogController,
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify'
import { Refusal } from '../errors/refusals.ts'
import { jsonType } from './envelope.ts'
import { answerError, sendRefusal } from './error-handler.ts'
import { addJsonBodies } from './json-body.ts'
import type { Logger } from './log.ts'
import type { Metrics } from './metrics.ts'
import { everyAnswer, jsonPolicy, transportHeaders } from './security.ts'

// The bare server: request ids, headers, limits, one error handler, one log line per answer. Rooms add the routes.

export const bodyLimitBytes = 64 * 1024
// 255 characters of four bytes each, percent-encoded.
const urlParameterMax = 3_100

export type ServerOptions = {
  readonly log: Logger
  readonly metrics: Metrics
  readonly baseUrl: string
  readonly requestTimeoutMs: number
  readonly trustedProxies: readonly string[]
}

export type Server = FastifyInstance

export function makeServer(options: ServerOptions): Server {
  // Fastify's own lines only from warnings up: what there is to say of a request is said once, below.
  const quietLog: FastifyBaseLogger = options.log.child({}, { level: quietLevel(options.log) })
  const server: Server = fastify({
    loggerInstance: quietLog,
    logController: new LogController({ disableRequestLogging: true }),
    childLoggerFactory: (logger) => logger,
    genReqId: () => `req_${randomBytes(12).toString('base64url')}`,
    requestIdHeader: false,
    bodyLimit: bodyLimitBytes,
    requestTimeout: options.requestTimeoutMs,
    keepAliveTimeout: 72_000,
    routerOptions: { maxParamLength: urlParameterMax, ignoreTrailingSlash: false },
    trustProxy: options.trustedProxies.length > 0 ? [...options.trustedProxies] : false,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    clientErrorHandler: answerBrokenRequest,
    frameworkErrors: (error, request, reply) => answerError(error, request, reply),
  })
  const headers = {
    ...everyAnswer,
    ...transportHeaders(options.baseUrl),
    'content-security-policy': jsonPolicy,
  }
  server.addHook('onRequest', (request, reply, done) => {
    void reply.headers(headers).header('x-request-id', request.id)
    done()
  })
  server.addHook('onResponse', (request, reply, done) => {
    note(options, request, reply)
    done()
  })
  addJsonBodies(server)
  server.setErrorHandler(answerError)
  const patterns = collectPatterns(server)
  server.setNotFoundHandler((request, reply) => sendRefusal(reply, notHere(request, patterns)))
  return server
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
  log.info({
    request_id: request.id,
    method: request.method,
    route,
    status,
    ms: Math.round(reply.elapsedTime * 10) / 10,
  })
}

type Pattern = { readonly method: string; readonly matches: RegExp }

function collectPatterns(server: Server): Pattern[] {
  const patterns: Pattern[] = []
  server.addHook('onRoute', (route) => {
    const source = route.url
      .split('/')
      .map((part) => (part.startsWith(':') ? '[^/]+' : escapePattern(part)))
      .join('/')
    for (const method of [route.method].flat()) patterns.push({ method, matches: new RegExp(`^${source}$`) })
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

type BrokenSocket = { writable: boolean; destroyed: boolean; end(text: string): void; destroy(): void }

/** What Node's HTTP parser refuses never reaches Fastify; it still gets the envelope. */
function answerBrokenRequest(error: Error & { code?: string }, socket: BrokenSocket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) return
  const refusal = brokenRequest(error.code)
  const body = JSON.stringify({ status: 'failed', message: refusal.message, data: null, code: refusal.code })
  socket.end(
    `HTTP/1.1 ${refusal.status} ${refusal.code}\r\ncontent-type: ${jsonType}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n` +
      `x-request-id: req_${randomBytes(12).toString('base64url')}\r\nx-content-type-options: nosniff\r\nconnection: close\r\n\r\n${body}`,
  )
}

function brokenRequest(code: string | undefined): Refusal {
  if (code === 'HPE_HEADER_OVERFLOW') return new Refusal('headers_too_large')
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new Refusal('request_timeout')
  return new Refusal('malformed_body', 'The request is not valid HTTP')
}
