import type { Database } from '../../../platform/database/database.ts'
import { brokenRule } from '../../../platform/errors/refusals.ts'
import { pageBeside, success } from '../../../platform/http/envelope.ts'
import { limitMisses, type RateLimit } from '../../../platform/http/rate-limit.ts'
import type { Server } from '../../../platform/http/server.ts'
import { Fields, Query, requireText } from '../../../platform/input/fields.ts'
import type { Authenticator } from '../../../core/merchants/authenticate.ts'
import { makeSecretGate } from '../../../core/merchants/gate.ts'
import { payOutNow } from '../ask/look-now.ts'
import { findPayout, historyOf, readLines, readPayouts } from '../find-payouts.ts'
import type { Payouts } from '../payouts.ts'
import { presentHistory, presentLine, presentPayout } from '../present.ts'
import { presentBalance, presentOutside, readBalances, readOutside } from '../read-balance.ts'

export type PayoutRoutes = {
  readonly db: Database
  readonly baseUrl: string
  readonly authenticator: Authenticator
  readonly keyLimit: RateLimit
  readonly missLimit: RateLimit
  readonly now: () => Date
  readonly paying: Payouts
}

type OfPayout = { Params: { id: string } }

export function addPayouts(server: Server, deps: PayoutRoutes): void {
  const { db, baseUrl } = deps
  const gate = makeSecretGate(deps.authenticator, deps.keyLimit)
  const scopeOf = (request: Parameters<typeof gate.callerOf>[0]) => {
    const { merchant, mode } = gate.callerOf(request)
    return { merchantId: merchant.id, mode }
  }
  const find = async (request: Parameters<typeof gate.callerOf>[0], given: string) => {
    const id = requireText('id', given)
    const { keyId } = gate.callerOf(request)
    return limitMisses(deps.missLimit, keyId, async () => findPayout(db, { ...scopeOf(request), id }))
  }

  server.get('/api/payouts', { onRequest: gate.check }, async (request) => {
    const page = await readPayouts(db, scopeOf(request), request.query)
    return {
      ...success('Payouts', page.payouts.map(presentPayout)),
      ...pageBeside(baseUrl, request.url, page),
    }
  })

  server.post('/api/payouts', { onRequest: gate.check }, async (request) => {
    new Query(request.query).checkAll()
    refuseFields(request.body)
    const { merchantId, mode } = scopeOf(request)
    if (mode !== 'test')
      throw brokenRule('Authorization', 'Only the test network pays out when you ask: use a test key')
    return success('Payouts', (await payOutNow(deps.paying, merchantId)).map(presentPayout))
  })

  server.get<OfPayout>('/api/payouts/:id', { onRequest: gate.check }, async (request) => {
    const payout = await find(request, request.params.id)
    const history = (await historyOf(db, payout)).map(presentHistory)
    return success('Payout details', { ...presentPayout(payout), history })
  })

  server.get<OfPayout>('/api/payouts/:id/lines', { onRequest: gate.check }, async (request) => {
    const payout = await find(request, request.params.id)
    const page = await readLines(db, payout, request.query)
    const lines = page.lines.map((line) => presentLine(line, line))
    return { ...success('Payout lines', lines), ...pageBeside(baseUrl, request.url, page) }
  })

  server.get('/api/balance', { onRequest: gate.check }, async (request) => {
    new Query(request.query).checkAll()
    const [balances, outside] = await Promise.all([
      readBalances(db, scopeOf(request), deps.now()),
      readOutside(db, scopeOf(request)),
    ])
    return success('Balance', {
      balances: balances.map(presentBalance),
      not_reported: outside.map(presentOutside),
    })
  })
}

/** Everything is paid out: a program that names an amount must not believe that only that much was. */
function refuseFields(body: unknown): void {
  const fields = new Fields(body ?? {})
  for (const name of Object.keys(body ?? {}))
    fields.fail(name, 'is not a field of this call, which pays out everything')
  fields.check()
}
