import type { Database } from '../../../platform/database/database.ts'
import { pageBeside, success } from '../../../platform/http/envelope.ts'
import { limitMisses, type RateLimit } from '../../../platform/http/rate-limit.ts'
import type { Server } from '../../../platform/http/server.ts'
import { requireText } from '../../../platform/input/fields.ts'
import type { Authenticator } from '../../../core/merchants/authenticate.ts'
import { makeSecretGate } from '../../../core/merchants/gate.ts'
import { findDispute } from '../find-dispute.ts'
import { readDisputes } from '../list-disputes.ts'
import { presentDispute } from '../present.ts'

export type DisputeRoutes = {
  readonly db: Database
  readonly baseUrl: string
  readonly authenticator: Authenticator
  readonly keyLimit: RateLimit
  readonly missLimit: RateLimit
}

export function addDisputes(server: Server, deps: DisputeRoutes): void {
  const gate = makeSecretGate(deps.authenticator, deps.keyLimit)
  server.get('/api/disputes', { onRequest: gate.check }, async (request) => {
    const { merchant, mode } = gate.callerOf(request)
    const page = await readDisputes(deps.db, { merchantId: merchant.id, mode }, request.query)
    return {
      ...success('Disputes', page.disputes.map(presentDispute)),
      ...pageBeside(deps.baseUrl, request.url, page),
    }
  })

  server.get<{ Params: { id: string } }>('/api/disputes/:id', { onRequest: gate.check }, async (request) => {
    const { merchant, mode, keyId } = gate.callerOf(request)
    const id = requireText('id', request.params.id)
    const found = await limitMisses(deps.missLimit, keyId, async () =>
      findDispute(deps.db, { merchantId: merchant.id, mode, id }),
    )
    return success('Dispute details', presentDispute(found))
  })
}
