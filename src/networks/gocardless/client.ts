import { callNetwork, type NetworkAnswer, type NetworkWay } from '../../core/networks/call-network.ts'
import type { Account } from '../../core/networks/hosted.ts'
import { NoAnswer, quote } from '../../core/networks/no-answer.ts'
import type { Resources } from './resources.ts'

// GoCardless over HTTP, by hand: its SDK brings 55 packages, hard-codes the host and has no time-out.

export type GoCardlessWay = Omit<NetworkWay, 'api'> & {
  readonly now: () => Date
  readonly apis: { readonly live: string; readonly sandbox: string }
}

type GoCardlessRequest = {
  readonly path: string
  /** Undefined: a GET. */
  readonly send?: unknown
  readonly idempotencyKey?: string
}

export type GoCardlessAnswer =
  | { readonly kind: 'ok'; readonly body: NetworkAnswer['body'] }
  /** The key was used before: this is what it made. */
  | { readonly kind: 'made_before'; readonly id: string }
  | { readonly kind: 'refused'; readonly status: number; readonly reason: string; readonly why: string }

export const name = 'GoCardless'
const version = '2015-07-06'

export async function ask(
  way: GoCardlessWay,
  account: Account,
  asked: GoCardlessRequest,
  signal: AbortSignal,
): Promise<GoCardlessAnswer> {
  signal.throwIfAborted()
  const { outbound, scope, apis } = way
  const api = account.sandbox ? apis.sandbox : apis.live
  const answer = await callNetwork(name, { outbound, scope, api }, requestOf(account, asked), signal)
  if (answer.status < 300) return { kind: 'ok', body: answer.body }
  return readRefusal(answer, account)
}

function requestOf(account: Account, { path, send, idempotencyKey }: GoCardlessRequest) {
  const headers = {
    authorization: `Bearer ${account.credentials['access_token'] ?? ''}`,
    'gocardless-version': version,
    accept: 'application/json',
    'user-agent': 'florin',
  }
  if (send === undefined) return { method: 'GET', path, headers } as const
  return {
    method: 'POST',
    path,
    headers: {
      ...headers,
      'content-type': 'application/json',
      ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
    },
    body: JSON.stringify(send),
  } as const
}

type ApiError = {
  readonly message?: string
  readonly type?: string
  readonly errors?: readonly {
    readonly reason?: string
    readonly field?: string
    readonly message?: string
    readonly links?: { readonly conflicting_resource_id?: string }
  }[]
}

function readRefusal({ status, body }: NetworkAnswer, account: Account): GoCardlessAnswer {
  const error = (body['error'] ?? {}) as ApiError
  const first = error.errors?.[0]
  const conflicting = first?.links?.conflicting_resource_id
  if (first?.reason === 'idempotent_creation_conflict' && conflicting !== undefined) {
    return { kind: 'made_before', id: conflicting }
  }
  if (status === 409) throw new NoAnswer(name, 'it said 409')
  const words = [error.message, first?.field, first?.message].filter((text) => text !== undefined).join('; ')
  return {
    kind: 'refused',
    status,
    reason: first?.reason ?? error.type ?? 'refused',
    why: quote(words, account),
  }
}

/** For what must be answered: a refusal is no answer to it. Undefined: there is no such thing. */
export function bodyOf(answer: GoCardlessAnswer): NetworkAnswer['body'] | undefined {
  if (answer.kind === 'ok') return answer.body
  if (answer.kind === 'refused' && answer.status === 404) return undefined
  const why = answer.kind === 'refused' ? `${answer.status} ${answer.reason}: ${answer.why}` : 'made before'
  throw new NoAnswer(name, `it refused the request (${why})`)
}

/** Every resource comes in a member of its own name; one that lacks it is none of GoCardless. */
export function memberOf<M extends keyof Resources>(
  body: NetworkAnswer['body'] | undefined,
  member: M,
): Resources[M] {
  const found = body?.[member]
  if (typeof found !== 'object' || found === null) throw new NoAnswer(name, `its answer lacks ${member}`)
  return found as Resources[M]
}

export function itemsOf<M extends keyof Resources>(
  body: NetworkAnswer['body'] | undefined,
  member: M,
): readonly Resources[M][] {
  const items = body?.[member]
  if (!Array.isArray(items)) throw new NoAnswer(name, `its answer lacks a list of ${member}`)
  return items as Resources[M][]
}

const pageSize = 100

/** The newest first, page by page to the very end. Takes as long as `signal` lets it. */
export async function* list<M extends keyof Resources>(
  way: GoCardlessWay,
  account: Account,
  member: M,
  filter: Readonly<Record<string, string>>,
  signal: AbortSignal,
): AsyncGenerator<Resources[M], void> {
  let after = ''
  for (;;) {
    const query = new URLSearchParams({ ...filter, limit: String(pageSize), ...(after !== '' && { after }) })
    const body = bodyOf(await ask(way, account, { path: `/${member}?${query.toString()}` }, signal))
    // GoCardless does not know what the list is about, such as a payment: so there is nothing in it.
    if (after === '' && !body) return
    yield* itemsOf(body, member)
    const { cursors } = (body?.['meta'] ?? {}) as { cursors?: { after?: string | null } }
    const next = cursors?.after ?? ''
    if (next === '') return
    if (next === after) throw new NoAnswer(name, 'its list repeats a page')
    after = next
  }
}
