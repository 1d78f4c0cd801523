import type { FastifyRequest } from 'fastify'
import type { Database } from '../../../platform/database/database.ts'
import { Refusal } from '../../../platform/errors/refusals.ts'
import { addFormBodies } from '../../../platform/http/form-body.ts'
import { sendPage } from '../../../platform/http/page.ts'
import { limitMisses, type RateLimit } from '../../../platform/http/rate-limit.ts'
import type { Server } from '../../../platform/http/server.ts'
import { networkOf } from '../../../platform/input/network-of.ts'
import { decide, type Decision } from './decide.ts'
import { readReference } from './page-address.ts'
import { bankPage } from './pages/bank-page.ts'
import { findPage, type PageRow } from './store.ts'

// The page of the test bank, where a developer plays the customer: pay, refuse, or walk away.

export type TestBankDeps = {
  readonly db: Database
  readonly baseUrl: string
  readonly missLimit: RateLimit
  readonly now: () => Date
}

type PageRequest = FastifyRequest<{ Params: { reference: string } }>

const decisions: readonly Decision[] = ['pay', 'pay_later', 'refuse']

export function addTestBank(server: Server, deps: TestBankDeps): void {
  const formAction = [new URL(deps.baseUrl).origin]

  async function openPage(request: PageRequest): Promise<PageRow> {
    return limitMisses(deps.missLimit, networkOf(request.ip), async () => {
      const page = readReference(request.params.reference)
      const found = page && (await findPage(deps.db, page))
      if (!found) throw new Refusal('not_found', 'This test bank page does not exist')
      return found
    })
  }

  void server.register(async (scope) => {
    addFormBodies(scope)
    scope.get('/test-network/:reference', async (request: PageRequest, reply) => {
      const page = await openPage(request)
      const isOpen = page.state === 'open' && Date.parse(page.expires_at) > deps.now().getTime()
      return sendPage(reply, 200, bankPage(page, isOpen), { formAction })
    })
    scope.post('/test-network/:reference', async (request: PageRequest, reply) => {
      const page = await openPage(request)
      const form = request.body instanceof Map ? (request.body as ReadonlyMap<string, string>) : new Map()
      const decision = decisions.find((each) => each === form.get('answer'))
      const isForeign = ['cross-site', 'same-site'].includes(String(request.headers['sec-fetch-site']))
      if (!decision || isForeign) throw new Refusal('form_refused')
      const at = { merchantId: page.merchant_id, reference: page.reference }
      const isTaken = await decide(deps.db, at, decision, deps.now())
      return isTaken && page.return_url !== null
        ? reply.redirect(page.return_url, 303)
        : sendPage(reply, 409, bankPage(page, false), { formAction })
    })
  })
}
