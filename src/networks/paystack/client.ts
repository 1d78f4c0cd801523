import { callNetwork, type NetworkAnswer, type NetworkWay } from '../../core/networks/call-network.ts'
import type { Account, Money } from '../../core/networks/hosted.ts'
import { NoAnswer, quote } from '../../core/networks/no-answer.ts'
import { fromPaystack } from './currencies.ts'
import type { Resources } from './resources.ts'

// Paystack over HTTP, by hand: its package on npm holds no code.

export type PaystackWay = NetworkWay & { readonly now: () => Date }

type PaystackRequest = {
  readonly path: string
  /** Undefined: a GET. */
  readonly send?: unknown
}

export type PaystackAnswer =
  | { readonly kind: 'ok'; readonly body: NetworkAnswer['body'] }
  | { readonly kind: 'refused'; readonly status: number; readonly code: string; readonly why: string }

export const name = 'Paystack'

export async function ask(
  way: PaystackWay,
  account: Account,
  { path, send }: PaystackRequest,
  signal: AbortSignal,
): Promise<PaystackAnswer> {
  signal.throwIfAborted()
  const headers = {
    authorization: `Bearer ${account.credentials['secret_key'] ?? ''}`,
    accept: 'application/json',
    'user-agent': 'florin',
  }
  const request =
    send === undefined
      ? ({ method: 'GET', path, headers } as const)
      : ({
          method: 'POST',
          path,
          headers: { ...headers, 'content-type': 'application/json' },
          body: JSON.stringify(send),
        } as const)
  const { status, body } = await callNetwork(name, way, request, signal)
  if (status === 409) throw new NoAnswer(name, 'it said 409')
  if (status >= 300) return refusal(status, body, account)
  if (body['status'] !== true) throw new NoAnswer(name, 'it said 200 and not that it is done')
  return { kind: 'ok', body }
}

function refusal(status: number, body: NetworkAnswer['body'], account: Account): PaystackAnswer {
  const { code, type, message } = body
  const word = [code, type].find((each) => typeof each === 'string')
  const why = typeof message === 'string' ? message : ''
  return {
    kind: 'refused',
    status,
    code: quote(typeof word === 'string' ? word : 'refused', account),
    why: quote(why, account),
  }
}

/** Revoked or wrong credentials say nothing about what was asked. */
export function isStranger(answer: PaystackAnswer): boolean {
  return answer.kind === 'refused' && (answer.status === 401 || answer.status === 403)
}

/** Paystack says 404 of some things that it doesn't know and 400 of others. */
export function isMissing(answer: PaystackAnswer): boolean {
  if (answer.kind !== 'refused') return false
  return answer.status === 404 || (answer.status === 400 && answer.code.endsWith('not_found'))
}

/** For what must be answered: a refusal is no answer to it. */
export function dataOf(answer: PaystackAnswer): unknown {
  if (answer.kind === 'ok') return answer.body['data']
  throw new NoAnswer(name, `it refused the request (${answer.status} ${answer.code}: ${answer.why})`)
}

/** One that lacks what every resource has is none of Paystack. */
export function objectOf(data: unknown): object {
  if (typeof data !== 'object' || data === null || Array.isArray(data))
    throw new NoAnswer(name, 'its answer lacks data')
  return data
}

/** In whole hundredths, or nobody knows what it is. */
export function moneyOf(amount: unknown, currency: unknown): Money {
  if (typeof amount !== 'number' || !Number.isSafeInteger(amount) || typeof currency !== 'string')
    throw new NoAnswer(name, 'its answer holds no amount')
  return { amountMinor: fromPaystack(amount, currency), currency }
}

const pageSize = 100
/** How many Paystack lists if it takes no notice of ours. */
const shortestPage = 50

/** Page by page to the very end. Takes as long as `signal` lets it. Throws if it didn't get all. */
export async function* list<R extends keyof Resources>(
  way: PaystackWay,
  account: Account,
  path: string,
  filter: Readonly<Record<string, string>>,
  signal: AbortSignal,
): AsyncGenerator<Resources[R], void> {
  let [read, first] = [0, '']
  for (let page = 1; ; page += 1) {
    // Paystack's specification names it `per_page` for transactions and `perPage` for all else, its guide `perPage` for all.
    const [size, number] = [String(pageSize), String(page)]
    const query = new URLSearchParams({ ...filter, perPage: size, per_page: size, page: number })
    const answer = await ask(way, account, { path: `${path}?${query.toString()}` }, signal)
    const items = dataOf(answer)
    if (!Array.isArray(items)) throw new NoAnswer(name, 'its answer lacks a list')
    const total = answer.kind === 'ok' ? totalOf(answer.body['meta']) : undefined
    const starts = items.length === 0 ? '' : String((items[0] as { id?: unknown } | null)?.id)
    if (items.length > 0 && starts === first) throw new NoAnswer(name, 'its list repeats a page')
    yield* items as Resources[R][]
    // What comes in meanwhile moves the rest on by a place: that shows something twice, and hides nothing.
    read += items.length
    first = starts
    if (total === undefined ? items.length < shortestPage : read >= total) return
    if (items.length === 0) throw new NoAnswer(name, `its list holds ${read} of ${total}`)
  }
}

/** Undefined where it isn't told. */
function totalOf(meta: unknown): number | undefined {
  const total = (meta as { total?: unknown } | null | undefined)?.total
  return typeof total === 'number' && Number.isSafeInteger(total) ? total : undefined
}
