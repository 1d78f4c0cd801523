import { AsyncLocalStorage } from 'node:async_hooks'
import type Stripe from 'stripe'
import { callNetwork, type NetworkWay } from '../../core/networks/call-network.ts'
import { NoAnswer } from '../../core/networks/no-answer.ts'

// Stripe's own SDK, travelling by our own way out. Its HTTP client sends a request again by itself when a connection
// breaks, even with retries off, can't be stopped by a signal, takes an error without an `error` in it for success and
// prints notices from headers; so it gets a client of ours, which the SDK has a setting for.

export const name = 'Stripe'

/** More accounts than one process serves at a time. */
const clientsMax = 200

export type Clients = {
  /** Asks with the client of this key; every request that this makes ends when `signal` does. */
  use<T>(secretKey: string, signal: AbortSignal, question: (stripe: Stripe) => Promise<T>): Promise<T>
}

/** One SDK client per key: to make one took a tenth of a whole live payment. */
export function makeClients(way: NetworkWay): Clients {
  const signals = new AsyncLocalStorage<AbortSignal>()
  const clients = new Map<string, Stripe>()
  const httpClient = makeHttpClient(way, () => signals.getStore() ?? AbortSignal.abort())

  async function find(secretKey: string): Promise<Stripe> {
    const client = clients.get(secretKey) ?? (await connect(secretKey, httpClient))
    // The one that was used last is the last to go.
    clients.delete(secretKey)
    clients.set(secretKey, client)
    for (const oldest of clients.keys()) if (clients.size > clientsMax) clients.delete(oldest)
    return client
  }

  return {
    async use(secretKey, signal, question) {
      const client = await find(secretKey)
      return signals.run(signal, async () => withoutStack(() => question(client)))
    },
  }
}

/** The SDK writes down the stack of each call before it makes it, which took 49 µs of a live payment, for errors that end here. */
function withoutStack<T>(ask: () => T): T {
  const limit = Error.stackTraceLimit
  Error.stackTraceLimit = 0
  try {
    return ask()
  } finally {
    Error.stackTraceLimit = limit
  }
}

async function connect(secretKey: string, httpClient: HttpClient): Promise<Stripe> {
  // Loaded when it is first needed: it takes 170 ms and 38 MB, and who has no account at Stripe needs none of it.
  const { default: Sdk } = await import('stripe')
  // No host: our client knows where Stripe is.
  return new Sdk(secretKey, { maxNetworkRetries: 0, telemetry: false, httpClient })
}

type HttpClient = NonNullable<NonNullable<ConstructorParameters<typeof Stripe>[1]>['httpClient']>

function makeHttpClient(way: NetworkWay, signalOf: () => AbortSignal): HttpClient {
  return {
    getClientName: () => 'florin',
    async makeRequest(host, _port, path, method, headers, body) {
      const answer = await callNetwork(
        name,
        { ...way, api: apiOf(way.api, host) },
        { method: readMethod(method), path, headers: plain(headers), body },
        signalOf(),
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
          throw new TypeError('Florin requests no streams')
        },
        toJSON: async () => answer.body,
      }
    },
  }
}

const filesHost = 'files.stripe.com'

/** Stripe takes files at another host; a stand-in takes them with the rest. */
function apiOf(api: string, host: string): string {
  return host === filesHost && new URL(api).hostname === 'api.stripe.com' ? `https://${filesHost}` : api
}

function readMethod(method: string): 'GET' | 'POST' | 'DELETE' {
  if (method === 'GET' || method === 'POST' || method === 'DELETE') return method
  throw new TypeError(`Florin never sends ${method} to networks`)
}

function plain(headers: object): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([header, value]) => [header, String(value)]))
}
