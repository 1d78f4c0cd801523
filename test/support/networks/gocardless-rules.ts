import { displayAmount } from '../../../src/platform/money/money.ts'
import type { GoCardlessAction, GoCardlessBooks, Flow } from './gocardless-books.ts'
import {
  cancelMandate,
  cancelRequest,
  createFlow,
  createPayment,
  createRefund,
  createRequest,
  listed,
  missing,
  refuse,
  type Sent,
} from './gocardless-calls.ts'
import * as fields from './gocardless-form.ts'
import { findProblem, readForm, type Fields } from './parameters.ts'
import { drawPage } from './payment-page.ts'
import type { ApiAnswer, ApiRequest, PageAnswer, Rules } from './stand-in.ts'

// Who may call, what a key remembers, and which call does what.

export type World = {
  readonly accessToken: string
  readonly books: GoCardlessBooks
  readonly url: () => string
  readonly act: (flowId: string, action: GoCardlessAction) => void
  readonly tell: (resource: 'refunds', action: string, id: string) => void
}

export function makeRules(world: World): Rules {
  /** By key and kind of resource, for good: whatever comes with a key again, it is told what the key made. */
  const made = new Map<string, string>()
  return {
    page: (request) => pageOf(world, request),
    api(request) {
      const refusal = refuseStranger(world, request)
      if (refusal) return refusal
      const key = request.method === 'POST' ? request.headers['idempotency-key'] : undefined
      const slot = `${request.path} ${key}`
      const before = key === undefined ? undefined : made.get(slot)
      if (before !== undefined) return madeBefore(before)
      const answer = run(world, request)
      if (key !== undefined && answer.status === 201) made.set(slot, idOf(answer))
      return { ...answer, body: structuredClone(answer.body) }
    },
    failure: (status) => ({
      status,
      body: {
        error: {
          message: 'Sorry',
          type: status === 429 ? 'rate_limit_exceeded' : 'gocardless',
          code: status,
          errors: [],
        },
      },
    }),
  }
}

function idOf({ body }: ApiAnswer): string {
  return (Object.values(body as Record<string, { id: string }>)[0] as { id: string }).id
}

function madeBefore(id: string): ApiAnswer {
  const message = 'A resource has already been created with this idempotency key'
  return refuse(409, 'invalid_state', 'idempotent_creation_conflict', message, {
    links: { conflicting_resource_id: id },
  })
}

function refuseStranger({ accessToken }: World, { headers }: ApiRequest): ApiAnswer | undefined {
  if (headers['gocardless-version'] !== '2015-07-06') {
    return refuse(400, 'invalid_api_usage', 'version_not_found', 'Version not found')
  }
  if (headers['authorization'] === `Bearer ${accessToken}`) return undefined
  return refuse(
    401,
    'invalid_api_usage',
    'access_token_not_found',
    `The access token you've used is not a valid sandbox API access token: ${headers['authorization']}`,
  )
}

function run(world: World, request: ApiRequest): ApiAnswer {
  const [, member = '', id = '', , action = ''] = request.path.split('/')
  if (request.method === 'GET') return id === '' ? list(world, member, request) : readOne(world, member, id)
  const sent = readJson(request.text)
  const under = (name: string, allowed: Fields, does: (inside: Sent) => ApiAnswer): ApiAnswer => {
    const inside = sent[name]
    if (typeof inside !== 'object' || inside === null || Object.keys(sent).length !== 1) {
      return refuse(
        400,
        'invalid_api_usage',
        'missing_envelope',
        `The body must have ${name} and nothing else`,
      )
    }
    return problemOf(inside as Sent, allowed) ?? does(inside as Sent)
  }
  const { books } = world
  if (action === 'cancel')
    return under('data', fields.action, () =>
      (member === 'mandates' ? cancelMandate : cancelRequest)(books, id),
    )
  if (action === 'initialise') {
    const flow = books.flows.get(id)
    return under('data', fields.action, () =>
      flow ? { status: 200, body: { billing_request_flows: flow } } : missing(),
    )
  }
  if (member === 'billing_requests')
    return under(member, fields.createRequest, (inside) => createRequest(books, inside))
  if (member === 'billing_request_flows') {
    return under(member, fields.createFlow, (inside) => createFlow(books, inside, world.url()))
  }
  if (member === 'payments')
    return under(member, fields.createPayment, (inside) => createPayment(books, inside))
  if (member === 'refunds') return under(member, fields.createRefund, (inside) => refunded(world, inside))
  return missing()
}

function refunded(world: World, inside: Sent): ApiAnswer {
  const answer = createRefund(world.books, inside)
  if (answer.status === 201) world.tell('refunds', 'created', idOf(answer))
  return answer
}

function list({ books }: World, member: string, { query }: ApiRequest): ApiAnswer {
  const allowed = fields.lists[member]
  const problem = allowed && problemOf(readForm(query), allowed)
  if (problem) return problem
  if (member === 'billing_requests') return listed(member, [...books.requests.values()], query)
  if (member === 'refunds') {
    const payment = query.get('payment')
    if (payment !== null && !books.payments.has(payment)) return missing()
    const all = [...books.refunds.values()]
    return listed(member, all, query, ({ links }) => payment === null || links.payment === payment)
  }
  const from = query.get('created_at[gte]') ?? ''
  if (member === 'payments') {
    const mandate = query.get('mandate')
    return listed(member, [...books.payments.values()], query, ({ links, created_at: at }) =>
      mandate === null ? at >= from : links?.mandate === mandate && at >= from,
    )
  }
  if (member === 'events') {
    const fits = (name: string, value: string | undefined): boolean =>
      query.get(name) === null || query.get(name) === value
    return listed(member, books.events, query, ({ resource_type, action, links, created_at: at }) => {
      const isAsked = fits('action', action) && fits('payment', links['payment'])
      return isAsked && fits('resource_type', resource_type) && at >= from
    })
  }
  if (member === 'payouts') {
    const [since, until] = [query.get('created_at[gte]') ?? '', query.get('created_at[lte]') ?? '9']
    const payouts = [...books.payouts.values()].map((payout) => ({ ...payout, items: undefined }))
    return listed(member, payouts, query, ({ created_at: at }) => at >= since && at <= until)
  }
  if (member === 'payout_items') {
    const payout = books.payouts.get(query.get('payout') ?? '')
    return payout ? listed(member, payout.items.toReversed(), query) : missing()
  }
  if (member === 'creditors') return listed(member, [{ id: 'CR123', name: 'Corner shop' }], query)
  return missing()
}

function readOne({ books }: World, member: string, id: string): ApiAnswer {
  const all: Readonly<Record<string, ReadonlyMap<string, object>>> = {
    billing_requests: books.requests,
    payments: books.payments,
    mandates: books.mandates,
    refunds: books.refunds,
  }
  const found = all[member]?.get(id)
  return found ? { status: 200, body: { [member]: found } } : missing()
}

function problemOf(sent: Sent, allowed: Fields): ApiAnswer | undefined {
  const problem = findProblem(sent, allowed)
  if (!problem) return undefined
  const { kind, field, why } = problem
  return refuse(422, 'validation_failed', kind === 'missing' ? 'required' : kind, why, { field })
}

function readJson(text: string): Sent {
  try {
    return (JSON.parse(text) ?? {}) as Sent
  } catch {
    return {}
  }
}

const actions: readonly GoCardlessAction[] = ['pay', 'refuse', 'cancel']

function pageOf({ books, act }: World, request: ApiRequest): PageAnswer | undefined {
  const flow = books.flows.get(/^\/flow\/(BRF\w+)$/.exec(request.path)?.[1] ?? '')
  const billingRequest = flow && books.requests.get(flow.links.billing_request)
  if (!flow || !billingRequest) return undefined
  const chosen = request.method === 'POST' ? new URLSearchParams(request.text).get('action') : null
  const action = actions.find((each) => each === chosen)
  if (action) act(flow.id, action)
  if (action === 'cancel') return { location: flow.exit_uri }
  if (billingRequest.status === 'fulfilled') return { location: wayBack(flow) }
  const isOpen = billingRequest.status === 'pending'
  const { amount, currency } = billingRequest.payment_request
  return {
    html: drawPage({
      network: 'GoCardless',
      title: billingRequest.payment_request.description ?? 'Payment',
      amount: displayAmount(BigInt(amount), currency, 'en-GB'),
      action: `/flow/${flow.id}`,
      ...(action === 'refuse' && { notice: 'Your bank said no. Try again.' }),
      ...(!isOpen && { notice: 'This payment was cancelled.' }),
      choices: isOpen
        ? [
            { action: 'pay', label: 'Approve in my bank' },
            { action: 'refuse', label: 'Refuse in my bank' },
            { action: 'cancel', label: 'Back to the shop' },
          ]
        : [],
    }),
  }
}

/** GoCardless adds two names of its own to the address. */
function wayBack({ id, redirect_uri }: Flow): string {
  const url = new URL(redirect_uri)
  url.searchParams.set('outcome', 'success')
  url.searchParams.set('id', id)
  return url.href
}
