import type Stripe from 'stripe'
import type { NetworkWay } from '../../core/networks/call-network.ts'
import type { Account } from '../../core/networks/hosted.ts'
import { NoAnswer, quote } from '../../core/networks/no-answer.ts'
import { name, type Clients } from './clients.ts'

export { name }

// Stripe as it is asked: what it refuses is a value, and no answer is thrown.

export type StripeOptions = NetworkWay & { readonly now: () => Date }
export type StripeWay = StripeOptions & { readonly clients: Clients }

export type Refused = {
  readonly status: number
  /** Stripe's word for machines, such as `amount_too_small`. */
  readonly code: string
  /** Stripe's words for people, for the log. */
  readonly why: string
  /** The bank's reason for declining a card: `insufficient_funds`. */
  readonly declineCode?: string | undefined
  /** The card scheme's advice after a decline: `do_not_try_again`. */
  readonly adviceCode?: string | undefined
}

export type StripeAnswer<T> =
  | { readonly kind: 'ok'; readonly value: T }
  | ({ readonly kind: 'refused' } & Refused)

/** Asks Stripe. What it refuses is a value; no answer is thrown. Nothing of the SDK's errors leaves this file. */
export async function ask<T>(
  way: StripeWay,
  account: Account,
  signal: AbortSignal,
  question: (stripe: Stripe) => Promise<T>,
): Promise<StripeAnswer<T>> {
  signal.throwIfAborted()
  try {
    const secretKey = account.credentials['secret_key'] ?? ''
    return { kind: 'ok', value: await way.clients.use(secretKey, signal, question) }
  } catch (error) {
    return readRefusal(error, account)
  }
}

/** For what must be answered: a refusal is no answer to it. */
export function valueOf<T>(answer: StripeAnswer<T>): T {
  if (answer.kind === 'ok') return answer.value
  throw new NoAnswer(name, `it refused the request (${answer.status} ${answer.code}): ${answer.why}`)
}

const pageSize = 100

type Page<T> = { readonly data: readonly T[]; readonly has_more: boolean }
type PageParams = { readonly limit: number; readonly starting_after?: string }

/** The newest first, page by page to the very end: `question` asks for one of them. Takes as long as `signal` lets it. */
export async function* list<T extends { readonly id: string }>(
  way: StripeWay,
  account: Account,
  signal: AbortSignal,
  question: (stripe: Stripe, page: PageParams) => Promise<Page<T>>,
): AsyncGenerator<T, void> {
  let after: string | undefined
  for (;;) {
    const params = { limit: pageSize, ...(after !== undefined && { starting_after: after }) }
    const answer = await ask(way, account, signal, async (stripe) => question(stripe, params))
    // Stripe does not know what the list is about, such as a payment: so there is nothing in it.
    if (after === undefined && isMissing(answer)) return
    const { data, has_more } = valueOf(answer)
    yield* data
    if (!has_more) return
    const last = data.at(-1)?.id
    // Taken for the end, it would hide whatever comes later.
    if (last === undefined) throw new NoAnswer(name, 'it reports more results after an empty page')
    if (last === after) throw new NoAnswer(name, 'its list repeats a page')
    after = last
  }
}

export function isMissing(answer: StripeAnswer<unknown>): boolean {
  return answer.kind === 'refused' && answer.status === 404
}

type SdkError = {
  readonly detail?: unknown
  readonly statusCode?: number
  readonly code?: string
  readonly rawType?: string
  readonly message?: string
  readonly decline_code?: string
  readonly advice_code?: string
}

function readRefusal(error: unknown, account: Account): StripeAnswer<never> {
  if (error instanceof NoAnswer || error instanceof RangeError) throw error
  const { detail, statusCode, code, rawType, message = '', ...card } = error as SdkError
  if (detail instanceof NoAnswer) throw detail
  // The SDK keeps headers and bodies in its errors, so none of them is handed on, not even as a cause.
  if (statusCode === undefined) throw new NoAnswer(name, quote(message, account))
  const why = quote(message.replace(/\b(sk|rk)_(test|live)_\S*/g, '$1_[hidden]'), account)
  const codes = { declineCode: card.decline_code, adviceCode: card.advice_code }
  return { kind: 'refused', status: statusCode, code: code ?? rawType ?? 'refused', why, ...codes }
}
