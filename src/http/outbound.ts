import type { LookupAddress } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { performance } from 'node:perf_hooks'
import { Agent, buildConnector, errors, request } from 'undici'
import { reachOf, type Reach } from './addresses.ts'
import { resolveName, type Resolve } from './resolve.ts'

// The only way out to addresses that strangers name. Every connection is checked when it is made: the literal in the
// URL, every answer of the DNS, and the address that the socket ended up at. Redirects are never followed; time and
// size have limits.

export const totalTimeoutMs = 15_000
export const answerLimitBytes = 64 * 1024
const connectTimeoutMs = 10_000
// More than may be under way at once: a merchant must not wait for another's call to the same host.
const connectionsPerOrigin = 512
const idleConnectionMs = 20_000

/** `local` also reaches this machine and its private network: test mode on a developer's machine. */
export type OutboundScope = 'public' | 'local'

export type OutboundRequest = {
  readonly url: string
  readonly headers: Record<string, string>
  readonly body: string
  readonly scope: OutboundScope
  readonly timeoutMs?: number
}

export type OutboundError =
  | 'address_refused'
  | 'bad_url'
  | 'connection_failed'
  | 'connection_reset'
  | 'dns_failed'
  | 'not_http'
  | 'timeout'
  | 'tls_failed'

export type OutboundResult = { readonly ms: number } & (
  | {
      readonly status: number
      readonly retryAfter: string | undefined
      /** What was read of the answer, at most answerLimitBytes. */
      readonly answer: Buffer
      readonly error?: undefined
    }
  | { readonly error: OutboundError; readonly status?: undefined }
)

export type Outbound = {
  post(request: OutboundRequest): Promise<OutboundResult>
  close(): Promise<void>
}

export class AddressRefused extends Error {
  readonly code = 'FLORIN_ADDRESS_REFUSED'
}

export type OutboundOptions = {
  readonly resolve?: Resolve
  /** Certificate authorities instead of the well-known ones. */
  readonly ca?: string
  readonly timeoutMs?: number
}

export function makeOutbound(options: OutboundOptions = {}): Outbound {
  const agents: Record<OutboundScope, Agent> = {
    public: makeAgent('public', options),
    local: makeAgent('local', options),
  }
  return {
    post: async (call) =>
      post(agents[call.scope], call, call.timeoutMs ?? options.timeoutMs ?? totalTimeoutMs),
    async close() {
      await Promise.all(Object.values(agents).map((agent) => agent.destroy()))
    },
  }
}

const allowed: Record<OutboundScope, readonly Reach[]> = {
  public: ['public'],
  local: ['public', 'loopback', 'private'],
}

function makeAgent(scope: OutboundScope, options: OutboundOptions): Agent {
  const resolve = options.resolve ?? resolveName
  const check = (address: string): void => {
    if (!allowed[scope].includes(reachOf(address))) throw new AddressRefused(`${address} may not be called`)
  }
  async function answersOf(hostname: string): Promise<LookupAddress[]> {
    const answers = await resolve(hostname)
    // One bad answer among good ones refuses the name: which one is used is the attacker's choice.
    for (const { address } of answers) check(address)
    return answers
  }
  const lookup: LookupFunction = (hostname, _, found) => {
    void answersOf(hostname).then(
      (answers) => found(null, answers),
      (error: Error) => found(error, []),
    )
  }
  const connect = buildConnector({
    lookup,
    allowH2: false,
    timeout: connectTimeoutMs,
    autoSelectFamily: true,
    rejectUnauthorized: true,
    ...(options.ca !== undefined && { ca: options.ca }),
  })

  return new Agent({
    connections: connectionsPerOrigin,
    allowH2: false,
    keepAliveTimeout: idleConnectionMs,
    keepAliveMaxTimeout: idleConnectionMs,
    headersTimeout: totalTimeoutMs,
    bodyTimeout: totalTimeoutMs,
    maxHeaderSize: 16 * 1024,
    connect(target, done) {
      try {
        // net.connect does not ask `lookup` about a literal.
        if (isIP(target.hostname) !== 0) check(target.hostname)
      } catch (error) {
        return done(error as Error, null)
      }
      connect(target, (...[error, socket]) => {
        if (error) return done(error, null)
        try {
          check(socket.remoteAddress ?? '')
          done(null, socket)
        } catch (refused) {
          socket.destroy()
          done(refused as Error, null)
        }
      })
    },
  })
}

async function post(agent: Agent, call: OutboundRequest, timeoutMs: number): Promise<OutboundResult> {
  const began = performance.now()
  const elapsed = (): number => Math.round(performance.now() - began)
  const clock = new AbortController()
  const timer = setTimeout(() => clock.abort(), timeoutMs)
  try {
    const { statusCode, headers, body } = await request(call.url, {
      method: 'POST',
      dispatcher: agent,
      headers: call.headers,
      body: call.body,
      signal: clock.signal,
    })
    // The status is the receiver's word; what it sends after it is read for the record only.
    const answer = await readStart(body)
    const retryAfter = headers['retry-after']
    return { status: statusCode, retryAfter: [retryAfter].flat()[0], answer, ms: elapsed() }
  } catch (error) {
    return { error: clock.signal.aborted ? 'timeout' : classify(error), ms: elapsed() }
  } finally {
    clearTimeout(timer)
  }
}

/** Reads up to the limit and then hangs up; an answer that breaks off is kept as far as it came. */
async function readStart(body: AsyncIterable<Buffer> & { destroy(): unknown }): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of body) {
      chunks.push(chunk)
      size += chunk.length
      if (size >= answerLimitBytes) break
    }
  } catch {
    body.destroy()
  }
  return Buffer.concat(chunks).subarray(0, answerLimitBytes)
}

const dnsCodes = new Set([
  'ENOTFOUND',
  'ENODATA',
  'EAI_AGAIN',
  'ESERVFAIL',
  'EREFUSED',
  'EBADRESP',
  'EBADNAME',
])
const connectCodes = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EADDRNOTAVAIL',
  'EACCES',
  'EPERM',
])
const resetCodes = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'])
const timeoutCodes = new Set([
  'ETIMEDOUT',
  'ETIMEOUT',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
])

function classify(error: unknown): OutboundError {
  const { code = '' } = error as { code?: string }
  if (error instanceof AggregateError && code === '') return classify(error.errors[0])
  if (error instanceof AddressRefused) return 'address_refused'
  if (timeoutCodes.has(code)) return 'timeout'
  if (dnsCodes.has(code)) return 'dns_failed'
  if (connectCodes.has(code)) return 'connection_failed'
  if (resetCodes.has(code)) return 'connection_reset'
  if (error instanceof errors.InvalidArgumentError || code === 'ERR_INVALID_URL') return 'bad_url'
  if (
    error instanceof errors.HTTPParserError ||
    code.startsWith('HPE_') ||
    code === 'UND_ERR_HEADERS_OVERFLOW'
  )
    return 'not_http'
  // Whatever is left comes from OpenSSL or the certificate check, with a code for each of its many complaints.
  return 'tls_failed'
}
