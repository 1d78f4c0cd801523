import type { FastifyReply } from 'fastify'
import type { PagePolicy } from '../../../platform/http/security.ts'
import type { Headers } from '../../../platform/http/send-text.ts'
import type { Brand } from '../../merchants/brand/brand.ts'
import { embedOriginsOf } from '../../merchants/brand/embed-hosts.ts'

// A payment's or link's page may be framed, or opened by a page that wants to follow it, only on hosts its merchant
// named. Without any, nothing changes: no frame, and no tie to the page that opened it.

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
    // The content policy names the allowed hosts; the older header can only forbid all. A pop-up has to reach the page
    // that opened it.
    headers: { 'x-frame-options': '', 'cross-origin-opener-policy': 'unsafe-none' },
  }
}

/** A redirect shows nothing, and must not cut a pop-up from the page that opened it: the page that follows decides. */
export function withoutDocument(reply: FastifyReply): FastifyReply {
  return reply.header('cross-origin-opener-policy', 'unsafe-none')
}
