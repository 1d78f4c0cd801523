import type { FastifyReply } from 'fastify'
import type { PagePolicy } from '../../http/security.ts'
import type { Headers } from '../../http/send-text.ts'
import type { Brand } from '../../merchants/brand/brand.ts'
import { embedOriginsOf } from '../../merchants/brand/embed-hosts.ts'

// The page of a payment or a link may stand in a frame, or be opened by a page that wants to hear of it, on hosts that its merchant named and
// nowhere else. Without any, nothing changes: no frame, and no tie to the page that opened it.

export type Embedding = {
  readonly origins: readonly string[]
  readonly policy: PagePolicy
  readonly headers: Headers
}

const nowhere: Embedding = { origins: [], policy: {}, headers: {} }

export function embeddingOf({ embedHosts }: Pick<Brand, 'embedHosts'>): Embedding {
  const origins = embedHosts.flatMap((host) => embedOriginsOf(host) ?? [])
  if (origins.length === 0) return nowhere
  return {
    origins,
    policy: { frameAncestors: origins },
    // The content policy names who may; the older header can only say nobody. A pop-up has to reach the page that opened it.
    headers: { 'x-frame-options': '', 'cross-origin-opener-policy': 'unsafe-none' },
  }
}

/** A redirect shows nothing, and must not cut a pop-up from the page that opened it: the page that follows decides. */
export function withoutDocument(reply: FastifyReply): FastifyReply {
  return reply.header('cross-origin-opener-policy', 'unsafe-none')
}
