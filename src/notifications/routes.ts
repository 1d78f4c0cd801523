import type { FastifyRequest } from 'fastify'
import { Fields, Query, requireText } from '../input/fields.ts'
import { brokenRule } from '../errors/refusals.ts'
import { urlLengthMax, urlMistake } from '../input/url.ts'
import { pageBeside, success } from '../http/envelope.ts'
import { limitMisses, type RateLimit } from '../http/rate-limit.ts'
import type { Server } from '../http/server.ts'
import { byKey } from '../merchants/audit/audit.ts'
import type { Authenticator, Caller } from '../merchants/authenticate.ts'
import { makeSecretGate, type Gate } from '../merchants/gate.ts'
import type { IpnEvent } from './events.ts'
import { readNotifications } from './list-notifications.ts'
import type { Notifications } from './notifications.ts'
import { resendNotification } from './resend.ts'
import { resumeReceiver } from './ipn/resume-receiver.ts'
import { readTest } from './ipn/read-test.ts'
import { sendTestNotification } from './ipn/send-test.ts'
import { webhookSecrets } from './ipn/webhook-secrets.ts'
import type { Mode } from '../merchants/mode.ts'

// What a merchant can ask about notifications: how they went, again please, a sample, go on, and (in test mode) all
// of them as they come.

export type NotificationRoutes = {
  readonly notifications: Notifications
  readonly authenticator: Authenticator
  readonly keyLimit: RateLimit
  readonly missLimit: RateLimit
  readonly paymentFromPath: PaymentFromPath
  readonly sampleTransaction: SampleTransaction
}

// What a payment is, is known one floor up: these two are handed down by payments/.

/** The payment whose tx_ref stands in the path; refuses when there is none. */
export type PaymentFromPath = (
  caller: Pick<Caller, 'merchant' | 'mode' | 'keyId'>,
  request: FastifyRequest<{ Params: { tx_ref: string } }>,
) => Promise<{ readonly number: string }>

/** A made-up transaction that an event could tell of, as JSON text. */
export type SampleTransaction = (mode: Mode, event: IpnEvent) => string

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
}

function addReceiverRoutes(server: Server, deps: NotificationRoutes, gate: Gate<Caller>): void {
  const { notifications } = deps
  const onRequest = gate.check
  server.post('/api/notifications/test', { onRequest }, async (request) => {
    const caller = gate.callerOf(request)
    const { target, event } = readTest(request.body, caller.mode)
    const { id, verdict, status, error, ms, answer } = await sendTestNotification(notifications.ipn, {
      merchantId: caller.merchant.id,
      mode: caller.mode,
      event,
      target,
      transactionJson: deps.sampleTransaction(caller.mode, event),
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
    const origin = readOrigin(request.body)
    const queue = { merchantId: caller.merchant.id, mode: caller.mode, origin }
    const count = await resumeReceiver(
      notifications,
      queue,
      byKey(caller.keyId, request),
      notifications.now(),
    )
    return success('Receiver resumed', { origin, deliveries: count })
  })
}

function addListening(server: Server, deps: NotificationRoutes, gate: Gate<Caller>): void {
  const { notifications } = deps
  const onRequest = gate.check

  server.get('/api/notifications/listen', { onRequest }, async (request) => {
    const caller = gate.callerOf(request)
    if (caller.mode !== 'test') {
      throw brokenRule('Authorization', 'Only test mode can be listened to: use a test key')
    }
    const { since, after, seconds } = readListen(request.query)
    const asked = { merchantId: caller.merchant.id, since, after }
    const found = await notifications.follow.wait(asked, seconds * 1000)
    const [current] = await webhookSecrets(notifications, { merchantId: caller.merchant.id, mode: 'test' })
    const now = new Date().toISOString()
    return success('Notifications', { now, secret: current?.secret, notifications: found })
  })
  server.addHook('preClose', (done) => {
    notifications.follow.close()
    done()
  })
}

/** Any URL of the receiver will do: its callback_url as well as its origin. */
function readOrigin(body: unknown): string {
  const fields = new Fields(body)
  const text = fields.requiredText('origin', { max: urlLengthMax }) ?? ''
  const mistake = text === '' ? undefined : urlMistake(text)
  if (mistake !== undefined) fields.fail('origin', mistake)
  fields.check()
  return new URL(text).origin
}

function readListen(query: unknown): { since: string; after: string; seconds: number } {
  const fields = new Query(query)
  const since = fields.time('since') ?? new Date().toISOString()
  const wait = fields.text('wait', { max: 4 }) ?? String(listenMaxSeconds)
  const seconds = Number(wait)
  if (!/^\d+$/.test(wait) || seconds > listenMaxSeconds) {
    fields.fail('wait', `must be a whole number of seconds up to ${listenMaxSeconds}`)
  }
  const after = fields.text('after', { max: 100 }) ?? ''
  fields.check()
  return { since, after, seconds }
}
