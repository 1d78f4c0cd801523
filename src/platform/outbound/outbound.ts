import type { LookupAddress } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { performance } from 'node:perf_hooks'
import { Agent, buildConnector, errors, type Dispatcher } from 'undici'
import { reachOf, type Reach } from './addresses.ts'
import { AddressRefused, causeOf, failureOf, type OutboundError } from './failure-of.ts'
import { makeResolve, type Resolve } from './resolve.ts'

// The only way out to addresses that strangers name. Every connection is checked when it is made: the literal in the
// URL, every answer of the DNS, and the address that the socket ended up at. Redirects are never followed; time and
// size have limits.

export const totalTimeoutMs = 15_000
export const answerLimitBytes = 64 * 1024
const connectTimeoutMs = 10_000
// More than the worker sends at once, so that no merchant waits for another's call to the same host.
const connectionsPerOrigin = 1_024
const idleConnectionMs = 20_000

/** `local` also reaches this machine and its private network: test mode on a developer's machine. */
export type OutboundScope = 'public' | 'local'

export type OutboundRequest = {
  readonly url: string
  readonly headers: Record<string, string>
  readonly body: string | Uint8Array
  readonly scope: OutboundScope
  readonly timeoutMs?: number
}

/** A call to a network that we chose ourselves. */
export type OutboundCall = OutboundRequest & {
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** Ends the call, connection and all. */
  readonly signal: AbortSignal
  /** Lists of a network are longer than what anybody needs of a notification's answer. */
  readonly answerLimitBytes: number
}

export type OutboundResult = { readonly ms: number } & (
  | {
      readonly status: number
      readonly retryAfter: string | undefined
      /** By which the other side finds the call again. */
      readonly requestId?: string | undefined
      /** The part of the answer that was read, at most answerLimitBytes. */
      readonly answer: Buffer
      readonly error?: undefined
    }
  | { readonly error: OutboundError; readonly cause?: string | undefined; readonly status?: undefined }
)

export type Outbound = {
  post(request: OutboundRequest): Promise<OutboundResult>
  send(call: OutboundCall): Promise<OutboundResult>
  close(): Promise<void>
}

export type OutboundOptions = {
  readonly resolve?: Resolve
  /** Certificate authorities instead of the well-known ones. */
  readonly ca?: string
  readonly timeoutMs?: number
}

export function makeOutbound(options: OutboundOptions = {}): Outbound {
  const resolve = options.resolve ?? makeResolve()
  const agents: Record<OutboundScope, Agent> = {
    public: makeAgent('public', resolve, options.ca),
    local: makeAgent('local', resolve, options.ca),
  }
  const limitsOf = (call: OutboundRequest): Limits => ({
    timeoutMs: call.timeoutMs ?? options.timeoutMs ?? totalTimeoutMs,
    answerLimitBytes,
  })
  return {
    post: async (call) => dispatch(agents[call.scope], 'POST', call, limitsOf(call)),
    send: async (call) =>
      dispatch(agents[call.scope], call.method, call, {
        ...limitsOf(call),
        answerLimitBytes: call.answerLimitBytes,
        signal: call.signal,
      }),
    async close() {
      await Promise.all(Object.values(agents).map((agent) => agent.destroy()))
    },
  }
}

const allowed: Record<OutboundScope, readonly Reach[]> = {
  public: ['public'],
  local: ['public', 'loopback', 'private'],
}

function makeAgent(scope: OutboundScope, resolve: Resolve, ca: string | undefined): Agent {
  const check = (address: string): void => {
    if (!allowed[scope].includes(reachOf(address))) throw new AddressRefused(`${address} is not allowed`)
  }
  async function answersOf(hostname: string): Promise<LookupAddress[]> {
    const answers = await resolve(hostname)
    // One forbidden address refuses the whole name: an attacker in control of the DNS could choose which of them is
    // used.
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
    ...(ca !== undefined && { ca }),
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

type Limits = {
  readonly timeoutMs: number
  readonly answerLimitBytes: number
  readonly signal?: AbortSignal
}

async function dispatch(
  agent: Agent,
  method: 'GET' | 'POST' | 'DELETE',
  call: OutboundRequest,
  limits: Limits,
): Promise<OutboundResult> {
  const url = URL.parse(call.url)
  if (url === null) return { error: 'bad_url', ms: 0 }
  if (limits.signal?.aborted) return { error: 'timeout', ms: 0 }
  return new Promise((settle) => {
    agent.dispatch(
      {
        origin: url.origin,
        path: url.pathname + url.search,
        method,
        headers: call.headers,
        ...(method === 'POST' && { body: call.body }),
      },
      new Answering(limits, settle),
    )
  })
}

// Listens to undici itself: its `request`, which makes a signal and a stream for each call, took the processor 205 µs
// for a notification over an open connection, and this takes 118.
class Answering implements Dispatcher.DispatchHandler {
  readonly #began = performance.now()
  readonly #settle: (result: OutboundResult) => void
  readonly #timer: NodeJS.Timeout
  readonly #limits: Limits
  #controller: Dispatcher.DispatchController | undefined
  #isLate = false
  #status: number | undefined
  #retryAfter: string | undefined
  #requestId: string | undefined
  readonly #chunks: Buffer[] = []
  #size = 0

  constructor(limits: Limits, settle: (result: OutboundResult) => void) {
    this.#settle = settle
    this.#limits = limits
    this.#timer = setTimeout(this.#giveUp, limits.timeoutMs)
    limits.signal?.addEventListener('abort', this.#giveUp)
  }

  readonly #giveUp = (): void => {
    this.#isLate = true
    const tooLate = new errors.RequestAbortedError()
    // Without a connection there is nothing to abort yet; that happens once there is one.
    if (this.#controller) this.#controller.abort(tooLate)
    else this.#end(tooLate)
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    // The time went by before there was a connection.
    if (this.#isLate) controller.abort(new errors.RequestAbortedError())
  }

  onResponseStart(
    _: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    // 1xx, such as 103 Early Hints, comes before the real answer.
    if (status < 200) return
    this.#status = status
    this.#retryAfter = firstOf(headers['retry-after'])
    this.#requestId = firstOf(headers['request-id']) ?? firstOf(headers['x-request-id'])
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#size >= this.#limits.answerLimitBytes) return
    this.#chunks.push(chunk)
    this.#size += chunk.length
    if (this.#size < this.#limits.answerLimitBytes) return
    this.#end()
    // undici's parser is on the stack and does not expect a request to be gone within its own call.
    queueMicrotask(() => controller.abort(new errors.RequestAbortedError()))
  }

  onResponseEnd(): void {
    this.#end()
  }

  onResponseError(_: Dispatcher.DispatchController | null, error: Error): void {
    this.#end(error)
  }

  /** Once there is a status the receiver has answered: a truncated body is returned as far as it came. */
  #end(error?: Error): void {
    clearTimeout(this.#timer)
    this.#limits.signal?.removeEventListener('abort', this.#giveUp)
    const ms = Math.round(performance.now() - this.#began)
    if (this.#status === undefined) {
      this.#settle(
        this.#isLate ? { error: 'timeout', ms } : { error: failureOf(error), cause: causeOf(error), ms },
      )
    } else {
      const answer = Buffer.concat(this.#chunks).subarray(0, this.#limits.answerLimitBytes)
      this.#settle({
        status: this.#status,
        retryAfter: this.#retryAfter,
        answer,
        ms,
        ...(this.#requestId !== undefined && { requestId: this.#requestId }),
      })
    }
  }
}

function firstOf(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header
}
