import { displayAmount } from '../../../../src/platform/money/money.ts'
import { findProblem, readForm, type Fields } from '../parameters.ts'
import { drawPage } from '../payment-page.ts'
import type { ApiAnswer, ApiRequest, PageAnswer, Rules } from '../stand-in.ts'
import type { LaterCharge, PaystackAction, PaystackBooks, Transaction } from './books.ts'
import {
  createRefund,
  done,
  initialize,
  listed,
  refuse,
  shown,
  shownDispute,
  shownRefund,
  verify,
  type Sent,
} from './calls.ts'
import * as fields from './form.ts'
import { chargeAuthorization, deactivate } from './saved.ts'

// Who may call, and which call does what. Nothing remembers a key: the reference of a transaction is the only one.

export type World = {
  readonly secretKey: string
  readonly books: PaystackBooks
  readonly url: () => string
  readonly act: (reference: string, action: PaystackAction) => void
  readonly tellRefund: (id: string) => void
  readonly refundsAre: () => 'pending' | 'processed'
  readonly chargesAre: () => LaterCharge
  readonly pay: (transaction: Transaction) => void
}

export function makeRules(world: World): Rules {
  return {
    page: (request) => pageOf(world, request),
    api(request) {
      if (request.headers['authorization'] !== `Bearer ${world.secretKey}`) {
        const said = `Invalid key: ${request.headers['authorization']}`
        return refuse(401, 'invalid_Key', said)
      }
      const answer = request.method === 'GET' ? read(world, request) : write(world, request)
      return { ...answer, body: structuredClone(answer.body) }
    },
    failure: (status) => ({
      status,
      body: { status: false, message: 'Sorry', type: 'api_error', code: 'unknown' },
    }),
  }
}

function write(world: World, request: ApiRequest): ApiAnswer {
  const sent = readJson(request.text)
  const checked = (allowed: Fields, does: () => ApiAnswer): ApiAnswer => problemOf(sent, allowed) ?? does()
  if (request.path === '/transaction/initialize')
    return checked(fields.initialize, () => initialize(world.books, sent, world.url()))
  if (request.path === '/transaction/charge_authorization')
    return checked(fields.chargeAuthorization, () =>
      chargeAuthorization(world.books, sent, world.chargesAre(), world.pay),
    )
  if (request.path === '/customer/authorization/deactivate')
    return checked(fields.deactivate, () => deactivate(world.books, sent))
  if (request.path === '/refund')
    return checked(fields.createRefund, () => {
      const answer = createRefund(world.books, sent, world.refundsAre())
      if (answer.status === 200) world.tellRefund(String((answer.body as { data: { id: number } }).data.id))
      return answer
    })
  return missing()
}

function missing(): ApiAnswer {
  return refuse(404, 'not_found', 'Not found')
}

function read({ books }: World, { path, query }: ApiRequest): ApiAnswer {
  const [, member = '', id = '', more = ''] = path.split('/')
  if (path === '/integration/payment_session_timeout')
    return done('Payment session timeout retrieved', { payment_session_timeout: 0 })
  if (member === 'transaction' && id === 'verify') return verify(books, more)
  const kind = more === '' && id !== '' ? undefined : more === '' ? member : more
  if (kind !== undefined) {
    const allowed = fields.lists[kind]
    return (allowed ? problemOf(readForm(query), allowed) : missing()) ?? list(books, kind, id, query)
  }
  if (member === 'refund') {
    const refund = books.refunds.get(id)
    return refund ? done('Refund retrieved', shownRefund(books, refund)) : missing()
  }
  const dispute = member === 'dispute' ? books.disputes.get(id) : undefined
  return dispute ? done('Dispute retrieved', shownDispute(books, dispute)) : missing()
}

function list(books: PaystackBooks, kind: string, id: string, query: URLSearchParams): ApiAnswer {
  const status = query.get('status')
  const transactions = (fits: (one: Transaction) => boolean) =>
    listed(
      [...books.transactions.values()].filter(fits).map((one) => shown(one)),
      query,
      ({ created_at: at }) => at,
      { size: kind === 'transaction' ? 'per_page' : 'perPage', from: kind === 'transaction' },
    )
  const knows = { size: 'perPage', from: true } as const
  if (kind === 'transaction') return transactions((one) => status === null || one.status === status)
  if (kind === 'transactions')
    return books.settlements.has(id) ? transactions(({ settlement }) => String(settlement) === id) : missing()
  const at = (one: { readonly createdAt: string }): string => one.createdAt
  if (kind === 'refund') {
    const refunds = [...books.refunds.values()].map((one) => ({ ...one, ...shownRefund(books, one) }))
    return listed(refunds, query, at, knows)
  }
  if (kind === 'settlement')
    return listed([...books.settlements.values()], query, at, { ...knows, from: false })
  const disputes = [...books.disputes.values()].map((one) => shownDispute(books, one))
  return listed(disputes, query, at, knows)
}

function problemOf(sent: Sent, allowed: Fields): ApiAnswer | undefined {
  const problem = findProblem(sent, allowed)
  return problem && refuse(400, 'invalid_params', `${problem.field} ${problem.why}`)
}

function readJson(text: string): Sent {
  try {
    return (JSON.parse(text) ?? {}) as Sent
  } catch {
    return {}
  }
}

const actions: readonly PaystackAction[] = ['pay', 'refuse', 'transfer', 'cancel']

function pageOf({ books, act }: World, request: ApiRequest): PageAnswer | undefined {
  const code = /^\/pay\/(\w+)$/.exec(request.path)?.[1]
  const found = [...books.transactions.values()].find(({ access_code }) => access_code === code)
  if (!found) return undefined
  const chosen = request.method === 'POST' ? new URLSearchParams(request.text).get('action') : null
  const action = actions.find((each) => each === chosen)
  if (action) act(found.reference, action)
  if (action === 'cancel') return { location: found.metadata['cancel_action'] ?? found.callback_url }
  if (found.status === 'success' || found.status === 'reversed') return { location: wayBack(found) }
  return {
    html: drawPage({
      network: 'Paystack',
      title: `Pay by ${found.channels.join(', ').replaceAll('_', ' ')}`,
      amount: displayAmount(wholeOf(found.requested_amount, found.currency), found.currency, 'en-GB'),
      action: `/pay/${found.access_code}`,
      ...(found.status === 'failed' && { notice: 'Your bank said no. Try again.' }),
      ...(found.status === 'ongoing' && { notice: 'Waiting for your transfer.' }),
      choices: [
        { action: 'pay', label: 'Pay' },
        { action: 'refuse', label: 'Be declined' },
        { action: 'transfer', label: 'Start a transfer' },
        { action: 'cancel', label: 'Cancel payment' },
      ],
    }),
  }
}

/** Paystack adds two names of its own to the address. */
function wayBack({ callback_url, reference }: Transaction): string {
  const url = new URL(callback_url)
  url.searchParams.set('trxref', reference)
  url.searchParams.set('reference', reference)
  return url.href
}

/** Paystack counts hundredths of a franc, which has none. */
function wholeOf(amount: number, currency: string): bigint {
  return currency === 'XOF' ? BigInt(amount) / 100n : BigInt(amount)
}
