import { fromStripe } from '../../../src/networks/stripe/amounts.ts'
import { displayAmount } from '../../../src/platform/money/money.ts'
import { balanceOf, listBookings } from './stripe-payouts.ts'
import {
  makeId,
  type Endpoint,
  type LaterCharge,
  type NewRefundStatus,
  type Refund,
  type Session,
  type StripeBooks,
} from './stripe-books.ts'
import {
  createRefund,
  createSession,
  expireSession,
  listed,
  missing,
  refuse,
  shown,
  type Parameters,
} from './stripe-calls.ts'
import { replyToDispute, uploadFile } from './stripe-disputes.ts'
import * as fields from './stripe-form.ts'
import type { StripeAction } from './stripe-happenings.ts'
import { callAboutSaved } from './stripe-saved.ts'
import { asList, findProblem, readForm, type Fields } from './parameters.ts'
import { drawPage } from './payment-page.ts'
import type { ApiAnswer, ApiRequest, PageAnswer, Rules } from './stand-in.ts'

// Who may call, what a key remembers, and which call does what.

export type World = {
  readonly secretKey: string
  readonly books: StripeBooks
  readonly url: () => string
  readonly act: (id: string, action: StripeAction) => void
  readonly endpointMade: (url: string, secret: string) => void
  readonly refundsAre: () => NewRefundStatus
  readonly chargesAre: (cardId: string) => LaterCharge
  readonly tell: (type: string, object: object) => void
}

type Saved = { readonly fingerprint: string; readonly answer: ApiAnswer }

export function makeRules(world: World): Rules {
  const saved = new Map<string, Saved>()
  const keyOf = ({ method, headers }: ApiRequest): string | undefined =>
    method === 'POST' ? headers['idempotency-key'] : undefined
  const fingerprintOf = ({ path, text }: ApiRequest): string => `${path} ${text}`
  return {
    page: (request) => pageOf(world, request),
    api(request) {
      const refusal = refuseStranger(world, request)
      if (refusal) return refusal
      const key = keyOf(request)
      const before = key === undefined ? undefined : saved.get(key)
      if (before && before.fingerprint !== fingerprintOf(request)) return otherParameters(key ?? '')
      if (before) return { ...before.answer, headers: { 'idempotent-replayed': 'true' } }
      const answer = run(world, request)
      // As it was then: later reads of the object must not change what was answered.
      const copy = { ...answer, body: structuredClone(answer.body) }
      // What failed its check of parameters never started, and is not remembered.
      if (key !== undefined && (answer.status === 200 || answer.status === 402))
        saved.set(key, { fingerprint: fingerprintOf(request), answer: copy })
      return copy
    },
    failure(status, request) {
      const answer = failures[status]
      const key = keyOf(request)
      // A 500 is remembered, and said again to the same key.
      if (status === 500 && key !== undefined) saved.set(key, { fingerprint: fingerprintOf(request), answer })
      return answer
    },
  }
}

const failures: Readonly<Record<400 | 403 | 409 | 429 | 500, ApiAnswer>> = {
  400: refuse(400, undefined, 'Not now.'),
  403: refuse(403, undefined, 'The provided key does not have the required permissions for this endpoint.'),
  409: {
    status: 409,
    body: {
      error: {
        type: 'idempotency_error',
        code: 'idempotency_key_in_use',
        message: 'There is currently another in-progress request using this Idempotent Key.',
      },
    },
  },
  429: {
    status: 429,
    body: { error: { type: 'invalid_request_error', code: 'rate_limit', message: 'Too many requests.' } },
  },
  500: { status: 500, body: { error: { type: 'api_error', message: 'Sorry, something went wrong.' } } },
}

function otherParameters(key: string): ApiAnswer {
  const message = `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`
  return { status: 400, body: { error: { type: 'idempotency_error', message } } }
}

function refuseStranger({ secretKey }: World, { headers }: ApiRequest): ApiAnswer | undefined {
  const key = /^Bearer (.+)$/.exec(headers['authorization'] ?? '')?.[1] ?? ''
  if (key === secretKey) return undefined
  // Stripe itself hides the middle only; a whole key is the worst that an error could repeat.
  const error = { type: 'invalid_request_error', message: `Invalid API Key provided: ${key}` }
  return { status: 401, body: { error } }
}

function run(world: World, request: ApiRequest): ApiAnswer {
  const { books } = world
  const sent = readForm(request.method === 'GET' ? request.query : request.text)
  const [, , first = '', second = '', third = '', fourth = ''] = request.path.split('/')
  const expand = asList(sent['expand']) ?? []
  const call = `${request.method} ${[first, second].join('/')}`
  const checked = (allowed: Fields, does: () => ApiAnswer): ApiAnswer => problemOf(sent, allowed) ?? does()
  const one = (found: object | undefined, what: string, id: string): ApiAnswer =>
    checked(fields.readOne, () => (found ? { status: 200, body: found } : missing(what, id)))

  const aboutSaved = callAboutSaved(world, request, sent, checked)
  if (aboutSaved) return aboutSaved
  if (call === 'POST checkout/sessions' && third === '')
    return checked(fields.createSession, () => createSession(books, sent, world.url()))
  if (call === 'POST checkout/sessions' && fourth === 'expire')
    return checked(fields.readOne, () => expireSession(books, third))
  if (call === 'GET checkout/sessions' && third === '') {
    const all = [...books.sessions.keys()].map(
      (id) => shown(books, books.find(id) as Session, expand) as Session,
    )
    return checked(fields.listSessions, () => listed(all, sent, request.path))
  }
  if (call === 'GET checkout/sessions') {
    const session = books.find(third)
    return one(session && (shown(books, session, expand) as Session), 'checkout.session', third)
  }
  if (call === 'POST refunds/') return checked(fields.createRefund, () => refunded(world, sent))
  if (call === 'GET refunds/') {
    return checked(fields.listRefunds, () => listRefunds(books, sent, request.path))
  }
  if (call.startsWith('GET refunds/')) return one(books.refunds.get(second), 'refund', second)
  if (call === 'GET disputes/') {
    const all = [...books.disputes.values()]
    return checked(fields.listDisputes, () => listed(all, sent, request.path))
  }
  if (call.startsWith('GET disputes/')) return one(shownDispute(books, second, expand), 'dispute', second)
  if (call.startsWith('POST disputes/')) return replyToDispute(books, request, world.tell)
  if (call === 'POST files/') return uploadFile(books, request)
  if (call === 'GET balance_transactions/')
    return checked(fields.listBookings, () => listBookings(books, sent, request.path))
  if (call === 'GET payouts/')
    return checked(fields.listPayouts, () => listed([...books.payouts.values()], sent, request.path))
  if (call === 'GET balance/') return checked(fields.nothing, () => ({ status: 200, body: balanceOf(books) }))
  if (call === 'GET account/') {
    return checked(fields.nothing, () => ({
      status: 200,
      body: {
        id: 'acct_standin',
        object: 'account',
        settings: { dashboard: { display_name: 'Corner shop' } },
      },
    }))
  }
  if (call === 'GET payment_method_configurations/')
    return checked(fields.listEndpoints, () => listed([methodConfiguration], sent, request.path))
  if (first === 'webhook_endpoints') return endpoints(world, request, sent, second)
  return refuse(404, undefined, `Unrecognized request URL (${request.method}: ${request.path}).`)
}

const on = { available: true, display_preference: { overridable: null, preference: 'on', value: 'on' } }
const off = { available: true, display_preference: { overridable: null, preference: 'off', value: 'off' } }

const methodConfiguration = {
  id: 'pmc_standin',
  object: 'payment_method_configuration',
  active: true,
  application: null,
  is_default: true,
  created: 0,
  card: on,
  apple_pay: on,
  google_pay: off,
}

function listRefunds(books: StripeBooks, sent: Parameters, path: string): ApiAnswer {
  const of = sent['payment_intent'] as string | undefined
  if (of !== undefined && ![...books.intents.values()].some(({ id }) => id === of))
    return missing('payment_intent', of)
  const fits = ({ payment_intent }: Refund): boolean => of === undefined || payment_intent === of
  return listed([...books.refunds.values()], sent, path, fits)
}

function shownDispute(books: StripeBooks, id: string, expand: readonly unknown[]): object | undefined {
  const dispute = books.disputes.get(id)
  if (!dispute || !expand.includes('payment_intent')) return dispute
  const intent = [...books.intents.values()].find((one) => one.id === dispute.payment_intent)
  return { ...dispute, payment_intent: intent }
}

function refunded(world: World, sent: Parameters): ApiAnswer {
  const answer = createRefund(world.books, sent, world.refundsAre())
  if (answer.status === 200) world.tell('refund.created', answer.body as Refund)
  return answer
}

function endpoints(
  { books, endpointMade }: World,
  request: ApiRequest,
  sent: Parameters,
  id: string,
): ApiAnswer {
  const problem = problemOf(sent, request.method === 'POST' ? fields.createEndpoint : fields.listEndpoints)
  if (problem) return problem
  if (request.method === 'GET') return listed([...books.endpoints.values()], sent, request.path)
  if (request.method === 'DELETE') {
    return books.endpoints.delete(id)
      ? { status: 200, body: { id, object: 'webhook_endpoint', deleted: true } }
      : missing('webhook_endpoint', id)
  }
  const endpoint: Endpoint = {
    id: makeId('we'),
    object: 'webhook_endpoint',
    url: sent['url'] as string,
    enabled_events: asList(sent['enabled_events']) as string[],
    status: 'enabled',
  }
  books.endpoints.set(endpoint.id, endpoint)
  const secret = makeId('whsec')
  endpointMade(endpoint.url, secret)
  return { status: 200, body: { ...endpoint, secret } }
}

function problemOf(sent: Parameters, allowed: Fields): ApiAnswer | undefined {
  const problem = findProblem(sent, allowed)
  if (!problem) return undefined
  const { kind, field, why } = problem
  if (kind === 'unknown')
    return refuse(400, 'parameter_unknown', `Received unknown parameter: ${field}`, field)
  if (kind === 'missing') return refuse(400, 'parameter_missing', `Missing required param: ${field}.`, field)
  return refuse(400, 'parameter_invalid', `Invalid ${field}: ${why}`, field)
}

const actions: readonly StripeAction[] = ['pay', 'dispute', 'decline', 'pay_later', 'cancel']

function pageOf({ books, act }: World, request: ApiRequest): PageAnswer | undefined {
  const id = /^\/pay\/(cs_\w+)$/.exec(request.path)?.[1]
  const session = id === undefined ? undefined : books.find(id)
  if (!session) return undefined
  const chosen = request.method === 'POST' ? new URLSearchParams(request.text).get('action') : null
  const action = actions.find((each) => each === chosen)
  if (action) act(session.id, action)
  if (action === 'cancel' && session.cancel_url !== null) return { location: session.cancel_url }
  if (session.status === 'complete') return { location: session.success_url }
  const isOpen = session.status === 'open'
  return {
    html: drawPage({
      network: 'Stripe',
      title: books.intents.get(session.id)?.description ?? 'Payment',
      amount: amountOf(session),
      lines: (session.line_items ?? []).map(
        ({ description, quantity, amount_total }) =>
          `${quantity} \u00d7 ${description}: ${amountOf({ ...session, amount_total })}`,
      ),
      action: `/pay/${session.id}`,
      ...(action === 'decline' && { notice: 'Your card was declined. Try another card.' }),
      ...(!isOpen && { notice: 'This page has expired.' }),
      choices: isOpen
        ? [
            { action: 'pay', label: 'Pay' },
            { action: 'dispute', label: 'Pay, then dispute the payment' },
            { action: 'decline', label: 'Use a card that is declined' },
            { action: 'pay_later', label: 'Pay by a method that takes days' },
            { action: 'cancel', label: 'Back to the shop' },
          ]
        : [],
    }),
  }
}

function amountOf({ amount_total, currency }: Pick<Session, 'amount_total' | 'currency'>): string {
  const money = fromStripe(amount_total, currency)
  return displayAmount(money.amountMinor, money.currency, 'en-GB')
}
