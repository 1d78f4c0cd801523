import type Stripe from 'stripe'
import { callNetwork, type NetworkWay } from '../call-network.ts'
import type { Account } from '../hosted.ts'
import { NoAnswer, quote } from '../no-answer.ts'

// Stripe's own SDK, travelling by our own way out. Its HTTP client sends a request again by itself when a connection
// breaks, even with retries off, can't be stopped by a signal, takes an error without an `error` in it for success and
// prints notices from headers; so it gets a client of ours, which the SDK has a setting for.

export type StripeWay = NetworkWay & { readonly now: () => Date }

export type Refused = {
  readonly status: number
  /** Stripe's word for machines, such as `amount_too_small`. */
  readonly code: string
  /** Stripe's words for people, for the log. */
  readonly why: string
}

export type StripeAnswer<T> =
  | { readonly kind: 'ok'; readonly value: T }
  | ({ readonly kind: 'refused' } & Refused)

export const name = 'Stripe'

/** Asks Stripe. What it refuses is a value; no answer is thrown. Nothing of the SDK's errors leaves this file. */
export async function ask<T>(
  way: StripeWay,
  account: Account,
  signal: AbortSignal,
  question: (stripe: Stripe) => Promise<T>,
): Promise<StripeAnswer<T>> {
  signal.throwIfAborted()
  const stripe = await connect(way, account, signal)
  try {
    return { kind: 'ok', value: await question(stripe) }
  } catch (error) {
    return readRefusal(error, account)
  }
}

/** For what must be answered: a refusal is no answer to it. */
export function valueOf<T>(answer: StripeAnswer<T>): T {
  if (answer.kind === 'ok') return answer.value
  throw new NoAnswer(name, `it refused to tell (${answer.status} ${answer.code}): ${answer.why}`)
}

export function isMissing(answer: StripeAnswer<unknown>): boolean {
  return answer.kind === 'refused' && answer.status === 404
}

async function connect(way: StripeWay, account: Account, signal: AbortSignal): Promise<Stripe> {
  // Loaded when it is first needed: it takes 170 ms and 38 MB, and who has no account at Stripe needs none of it.
  const { default: Sdk } = await import('stripe')
  const api = new URL(way.api)
  const protocol = api.protocol === 'http:' ? 'http' : 'https'
  return new Sdk(account.credentials['secret_key'] ?? '', {
    host: api.hostname,
    port: api.port || (protocol === 'http' ? 80 : 443),
    protocol,
    maxNetworkRetries: 0,
    telemetry: false,
    httpClient: makeHttpClient(way, signal),
  })
}

type HttpClient = NonNullable<NonNullable<ConstructorParameters<typeof Stripe>[1]>['httpClient']>

function makeHttpClient(way: StripeWay, signal: AbortSignal): HttpClient {
  return {
    getClientName: () => 'florin',
    async makeRequest(_host, _port, path, method, headers, body) {
      const answer = await callNetwork(
        name,
        way,
        { method: readMethod(method), path, headers: plain(headers), body },
        signal,
      )
      const hasError = typeof answer.body['error'] === 'object'
      if (answer.status === 409 || answer.status >= 400 !== hasError) {
        throw new NoAnswer(
          name,
          `it said ${answer.status}${answer.status === 409 ? ': the key is in use' : ''}`,
        )
      }
      return {
        getStatusCode: () => answer.status,
        getHeaders: () => (answer.requestId === undefined ? {} : { 'request-id': answer.requestId }),
        getRawResponse: () => ({}),
        toStream: () => {
          throw new TypeError('nothing that we ask for is streamed')
        },
        toJSON: async () => answer.body,
      }
    },
  }
}

function readMethod(method: string): 'GET' | 'POST' | 'DELETE' {
  if (method === 'GET' || method === 'POST' || method === 'DELETE') return method
  throw new TypeError(`${method} is not sent to networks`)
}

function plain(headers: object): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([header, value]) => [header, String(value)]))
}

type SdkError = {
  readonly detail?: unknown
  readonly statusCode?: number
  readonly code?: string
  readonly rawType?: string
  readonly message?: string
}

function readRefusal(error: unknown, account: Account): StripeAnswer<never> {
  if (error instanceof NoAnswer || error instanceof RangeError) throw error
  const { detail, statusCode, code, rawType, message = '' } = error as SdkError
  if (detail instanceof NoAnswer) throw detail
  // The SDK keeps headers and bodies in its errors, so none of them is handed on, not even as a cause.
  if (statusCode === undefined) throw new NoAnswer(name, quote(message, account))
  const why = quote(message.replace(/\b(sk|rk)_(test|live)_\S*/g, '$1_[hidden]'), account)
  return { kind: 'refused', status: statusCode, code: code ?? rawType ?? 'refused', why }
}
