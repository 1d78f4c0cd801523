import type { FastifyRequest } from 'fastify'
import type { Database } from '../../../platform/database/database.ts'
import { brokenRule, Refusal } from '../../../platform/errors/refusals.ts'
import { answerWithSuccess } from '../../../platform/http/envelope-status.ts'
import { jsonType, pageBeside, success as envelope } from '../../../platform/http/envelope.ts'
import type { SendCsv } from '../../../platform/http/csv/send-csv.ts'
import { bodyText, formOf } from '../../../platform/http/json-body.ts'
import type { RateLimit } from '../../../platform/http/rate-limit.ts'
import { sendText } from '../../../platform/http/send-text.ts'
import type { Server } from '../../../platform/http/server.ts'
import { byKey } from '../../audit/audit.ts'
import type { Authenticator, Caller } from '../../merchants/authenticate.ts'
import { makeSecretGate, type Gate } from '../../merchants/gate.ts'
import { readFormRefusals } from './form-refusals.ts'
import type { PaymentFromPath } from './payment-from-path.ts'
import type { CreatePayment } from '../create-payment.ts'
import { exportTransactions } from '../export-payments.ts'
import { makeSumList } from '../list-totals/list-totals.ts'
import type { FeesOfFound } from '../slots/fees.ts'
import { listTransactions } from '../list-payments.ts'
import type { FindNetworkTakes } from '../attempts/hosted/network-takes.ts'
import type { CanSave } from '../saving/can-save.ts'
import type { Payer } from '../attempts/pay.ts'
import { transactionJson } from '../present.ts'
import { lookedUpJson, type PaymentMembers } from '../slots/payment-members.ts'
import { publicStatus } from '../state-machine.ts'
import type { PaymentRow } from '../store.ts'
import { projectNamesOf } from '../project-names.ts'
import { formAsJson } from './read-form.ts'
import { readPayment, type PaymentRequest, type ReadPayee } from './read-payment.ts'

// Group A: create, look up, list. Answers are written as text, since a transaction is text already.

export type PaymentRoutes = {
  readonly db: Database
  readonly baseUrl: string
  readonly authenticator: Authenticator
  readonly keyLimit: RateLimit
  readonly createPayment: CreatePayment
  readonly paymentFromPath: PaymentFromPath
  readonly payer: Payer
  readonly networkTakes: FindNetworkTakes
  readonly canSave: CanSave
  readonly sendCsv: SendCsv
  readonly members: PaymentMembers
  readonly feesOfFound: FeesOfFound | undefined
}

export function addPayments(server: Server, deps: PaymentRoutes): void {
  const { baseUrl, createPayment } = deps
  const gate = makeSecretGate(deps.authenticator, deps.keyLimit)
  const onRequest = gate.check

  server.post('/api/payment', { onRequest, config: { isOneCommit: true } }, async (request, reply) => {
    const caller = gate.callerOf(request)
    const idempotencyKey = readIdempotencyKey(request.headers['idempotency-key'])
    const payee = await payeeOf(deps, caller)
    const payment = readPaymentOf(request, payee)
    if (payment.saving?.asked && !(await deps.canSave(caller.merchant.id, caller.mode, payment.currency)))
      throw new Refusal('cannot_save')
    const { url, isRepeat } = await createPayment(caller, payment, {
      type: 'API',
      bodyText: bodyText(request),
      ...(idempotencyKey !== undefined && { idempotencyKey }),
    })
    if (isRepeat) void reply.header('idempotency-replayed', 'true')
    const body = success('Payment link created', `{"checkout_url":${JSON.stringify(url)}}`)
    return sendText(reply, { status: 201, type: jsonType, body })
  })

  addLists(server, deps, gate)

  server.get<{ Params: { tx_ref: string } }>(
    '/api/transaction/:tx_ref',
    { onRequest },
    async (request, reply) => {
      const caller = gate.callerOf(request)
      const found = await deps.paymentFromPath(caller, request)
      const payment = (await mayHaveChanged(deps.payer, found))
        ? await deps.paymentFromPath(caller, request)
        : found
      const json = await lookedUpJson(deps.members, payment, baseUrl)
      if (payment.state === 'success') answerWithSuccess(request)
      return sendText(reply, { type: jsonType, body: lookedUp(caller, payment, json) })
    },
  )

  server.post<{ Params: { tx_ref: string } }>(
    '/api/transaction/:tx_ref/cancel',
    { onRequest },
    async (request, reply) => {
      const caller = gate.callerOf(request)
      const payment = await deps.paymentFromPath(caller, request)
      const key = { merchantId: payment.merchant_id, number: payment.number }
      const cancelled = await deps.payer.cancel(key, byKey(caller.keyId, request))
      const projectNames = await projectNamesOf(deps.db, caller.merchant.id, [cancelled])
      const json = transactionJson(cancelled, baseUrl, projectNames)
      return reply.type(jsonType).send(success('Payment cancelled', json))
    },
  )

  server.get('/api/form-refusals', { onRequest }, async (request) => {
    const { merchant, mode } = gate.callerOf(request)
    const page = await readFormRefusals(deps.db, { merchantId: merchant.id, mode }, request.query)
    return { ...envelope('Form refusals', page.refusals), ...pageBeside(baseUrl, request.url, page) }
  })

  server.get('/api/transaction', { onRequest }, async () => {
    throw brokenRule('tx_ref', 'tx_ref is required')
  })
}

function addLists(server: Server, deps: PaymentRoutes, gate: Gate<Caller>): void {
  const { baseUrl } = deps
  const sumList = makeSumList(deps.db, deps.feesOfFound)
  const onRequest = gate.check

  server.get('/api/transactions', { onRequest }, async (request, reply) => {
    const caller = gate.callerOf(request)
    const scope = { merchantId: caller.merchant.id, mode: caller.mode }
    const page = await listTransactions(deps.db, scope, request.query, sumList)
    const hasSaved = page.payments.some(({ saving }) => saving !== null)
    const current = hasSaved ? await deps.members.refresh?.(page.payments) : undefined
    const items = (current ?? page.payments)
      .map((payment) => transactionJson(payment, baseUrl, page.projectNames))
      .join(',')
    const { meta, ...links } = pageBeside(baseUrl, request.url, page)
    const totals = page.totals && { totals: page.totals }
    const beside = JSON.stringify({ ...links, meta: { ...meta, ...totals } })
    const body = `${success('Transactions', `[${items}]`).slice(0, -1)},${beside.slice(1)}`
    return reply.type(jsonType).send(body)
  })

  server.get('/api/transactions.csv', { onRequest }, async (request, reply) => {
    const { merchant, mode } = gate.callerOf(request)
    const file = await exportTransactions(deps.db, { merchantId: merchant.id, mode }, request.query)
    return deps.sendCsv(reply, merchant.id, { ...file, filename: 'transactions.csv' })
  })
}

/**
 * A network may know more about a pending live payment if its callback was lost: it is asked, though not at every
 * look-up. Test payments are returned as stored, without an extra statement.
 */
async function mayHaveChanged(payer: Payer, payment: PaymentRow): Promise<boolean> {
  if (payment.mode !== 'live' || payment.state !== 'pending') return false
  const { merchant_id: merchantId, number } = payment
  return (await payer.lookAgain({ merchantId, number }, 'by_itself')) === 'new'
}

/** A program may send a form, as the customer's browser does. */
function readPaymentOf(request: FastifyRequest, payee: ReadPayee): PaymentRequest {
  const form = formOf(request)
  if (!form) return readPayment(request.body, payee, bodyText(request))
  const text = formAsJson(form, { withExpiry: true })
  return readPayment(JSON.parse(text), { ...payee, form: request.body }, text)
}

/** Test mode accepts every currency: no look-up of the networks' currencies. */
async function payeeOf({ networkTakes }: PaymentRoutes, caller: Caller): Promise<ReadPayee> {
  if (caller.mode === 'test') return caller
  return { ...caller, networkTakes: await networkTakes(caller.merchant.id, caller.mode) }
}

/** Plugins of the family decide by the envelope whether an order is paid. */
function lookedUp({ dialect }: Caller, { state }: PaymentRow, dataJson: string): string {
  if (dialect !== 'family' || state === 'success') return success('Payment details', dataJson)
  const message = state === 'failed' ? 'Payment failed' : `Payment is ${publicStatus[state]}`
  return `{"status":"failed","message":"${message}","data":${dataJson}}`
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
