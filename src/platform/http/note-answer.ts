import type { FastifyReply, FastifyRequest } from 'fastify'
import { logAnswer, type Logger } from './log.ts'
import type { Metrics } from './metrics.ts'

// One log line and one measured time per answer, by the pattern of the route: the address itself may hold a tx_ref or a
// checkout number. Each route has its own function, because asking Fastify for the route of a request makes an object of
// twelve fields each time.

type Deps = {
  readonly log: Logger
  readonly metrics: Metrics
  /** True for routes that customers call: the log gets only a part of their addresses. */
  readonly shortensAddress?: ((route: string) => boolean) | undefined
  /** After every answer to a caller identified by a key. */
  readonly onAnswer?: OnAnswer | undefined
}

export type OnAnswer = (request: FastifyRequest, reply: FastifyReply, caller: KnownCaller, ms: number) => void

type Labels = { readonly method: string; readonly route: string; readonly status: string }

/** The caller, as far as a key identifies them: for the logs. */
export type KnownCaller = {
  readonly keyId: string
  readonly merchantId: number
  /** Undefined for keys that have none. */
  readonly mode: 'test' | 'live' | undefined
  /** The key opens nothing, or no longer. */
  readonly isTurnedAway?: true
}

const callers = new WeakMap<FastifyRequest, KnownCaller>()

export function noteCaller(request: FastifyRequest, caller: KnownCaller): void {
  callers.set(request, caller)
}

export type NoteAnswer = (request: FastifyRequest, reply: FastifyReply, done: () => void) => void

export function makeNoteAnswer({ log, metrics, onAnswer, shortensAddress }: Deps, route: string): NoteAnswer {
  const isAddressShort = shortensAddress?.(route) ?? false
  const known = new Map<string, Labels>()

  function labelsOf(method: string, status: number): Labels {
    const name = `${method}${status}`
    const labels = known.get(name) ?? { method, route, status: String(status) }
    known.set(name, labels) // No test: a cache: the result is the same
    return labels
  }

  return (request, reply, done) => {
    const { method, id: requestId } = request
    const { statusCode: status, elapsedTime: ms } = reply
    const caller = callers.get(request)
    metrics.requests.observe(labelsOf(method, status), ms / 1000)
    logAnswer(log, {
      requestId,
      method,
      route,
      status,
      ms,
      address: request.ip,
      isAddressShort,
      caller,
    })
    if (caller !== undefined) onAnswer?.(request, reply, caller, ms)
    done()
  }
}
