import { ConnectionError, errorFor } from './errors.ts'
import { operations, type OperationId } from './types.ts'

// One call: path, query and body, retries with growing pauses, and errors as classes.

export type ClientOptions = {
  readonly key: string
  readonly baseUrl: string
  readonly fetch: typeof globalThis.fetch
  /** Milliseconds for one try. */
  readonly timeout: number
  readonly maxRetries: number
  readonly wait: (ms: number) => Promise<void>
}

export type Call = {
  readonly path?: Readonly<Record<string, string>>
  readonly query?: object | undefined
  readonly body?: object
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal | undefined
}

/** Repeating these is harmless: reads, and calls with a key of their own (Idempotency-Key, refund_ref). */
const repeatable: ReadonlySet<OperationId> = new Set([
  'createPayment',
  'refundTransaction',
  'renameProject',
] satisfies OperationId[])

const firstPauseMs = 500
const pauseMaxMs = 5_000
const retryAfterMaxMs = 60_000

/** The text of a good answer. */
export async function send(options: ClientOptions, id: OperationId, call: Call = {}): Promise<string> {
  const [method, template] = operations[id]
  const url = urlOf(options.baseUrl, template, call)
  const mayRepeat = method === 'GET' || repeatable.has(id)
  for (let tried = 0; ; tried += 1) {
    const isLast = tried >= options.maxRetries
    let answer: Answer
    try {
      answer = await tryOnce(options, method, url, call)
    } catch (error) {
      if (call.signal?.aborted === true) throw error
      if (isLast || !mayRepeat)
        throw new ConnectionError(`No answer from ${new URL(url).origin}: ${messageOf(error)}`, {
          cause: error,
        })
      await options.wait(pauseMs(tried))
      continue
    }
    if (answer.ok) return answer.text
    // A call that was refused with 429 did nothing; after a 5xx only a repeatable one may be sent again.
    const isWorthIt = answer.status === 429 || (answer.status >= 500 && mayRepeat)
    if (isLast || !isWorthIt) throw readError(answer)
    await options.wait(retryAfterMs(answer) ?? pauseMs(tried))
  }
}

type Answer = Pick<Response, 'ok' | 'status' | 'headers'> & { readonly text: string }

async function tryOnce(options: ClientOptions, method: string, url: string, call: Call): Promise<Answer> {
  const limit = AbortSignal.timeout(options.timeout)
  const answer = await options.fetch(url, {
    method,
    headers: {
      authorization: `Bearer ${options.key}`,
      accept: 'application/json',
      ...(call.body !== undefined && { 'content-type': 'application/json' }),
      ...call.headers,
    },
    ...(call.body !== undefined && { body: JSON.stringify(call.body) }),
    // Your key must not follow a redirect to another server.
    redirect: 'error',
    signal: call.signal ? AbortSignal.any([call.signal, limit]) : limit,
  })
  // Read here, as a connection that breaks in the middle of an answer is no answer.
  return { ok: answer.ok, status: answer.status, headers: answer.headers, text: await answer.text() }
}

function urlOf(baseUrl: string, template: string, { path = {}, query = {} }: Call): string {
  const filled = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = path[name]
    if (typeof value !== 'string' || value === '') throw new TypeError(`${name} must not be empty`)
    return encodeURIComponent(value)
  })
  const url = new URL(`${baseUrl.replace(/\/+$/, '')}${filled}`)
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== null)
      url.searchParams.set(name, value instanceof Date ? value.toISOString() : String(value))
  return url.href
}

function pauseMs(tried: number): number {
  return Math.min(pauseMaxMs, firstPauseMs * 2 ** tried) * (0.75 + Math.random() / 2)
}

function retryAfterMs({ headers }: Answer): number | undefined {
  const seconds = Number(headers.get('retry-after') ?? Number.NaN)
  return Number.isFinite(seconds) && seconds >= 0 ? Math.min(retryAfterMaxMs, seconds * 1000) : undefined
}

function readError(answer: Answer): Error {
  const requestId = answer.headers.get('x-request-id')
  const waitMs = retryAfterMs(answer)
  const failure: { readonly message?: string } = parse(answer.text) ?? {}
  return errorFor(failure.message ?? `Florin answered ${answer.status}`, {
    status: answer.status,
    failure,
    ...(requestId !== null && { requestId }),
    ...(waitMs !== undefined && { retryAfterSeconds: waitMs / 1000 }),
  })
}

/** Undefined for a page that a proxy in between sent instead. */
export function parse(text: string): object | undefined {
  try {
    const parsed: unknown = JSON.parse(text)
    return typeof parsed === 'object' && parsed !== null ? parsed : undefined
  } catch {
    return undefined
  }
}

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? error.cause.message : error.message
}
