import type { FastifyRequest } from 'fastify'
import type { Database } from '../../database/database.ts'
import { brokenRule } from '../../errors/refusals.ts'
import { jsonType } from '../../http/envelope.ts'
import { bodyText } from '../../http/json-body.ts'
import { refuseIfWaiting, type RateLimit } from '../../http/rate-limit.ts'
import { sendText } from '../../http/send-text.ts'
import type { Server } from '../../http/server.ts'
import type { Authenticator, Caller } from '../../merchants/authenticate.ts'
import type { PaymentFromPath } from './payment-from-path.ts'
import type { CreatePayment } from '../create-payment.ts'
import { listTransactions } from '../list-payments.ts'
import type { Payer } from '../attempts/pay.ts'
import { transactionJson } from '../present.ts'
import { projectNamesOf } from '../project-names.ts'
import { readPayment } from './read-payment.ts'

// Group A: create, look up, list. Answers are written as text, since a transaction is text already.

export type PaymentRoutes = {
  readonly db: Database
  readonly baseUrl: string
  readonly authenticator: Authenticator
  readonly keyLimit: RateLimit
  readonly createPayment: CreatePayment
  readonly paymentFromPath: PaymentFromPath
  readonly payer: Payer
}

export function addPayments(server: Server, deps: PaymentRoutes): void {
  const { authenticator, baseUrl, createPayment } = deps

  async function authenticate(request: FastifyRequest): Promise<Caller> {
    const caller = await authenticator.secretKey(request.headers.authorization)
    refuseIfWaiting(deps.keyLimit.take(caller.keyId))
    return caller
  }

  server.post('/api/payment', async (request, reply) => {
    const caller = await authenticate(request)
    const idempotencyKey = readIdempotencyKey(request.headers['idempotency-key'])
    const text = bodyText(request)
    const payment = readPayment(request.body, caller, text)
    const url = await createPayment(caller, payment, {
      type: 'API',
      bodyText: text,
      ...(idempotencyKey !== undefined && { idempotencyKey }),
    })
    const body = success('Payment link created', `{"checkout_url":${JSON.stringify(url)}}`)
    return sendText(reply, { status: 201, type: jsonType, body })
  })

  server.get('/api/transactions', async (request, reply) => {
    const caller = await authenticate(request)
    const scope = { merchantId: caller.merchant.id, mode: caller.mode }
    const page = await listTransactions(deps.db, scope, request.query)
    const items = page.payments
      .map((payment) => transactionJson(payment, baseUrl, page.projectNames))
      .join(',')
    const meta = JSON.stringify({ per_page: page.perPage, next_cursor: page.nextCursor })
    return reply.type(jsonType).send(`${success('Transactions', `[${items}]`).slice(0, -1)},"meta":${meta}}`)
  })

  server.get<{ Params: { tx_ref: string } }>('/api/transaction/:tx_ref', async (request, reply) => {
    const caller = await authenticate(request)
    const payment = await deps.paymentFromPath(caller, request)
    const body = success('Payment details', transactionJson(payment, baseUrl))
    return sendText(reply, { type: jsonType, body })
  })

  server.post<{ Params: { tx_ref: string } }>('/api/transaction/:tx_ref/cancel', async (request, reply) => {
    const caller = await authenticate(request)
    const payment = await deps.paymentFromPath(caller, request)
    const key = { merchantId: payment.merchant_id, number: payment.number }
    const cancelled = await deps.payer.cancel(key, 'merchant')
    const projectNames = await projectNamesOf(deps.db, caller.merchant.id, [cancelled])
    const json = transactionJson(cancelled, baseUrl, projectNames)
    return reply.type(jsonType).send(success('Payment cancelled', json))
  })

  server.get('/api/transaction', async (request) => {
    await authenticate(request)
    throw brokenRule('tx_ref', 'tx_ref is required')
  })
}

function success(message: string, dataJson: string): string {
  return `{"status":"success","message":"${message}","data":${dataJson}}`
}

const idempotencyKeyMax = 255

function readIdempotencyKey(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined
  if (typeof header === 'string' && header.length >= 1 && header.length <= idempotencyKeyMax) return header
  throw brokenRule('Idempotency-Key', `Idempotency-Key must be 1 to ${idempotencyKeyMax} characters`)
}
