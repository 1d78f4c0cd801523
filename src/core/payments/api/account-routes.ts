import { success } from '../../../platform/http/envelope.ts'
import type { RateLimit } from '../../../platform/http/rate-limit.ts'
import type { Server } from '../../../platform/http/server.ts'
import { Query } from '../../../platform/input/fields.ts'
import type { Authenticated, Authenticator } from '../../merchants/authenticate.ts'
import { makeAnyGate } from '../../merchants/gate.ts'
import { takenCurrencies } from '../../merchants/taken-currencies.ts'
import type { FindNetworkTakes } from '../attempts/hosted/network-takes.ts'

// GET /api/account: whose key this is. What the "Test connection" button of a plugin asks.

export type AccountRoutes = {
  readonly authenticator: Authenticator
  readonly keyLimit: RateLimit
  readonly networkTakes: FindNetworkTakes
}

export function addAccount(server: Server, deps: AccountRoutes): void {
  const gate = makeAnyGate(deps.authenticator, deps.keyLimit)
  server.get('/api/account', { onRequest: gate.check }, async (request) => {
    new Query(request.query).checkAll()
    return success('Account', await accountOf(deps, gate.callerOf(request)))
  })
}

async function accountOf({ networkTakes }: AccountRoutes, caller: Authenticated) {
  const { merchant, kind, keyName, mode, dialect } = caller
  const payee = mode && { merchant, mode, networkTakes: await networkTakes(merchant.id, mode) }
  return {
    merchant: { id: merchant.id, name: merchant.name },
    mode: mode ?? null,
    key: { kind, name: keyName, dialect },
    currencies: payee ? takenCurrencies(payee) : null,
    live_enabled: merchant.liveEnabled,
  }
}
