import type { FastifyReply, FastifyRequest } from 'fastify'
import { answerWithOk } from '../../platform/http/envelope-status.ts'
import { noteCaller } from '../../platform/http/note-answer.ts'
import { spendRequest, type RateLimit } from '../../platform/http/rate-limit.ts'
import { ownerOf, type Authenticated, type Authenticator, type Caller } from './authenticate.ts'

// The caller is authenticated and within the rate limit before the body is read: a missing key is reported as such, not
// as the first mistake of a body that would be refused anyway.

type Done = (error?: Error) => void

export type Gate<Who extends Authenticated> = {
  /** For the `onRequest` of a route. */
  readonly check: (request: FastifyRequest, reply: FastifyReply, done: Done) => void
  /** The authenticated caller. */
  callerOf(request: FastifyRequest): Who
}

type Keys<Who> = {
  recall(header: string | undefined): Who | undefined
  find(header: string | undefined): Promise<Who>
  refused(error: unknown, request: FastifyRequest): unknown
}

/** Group A. */
export function makeSecretGate(keys: Authenticator, keyLimit: RateLimit): Gate<Caller> {
  return makeGate(
    {
      recall: (header) => keys.recallSecretKey(header),
      find: (header) => keys.secretKey(header),
      refused: (error, request) => keys.refused(error, request),
    },
    keyLimit,
  )
}

/** Group B. */
export function makeApiGate(keys: Authenticator, keyLimit: RateLimit): Gate<Authenticated> {
  return makeGate(
    {
      recall: (header) => keys.recallApiKey(header),
      find: (header) => keys.apiKey(header),
      refused: (error, request) => keys.refused(error, request),
    },
    keyLimit,
  )
}

/** In either group. */
export function makeAnyGate(keys: Authenticator, keyLimit: RateLimit): Gate<Authenticated> {
  return makeGate(
    {
      // Asked for once, by a person who sets a plugin up: nothing is gained by remembering.
      recall: () => undefined,
      find: (header) => keys.anyKey(header),
      refused: (error, request) => keys.refused(error, request),
    },
    keyLimit,
  )
}

function makeGate<Who extends Authenticated>(keys: Keys<Who>, keyLimit: RateLimit): Gate<Who> {
  const callers = new WeakMap<FastifyRequest, Who>()

  function admit(request: FastifyRequest, reply: FastifyReply, caller: Who): void {
    noteCaller(request, ownerOf(caller))
    if (caller.dialect === 'family') answerWithOk(request)
    spendRequest(keyLimit, caller.keyId, reply)
    callers.set(request, caller)
  }

  async function checkLater(request: FastifyRequest, reply: FastifyReply, done: Done): Promise<void> {
    let refusal: Error | undefined
    try {
      admit(request, reply, await keys.find(request.headers.authorization))
    } catch (error) {
      refusal = keys.refused(error, request) as Error
    }
    done(refusal)
  }

  return {
    // A known key is passed without waiting: a body that is asked for later than in the same turn has to be kept in
    // between, which cost a create 15 microseconds.
    check(request, reply, done) {
      try {
        const known = keys.recall(request.headers.authorization)
        if (!known) return void checkLater(request, reply, done)
        admit(request, reply, known)
      } catch (error) {
        return done(keys.refused(error, request) as Error)
      }
      done()
    },
    callerOf(request) {
      const caller = callers.get(request)
      if (!caller) throw new Error('A route asks who calls it, and has no gate')
      return caller
    },
  }
}
