import { byKey } from '../../../core/audit/audit.ts'
import { jsonType, pageBeside, success } from '../../../platform/http/envelope.ts'
import { bodyText } from '../../../platform/http/json-body.ts'
import { limitMisses, type RateLimit } from '../../../platform/http/rate-limit.ts'
import type { Server } from '../../../platform/http/server.ts'
import type { Authenticator, Caller } from '../../../core/merchants/authenticate.ts'
import { makeSecretGate } from '../../../core/merchants/gate.ts'
import { transactionJson } from '../../../core/payments/present.ts'
import { chargeMethod } from '../charge-method.ts'
import { endMethod } from '../end-method.ts'
import { findSavedMethod, readMethods, withUsable } from '../find-methods.ts'
import type { MethodKeeping, MethodScope } from '../keeping.ts'
import { presentMethod } from '../present.ts'
import { readCharge } from './read-charge.ts'

// Group A: a customer's saved methods, charging and ending them.

export type SavedMethodRoutes = {
  readonly methodKeeping: MethodKeeping
  readonly baseUrl: string
  readonly authenticator: Authenticator
  readonly keyLimit: RateLimit
  readonly missLimit: RateLimit
}

type OfMethod = { Params: { id: string } }

export function addSavedMethods(server: Server, deps: SavedMethodRoutes): void {
  const { methodKeeping: keeping, baseUrl } = deps
  const { db } = keeping
  const gate = makeSecretGate(deps.authenticator, deps.keyLimit)
  const onRequest = gate.check

  server.get('/api/saved-methods', { onRequest }, async (request) => {
    const page = await readMethods(db, scopeOf(gate.callerOf(request)), request.query)
    return {
      ...success(
        'Saved methods',
        page.methods.map((method) => presentMethod(method)),
      ),
      ...pageBeside(baseUrl, request.url, page),
    }
  })

  server.get<OfMethod>('/api/saved-methods/:id', { onRequest }, async (request) => {
    const caller = gate.callerOf(request)
    const found = await limitMisses(deps.missLimit, caller.keyId, async () =>
      findSavedMethod(db, scopeOf(caller), request.params.id),
    )
    return success('Saved method details', found)
  })

  server.delete<OfMethod>('/api/saved-methods/:id', { onRequest }, async (request) => {
    const caller = gate.callerOf(request)
    const ended = await limitMisses(deps.missLimit, caller.keyId, async () =>
      endMethod(keeping, scopeOf(caller), request.params.id, byKey(caller.keyId, request)),
    )
    return success('Saved method ended', presentMethod(ended))
  })

  server.post<OfMethod>('/api/saved-methods/:id/charges', { onRequest }, async (request, reply) => {
    const caller = gate.callerOf(request)
    const asked = readCharge(request.body, caller.mode, bodyText(request))
    const { payment, isRepeat } = await limitMisses(deps.missLimit, caller.keyId, async () =>
      chargeMethod(keeping, caller, request.params.id, asked, byKey(caller.keyId, request)),
    )
    if (isRepeat) void reply.header('idempotency-replayed', 'true')
    const [current = payment] = await withUsable(db, [payment])
    const body = `{"status":"success","message":"Charge accepted","data":${transactionJson(current, baseUrl)}}`
    return reply.status(202).type(jsonType).send(body)
  })
}

function scopeOf({ merchant, mode }: Caller): MethodScope {
  return { merchantId: merchant.id, mode }
}
