import type { FastifyReply, FastifyRequest } from 'fastify'
import { spendRequest, type RateLimit } from '../http/rate-limit.ts'
import type { Authenticated } from './authenticate.ts'

// Whoever asks is known, and has a request left, before the body is looked at: a missing key is told as such, not as the
// first mistake of a body that nobody would have taken.

export type Gate<Who extends Authenticated> = {
  /** For the `onRequest` of a route. */
  readonly check: (request: FastifyRequest, reply: FastifyReply) => Promise<void>
  /** Who passed. */
  callerOf(request: FastifyRequest): Who
}

export function makeGate<Who extends Authenticated>(
  authenticate: (header: string | undefined) => Promise<Who>,
  keyLimit: RateLimit,
): Gate<Who> {
  const callers = new WeakMap<FastifyRequest, Who>()
  return {
    async check(request, reply) {
      const caller = await authenticate(request.headers.authorization)
      spendRequest(keyLimit, caller.keyId, reply)
      callers.set(request, caller)
    },
    callerOf(request) {
      const caller = callers.get(request)
      if (!caller) throw new Error('A route asks who calls it, and has no gate')
      return caller
    },
  }
}
