import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { inspect } from 'node:util'
import { makeCallbacks, type Callbacks } from './callbacks.ts'

// A network on this machine: its API, its page and its callbacks on one port, with moods that real networks have.

export type Mood =
  /** Answers after this many milliseconds. */
  | { readonly kind: 'slow'; readonly ms: number }
  /** Does nothing, or all, and then says 500. */
  | { readonly kind: 'fails'; readonly when: 'before' | 'after' }
  /** Does nothing, or all, and then cuts the connection. */
  | { readonly kind: 'cuts'; readonly when: 'before' | 'after' }
  /** Does nothing, or all, and then stays silent. */
  | { readonly kind: 'hangs'; readonly when: 'before' | 'after' }
  /** A page of HTML from whatever stands in front of the network. */
  | { readonly kind: 'maintenance'; readonly status: 200 | 502 | 503 }
  /** 429 with Retry-After. */
  | { readonly kind: 'busy'; readonly seconds: number }
  /** Says no to what it would do otherwise, for a reason of its own. */
  | { readonly kind: 'refuses' }
  /** 403: the key may not do this, as its rights were cut. */
  | { readonly kind: 'forbids' }
  /** Says 200 with this in it, whatever was asked. */
  | { readonly kind: 'says'; readonly body: unknown }
  /** 409: the same key is being worked on. */
  | { readonly kind: 'key_in_use' }

export type ApiRequest = {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly text: string
  /** As it came: an upload is no text. */
  readonly bytes: Buffer
}

export type ApiAnswer = {
  readonly status: number
  readonly body: unknown
  readonly headers?: Readonly<Record<string, string>>
}

export type PageAnswer = { readonly html: string } | { readonly location: string }

/** What a network itself has to know. */
export type Rules = {
  readonly api: (request: ApiRequest) => ApiAnswer
  readonly page: (request: ApiRequest) => PageAnswer | undefined
  /** In the network's own form. */
  readonly failure: (status: 400 | 403 | 409 | 429 | 500, request: ApiRequest) => ApiAnswer
}

export type StandIn = {
  readonly url: string
  readonly callbacks: Callbacks
  /** Every call of the API, for tests that look at what was sent. */
  readonly requests: readonly ApiRequest[]
  /** For the next call, or the next few, whose path fits. Resolves when it has struck for the first time. */
  turn(mood: Mood, options?: TurnOptions): Promise<void>
  /** Whatever mood it was to have for how many calls more: it has none. */
  calm(): void
  close(): Promise<void>
}

export type TurnOptions = {
  readonly times?: number
  readonly path?: RegExp
  /** `POST`; any unless it says so. */
  readonly method?: string | undefined
}

type Turn = {
  readonly mood: Mood
  readonly path: RegExp
  readonly method: string | undefined
  readonly struck: () => void
  times: number
}

export async function startStandIn(
  makeRules: (url: () => string, callbacks: Callbacks) => Rules,
  options: { readonly port?: number; readonly tls?: { readonly key: string; readonly cert: string } } = {},
): Promise<StandIn> {
  const turns: Turn[] = []
  const requests: ApiRequest[] = []
  const callbacks = makeCallbacks()
  let url = ''
  const rules = makeRules(() => url, callbacks)

  async function handle(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const request = await readRequest(message)
    const page = rules.page(request)
    if (page) return sendPage(response, page)
    requests.push(request)
    const found = turns.find(
      ({ times, path, method = request.method }) =>
        times > 0 && path.test(request.path) && method === request.method,
    )
    if (found) found.times -= 1
    const acting = act(found?.mood, rules, request, message, response)
    found?.struck()
    await acting
  }
  const listener = (message: IncomingMessage, response: ServerResponse): void => {
    handle(message, response).catch((error: unknown) => {
      // A bug of the stand-in, which must not pass for a mood of the network.
      process.stderr.write(`${inspect(error)}\n`)
      message.socket.destroy()
    })
  }
  const server = options.tls ? createTlsServer(options.tls, listener) : createServer(listener)
  server.listen(options.port ?? 0, '127.0.0.1').unref()
  await once(server, 'listening')
  url = `http${options.tls ? 's' : ''}://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    callbacks,
    requests,
    turn: async (mood, { times = 1, path = /^/, method } = {}) =>
      new Promise((struck) => {
        turns.push({ mood, path, method, times, struck })
      }),
    calm() {
      turns.length = 0
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

async function act(
  mood: Mood | undefined,
  rules: Rules,
  request: ApiRequest,
  message: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (mood?.kind === 'maintenance') {
    response.writeHead(mood.status, { 'content-type': 'text/html' })
    response.end('<!doctype html><title>Maintenance</title><h1>We will be back soon</h1>')
    return
  }
  if (mood?.kind === 'busy') {
    const { status, body } = rules.failure(429, request)
    return sendJson(response, { status, body, headers: { 'retry-after': String(mood.seconds) } })
  }
  if (mood?.kind === 'refuses') return sendJson(response, rules.failure(400, request))
  if (mood?.kind === 'says') return sendJson(response, { status: 200, body: mood.body })
  if (mood?.kind === 'forbids') return sendJson(response, rules.failure(403, request))
  if (mood?.kind === 'key_in_use') return sendJson(response, rules.failure(409, request))
  const when = mood && 'when' in mood ? mood.when : undefined
  const answer = when === 'before' ? undefined : rules.api(request)
  if (mood?.kind === 'hangs') return
  if (mood?.kind === 'cuts') return void message.socket.destroy()
  if (mood?.kind === 'fails') return sendJson(response, rules.failure(500, request))
  if (mood?.kind === 'slow') await new Promise((resolve) => setTimeout(resolve, mood.ms).unref())
  if (answer) sendJson(response, answer)
}

async function readRequest(message: IncomingMessage): Promise<ApiRequest> {
  const chunks: Buffer[] = []
  message.on('data', (chunk: Buffer) => chunks.push(chunk))
  await once(message, 'end')
  const bytes = Buffer.concat(chunks)
  const [path = '/', ...query] = (message.url ?? '/').split('?')
  return {
    method: message.method ?? '',
    path,
    query: new URLSearchParams(query.join('?')),
    headers: message.headers as Record<string, string | undefined>,
    text: bytes.toString('utf8'),
    bytes,
  }
}

function sendJson(response: ServerResponse, { status, body, headers = {} }: ApiAnswer): void {
  const text = JSON.stringify(body)
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
    'request-id': `req_${status}standin`,
    ...headers,
  })
  response.end(text)
}

function sendPage(response: ServerResponse, page: PageAnswer): void {
  if ('location' in page) {
    response.writeHead(303, { location: page.location, 'content-length': 0 })
    response.end()
    return
  }
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' })
  response.end(page.html)
}
