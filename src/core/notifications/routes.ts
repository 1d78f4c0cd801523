import type { FastifyRequest } from 'fastify'
import { Fields, Query, requireText } from '../../platform/input/fields.ts'
import { brokenRule } from '../../platform/errors/refusals.ts'
import { urlLengthMax, urlMistake } from '../../platform/input/url.ts'
import { pageBeside, success } from '../../platform/http/envelope.ts'
import { limitMisses, type RateLimit } from '../../platform/http/rate-limit.ts'
import type { Server } from '../../platform/http/server.ts'
import { byKey } from '../audit/audit.ts'
import type { Authenticator, Caller } from '../merchants/authenticate.ts'
import { makeSecretGate, type Gate } from '../merchants/gate.ts'
import { addEndpoints } from './endpoints/endpoint-routes.ts'
import { keepListening, reportAnswer, startListening } from './endpoints/listeners.ts'
import { namesOf, type NotificationEvent } from './events.ts'
import { readNotifications } from './list-notifications.ts'
import type { Notifications } from './notifications.ts'
import { meantAmong } from './receiver-of.ts'
import { resendNotification } from './resend.ts'
import { listPausedReceivers, resumeReceiver } from './ipn/resume-receiver.ts'
import { readTest } from './ipn/read-test.ts'
import { sendTestNotification } from './ipn/send-test.ts'
import { webhookSecrets } from './ipn/webhook-secrets.ts'

// The merchant's calls about notifications: list, resend, sample, resume, and (in test mode) follow.

export type NotificationRoutes = {
  readonly notifications: Notifications
  readonly authenticator: Authenticator
  readonly keyLimit: RateLimit
  readonly missLimit: RateLimit
  readonly paymentFromPath: PaymentFromPath
  readonly events: readonly NotificationEvent[]
}

/** The payment whose tx_ref is in the path; refuses if there is none. Payments are a layer above and pass it in. */
export type PaymentFromPath = (
  caller: Pick<Caller, 'merchant' | 'mode' | 'keyId'>,
  request: FastifyRequest<{ Params: { tx_ref: string } }>,
) => Promise<{ readonly number: string }>

/** Shorter than most proxies' patience. */
const listenMaxSeconds = 25

export function addNotifications(server: Server, deps: NotificationRoutes): void {
  const { notifications } = deps
  const { db } = notifications
  const gate = makeSecretGate(deps.authenticator, deps.keyLimit)
  const onRequest = gate.check

  type OfPayment = { Params: { tx_ref: string } }
  server.get<OfPayment>('/api/transaction/:tx_ref/notifications', { onRequest }, async (request) => {
    const caller = gate.callerOf(request)
    const payment = await deps.paymentFromPath(caller, request)
    const of = { merchantId: caller.merchant.id, number: payment.number }
    const page = await readNotifications(db, of, request.query)
    return {
      ...success('Notifications', page.notifications),
      ...pageBeside(notifications.ipn.baseUrl, request.url, page),
    }
  })

  type OfNotification = { Params: { tx_ref: string; id: string } }
  server.post<OfNotification>(
    '/api/transaction/:tx_ref/notifications/:id/resend',
    { onRequest },
    async (request) => {
      const caller = gate.callerOf(request)
      const { number } = await deps.paymentFromPath(caller, request)
      const id = requireText('id', request.params.id)
      const asked = { merchantId: caller.merchant.id, mode: caller.mode, number, id }
      await limitMisses(deps.missLimit, caller.keyId, () => resendNotification(notifications, asked))
      return success('Notification will be sent again', { id })
    },
  )

  addReceiverRoutes(server, deps, gate)
  addListening(server, deps, gate)
  addEndpoints(server, deps, gate)
}

function addReceiverRoutes(server: Server, deps: NotificationRoutes, gate: Gate<Caller>): void {
  const { notifications } = deps
  const onRequest = gate.check
  server.post('/api/notifications/test', { onRequest }, async (request) => {
    const caller = gate.callerOf(request)
    const { target, event } = readTest(request.body, caller.mode, deps.events)
    const { id, verdict, status, error, ms, answer } = await sendTestNotification(notifications.ipn, {
      merchantId: caller.merchant.id,
      mode: caller.mode,
      event: event.name,
      target,
      transactionJson: event.sample(caller.mode),
    })
    const delivered = verdict === 'delivered'
    return success(delivered ? 'Sample received' : 'Sample was not received', {
      id,
      delivered,
      http_status: status,
      error,
      ms,
      answer,
    })
  })

  server.post('/api/notifications/resume', { onRequest }, async (request) => {
    const caller = gate.callerOf(request)
    const url = readOrigin(request.body)
    const of = { merchantId: caller.merchant.id, mode: caller.mode }
    const paused = (await listPausedReceivers(notifications.db, of)).map(({ origin }) => origin)
    const by = byKey(caller.keyId, request)
    let deliveries = 0
    const origins = meantAmong(paused, url)
    for (const origin of origins)
      deliveries += await resumeReceiver(notifications, { ...of, origin }, by, notifications.now())
    return success('Receiver resumed', { origin: origins[0], deliveries })
  })
}

function addListening(server: Server, deps: NotificationRoutes, gate: Gate<Caller>): void {
  const { notifications } = deps
  const onRequest = gate.check

  server.get('/api/notifications/listen', { onRequest }, async (request) => {
    const merchantId = listenerOf(gate.callerOf(request))
    const { since, after, seconds, endpoint } = readListen(request.query)
    if (endpoint !== undefined)
      await keepListening(notifications.db, { merchantId, mode: 'test', id: endpoint }, notifications.now())
    const asked = { merchantId, since, after, ...(endpoint !== undefined && { endpoint }) }
    const found = await notifications.follow.wait(asked, seconds * 1000)
    const [current] = await webhookSecrets(notifications, { merchantId, mode: 'test' })
    const now = new Date().toISOString()
    return success('Notifications', { now, secret: current?.secret, notifications: found })
  })

  server.post('/api/notifications/listen', { onRequest }, async (request, reply) => {
    const merchantId = listenerOf(gate.callerOf(request))
    const endpoint = await startListening(
      notifications.db,
      merchantId,
      { body: request.body ?? {}, known: namesOf(deps.events) },
      notifications.now(),
    )
    const [current] = await webhookSecrets(notifications, { merchantId, mode: 'test' })
    const now = new Date().toISOString()
    return reply.code(201).send(success('Listening', { now, secret: current?.secret, endpoint }))
  })

  server.post('/api/notifications/listen/answer', { onRequest }, async (request) => {
    const merchantId = listenerOf(gate.callerOf(request))
    const id = await reportAnswer(notifications.db, merchantId, request.body, notifications.now())
    return success('Answer recorded', { id })
  })
  server.addHook('preClose', (done) => {
    notifications.follow.close()
    done()
  })
}

function listenerOf({ mode, merchant }: Caller): number {
  if (mode !== 'test')
    throw brokenRule('Authorization', 'florin listen works in test mode only: use a test key')
  return merchant.id
}

/** The URL of the receiver, or its host for all that are there. */
function readOrigin(body: unknown): string {
  const fields = new Fields(body)
  const text = fields.requiredText('origin', { max: urlLengthMax }) ?? ''
  const mistake = text === '' ? undefined : urlMistake(text)
  if (mistake !== undefined) fields.fail('origin', mistake)
  fields.check()
  return text
}

function readListen(query: unknown): {
  since: string
  after: string
  seconds: number
  endpoint: string | undefined
} {
  const fields = new Query(query)
  const since = fields.time('since') ?? new Date().toISOString()
  const wait = fields.text('wait', { max: 4 }) ?? String(listenMaxSeconds)
  const seconds = Number(wait)
  if (!/^\d+$/.test(wait) || seconds > listenMaxSeconds) {
    fields.fail('wait', `must be a whole number of seconds up to ${listenMaxSeconds}`)
  }
  const after = fields.text('after', { max: 100 }) ?? ''
  const endpoint = fields.text('endpoint', { max: 60 })
  fields.check()
  return { since, after, seconds, endpoint }
}
