import type { FastifyRequest } from 'fastify'
import { Refusal } from '../../../platform/errors/refusals.ts'
import type { SendCsv } from '../../../platform/http/csv/send-csv.ts'
import { pageBeside, success } from '../../../platform/http/envelope.ts'
import { bodyText } from '../../../platform/http/json-body.ts'
import { limitMisses, type RateLimit } from '../../../platform/http/rate-limit.ts'
import type { Server } from '../../../platform/http/server.ts'
import { requireText } from '../../../platform/input/fields.ts'
import { byKey } from '../../../core/audit/audit.ts'
import type { Authenticator, Caller } from '../../../core/merchants/authenticate.ts'
import { makeSecretGate } from '../../../core/merchants/gate.ts'
import type { PaymentFromPath } from '../../../core/payments/api/payment-from-path.ts'
import { exportRefunds } from '../export-refunds.ts'
import { findRefund } from '../find-refunds.ts'
import { listRefunds, type RefundPage } from '../list-refunds.ts'
import { presentRefund } from '../present.ts'
import type { Refunding } from '../refunding.ts'
import { requestRefund } from '../request-refund.ts'
import { readRefund } from './read-refund.ts'

// Group A: give money back, and see what became of it.

export type RefundRoutes = {
  readonly refunding: Refunding
  readonly baseUrl: string
  readonly authenticator: Authenticator
  readonly keyLimit: RateLimit
  readonly missLimit: RateLimit
  readonly paymentFromPath: PaymentFromPath
  readonly sendCsv: SendCsv
}

type OfTransaction = { Params: { tx_ref: string } }

export function addRefunds(server: Server, deps: RefundRoutes): void {
  const { refunding, baseUrl } = deps
  const { db } = refunding
  const gate = makeSecretGate(deps.authenticator, deps.keyLimit)
  const onRequest = gate.check
  const answerPage = (asked: string, page: RefundPage): object => ({
    ...success(
      'Refunds',
      page.refunds.map((refund) => presentRefund(refund)),
    ),
    ...pageBeside(baseUrl, asked, page),
  })

  server.post<OfTransaction>('/api/transaction/:tx_ref/refund', { onRequest }, async (request, reply) => {
    const caller = gate.callerOf(request)
    if (!caller.mayRefund) throw new Refusal('refund_not_allowed')
    const payment = await deps.paymentFromPath(caller, request)
    const asked = readRefund(request.body, payment.currency, bodyText(request))
    const { refund, isRepeat } = await requestRefund(refunding, payment, asked, byKey(caller.keyId, request))
    if (isRepeat) void reply.header('idempotency-replayed', 'true')
    void reply.status(isRepeat ? 200 : 201)
    return success('Refund requested', presentRefund(refund))
  })

  server.get<OfTransaction>('/api/transaction/:tx_ref/refunds', { onRequest }, async (request) => {
    const caller = gate.callerOf(request)
    const { tx_ref: txRef } = await deps.paymentFromPath(caller, request)
    return answerPage(request.url, await listRefunds(db, scopeOf(caller), request.query, txRef))
  })

  server.get('/api/refunds', { onRequest }, async (request) => {
    return answerPage(request.url, await listRefunds(db, scopeOf(gate.callerOf(request)), request.query))
  })

  server.get('/api/refunds.csv', { onRequest }, async (request, reply) => {
    const caller = gate.callerOf(request)
    const file = exportRefunds(db, scopeOf(caller), request.query)
    return deps.sendCsv(reply, caller.merchant.id, { ...file, filename: 'refunds.csv' })
  })

  server.get(
    '/api/refunds/:refund_ref',
    { onRequest },
    async (request: FastifyRequest<{ Params: { refund_ref: string } }>) => {
      const caller = gate.callerOf(request)
      const refundRef = requireText('refund_ref', request.params.refund_ref)
      const found = await limitMisses(deps.missLimit, caller.keyId, async () =>
        findRefund(db, { ...scopeOf(caller), refundRef }),
      )
      return success('Refund details', found)
    },
  )
}

function scopeOf({ merchant, mode }: Caller) {
  return { merchantId: merchant.id, mode }
}
