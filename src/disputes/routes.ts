import type { Database } from '../database/database.ts'
import { success } from '../http/envelope.ts'
import type { RateLimit } from '../http/rate-limit.ts'
import type { Server } from '../http/server.ts'
import type { Authenticator } from '../merchants/authenticate.ts'
import { makeSecretGate } from '../merchants/gate.ts'
import { readDisputes } from './list-disputes.ts'
import { presentDispute } from './present.ts'

export type DisputeRoutes = {
  readonly db: Database
  readonly baseUrl: string
  readonly authenticator: Authenticator
  readonly keyLimit: RateLimit
}

export function addDisputes(server: Server, deps: DisputeRoutes): void {
  const gate = makeSecretGate(deps.authenticator, deps.keyLimit)
  server.get('/api/disputes', { onRequest: gate.check }, async (request) => {
    const { merchant, mode } = gate.callerOf(request)
    const page = await readDisputes(deps.db, { merchantId: merchant.id, mode }, request.query)
    const { nextCursor, perPage } = page
    return {
      ...success('Disputes', page.disputes.map(presentDispute)),
      links: { next: nextCursor === null ? null : nextUrl(deps.baseUrl, request.url, nextCursor) },
      meta: { per_page: perPage, next_cursor: nextCursor },
    }
  })
}

/** The same question, from where this page ended. */
function nextUrl(baseUrl: string, asked: string, cursor: string): string {
  const parameters = new URLSearchParams(asked.split('?').slice(1).join('?'))
  parameters.set('cursor', cursor)
  return `${baseUrl}/api/disputes?${parameters.toString()}`
}
