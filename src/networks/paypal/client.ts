import { callNetwork, type NetworkAnswer, type NetworkWay } from '../../core/networks/call-network.ts'
import type { Account } from '../../core/networks/hosted.ts'
import { NoAnswer, quote } from '../../core/networks/no-answer.ts'
import type { Certificates } from './certificates.ts'
import type { Lists } from './resources.ts'
import { name, type Tokens } from './tokens.ts'

export { name }

// PayPal over HTTP, by hand: its SDK is 15 MB, knows two hosts and no webhooks.

export type PayPalOptions = Omit<NetworkWay, 'api'> & {
  readonly now: () => Date
  readonly apis: PayPalApis
  /** Where PayPal keeps the certificates that it signs callbacks with. */
  readonly certificates: PayPalApis
  /** The authorities trusted for those certificates. Undefined: a stand-in without one. */
  readonly roots?: readonly string[] | undefined
}

export type PayPalApis = { readonly live: string; readonly sandbox: string }

export type PayPalWay = PayPalOptions & { readonly tokens: Tokens; readonly kept: Certificates }

type PayPalRequest = {
  readonly path: string
  /** Undefined: a GET. */
  readonly send?: unknown
  readonly requestId?: string
}

export type PayPalAnswer =
  | { readonly kind: 'ok'; readonly body: NetworkAnswer['body'] }
  /** `issue`: PayPal's word for machines, such as `ORDER_NOT_APPROVED`. */
  | { readonly kind: 'refused'; readonly status: number; readonly issue: string; readonly why: string }

export async function ask(
  way: PayPalWay,
  account: Account,
  request: PayPalRequest,
  signal: AbortSignal,
): Promise<PayPalAnswer> {
  signal.throwIfAborted()
  const first = await send(way, account, request, signal)
  // A token that PayPal ended early. Nothing was done with it, so the same request may be sent again, once.
  const answer =
    first.answer.status === 401 && first.isKept ? await send(way, account, request, signal) : first
  return read(answer.answer, account)
}

async function send(
  way: PayPalWay,
  account: Account,
  request: PayPalRequest,
  signal: AbortSignal,
): Promise<{ readonly answer: NetworkAnswer; readonly isKept: boolean }> {
  const { outbound, scope, apis, tokens } = way
  const api = account.sandbox ? apis.sandbox : apis.live
  const got = await tokens.get(api, account.credentials, signal)
  if (got.kind === 'refused') return { answer: got.answer, isKept: false }
  const made = requestOf(request, got.token.value)
  const answer = await callNetwork(name, { outbound, scope, api }, made, signal)
  if (answer.status === 401) tokens.drop(api, account.credentials, got.token)
  return { answer, isKept: true }
}

function requestOf({ path, send: body, requestId }: PayPalRequest, token: string) {
  const headers = {
    authorization: `Bearer ${token}`,
    accept: 'application/json',
    'user-agent': 'florin',
    // Else PayPal says an id and a status, and nothing about money.
    prefer: 'return=representation',
    ...(requestId !== undefined && { 'paypal-request-id': requestId }),
  }
  if (body === undefined) return { method: 'GET', path, headers } as const
  return {
    method: 'POST',
    path,
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  } as const
}

type ApiError = {
  readonly name?: string
  readonly message?: string
  readonly error?: string
  readonly error_description?: string
  readonly details?: readonly {
    readonly issue?: string
    readonly description?: string
    readonly field?: string
  }[]
}

const inProgress = 'PREVIOUS_REQUEST_IN_PROGRESS'

function read({ status, body }: NetworkAnswer, account: Account): PayPalAnswer {
  if (status < 300) return { kind: 'ok', body }
  const error = body as ApiError
  const first = error.details?.[0]
  const issue = first?.issue ?? error.name ?? error.error
  // Something else than PayPal answered, or PayPal is still at it.
  if (issue === undefined || status === 409 || issue === inProgress)
    throw new NoAnswer(name, `status ${status}${issue === undefined ? '' : `, ${quote(issue, account)}`}`)
  const words = [error.message ?? error.error_description, first?.field, first?.description]
  const said = words.filter((text) => text !== undefined).join('; ')
  // The credentials may also appear encoded.
  const why = quote(said.replace(/\b(Basic|Bearer) \S+/g, '$1 [hidden]'), account)
  return { kind: 'refused', status, issue: quote(issue, account), why }
}

/** For what must be answered: a refusal is no answer to it. Undefined: there is no such thing. */
export function bodyOf(answer: PayPalAnswer): NetworkAnswer['body'] | undefined {
  if (answer.kind === 'ok') return answer.body
  if (answer.status === 404) return undefined
  throw new NoAnswer(name, `it refused the request (${answer.status} ${answer.issue}): ${answer.why}`)
}

/** An answer that lacks what it must hold is none of PayPal's. */
export function mustHave<T extends object>(
  body: NetworkAnswer['body'] | undefined,
  ...members: readonly (keyof T & string)[]
): T {
  const missing = members.find((member) => typeof body?.[member] !== 'string')
  if (!body || missing !== undefined) throw new NoAnswer(name, `its answer lacks ${missing ?? 'everything'}`)
  return body as T
}

export function listIn<M extends keyof Lists>(
  body: NetworkAnswer['body'] | undefined,
  member: M,
): readonly Lists[M][] {
  const items = body?.[member]
  if (!Array.isArray(items)) throw new NoAnswer(name, `its answer lacks a list of ${member}`)
  return items as Lists[M][]
}
