import { amountOf, type NewCharge, type NewPayment, type NewRefund } from './amounts.ts'
import { ConnectionError } from './errors.ts'
import { List } from './list.ts'
import { parse, send, type Call, type ClientOptions } from './request.ts'
import type { OperationId, Operations } from './types.ts'
import { signWebhook, verifyWebhook } from './webhooks.ts'

export type FlorinOptions = {
  /** Where your Florin runs, such as https://pay.example.com. */
  readonly baseUrl: string
  /** Milliseconds for one try; 30,000 by default. */
  readonly timeout?: number
  /** 3 by default. */
  readonly maxRetries?: number
  readonly fetch?: typeof globalThis.fetch
  /** How to pause between tries; for tests. */
  readonly wait?: (ms: number) => Promise<void>
}

export type RequestOptions = {
  readonly signal?: AbortSignal
  /** Only for createPayment. The client makes one per call if you give none, so a retry never creates a second payment. */
  readonly idempotencyKey?: string
}

type Query<Id extends OperationId> = Operations[Id]['query']
type Body<Id extends OperationId> = Operations[Id]['body']
type Data<Id extends OperationId> = Operations[Id]['answer'] extends { readonly data: infer D } ? D : never
type Item<Id extends OperationId> = Data<Id> extends readonly (infer T)[] ? T : never

type Meta<Id extends OperationId> = Operations[Id]['answer'] extends { readonly meta: infer M } ? M : never

/** Most lists go on by cursor, and projects by page number. */
type Paged = {
  readonly data: readonly unknown[]
  readonly meta: { next_cursor?: string | null; current_page?: number; last_page?: number }
}

/** Florin's API. One per key: `sk_…` for payments, `ak_…` for projects. */
export class Florin {
  readonly #options: ClientOptions

  constructor(key: string, options: FlorinOptions) {
    if (typeof key !== 'string' || key === '') throw new TypeError('Give a key, such as sk_test_…')
    this.#options = {
      key,
      baseUrl: new URL(options.baseUrl).href,
      fetch: options.fetch ?? ((...given) => globalThis.fetch(...given)),
      timeout: options.timeout ?? 30_000,
      maxRetries: options.maxRetries ?? 3,
      wait: options.wait ?? ((ms) => new Promise((resolve) => setTimeout(resolve, ms))),
    }
  }

  readonly account = {
    /** Whose key this is, in which mode, and what it may do: for a "test connection" button. */
    get: async (options?: RequestOptions) => this.#data('findAccount', { ...options }),
  }

  readonly payments = {
    /** Creates a payment; send the customer to `checkout_url`. */
    create: async (payment: NewPayment, options: RequestOptions = {}) => {
      const { amount_minor: _, ...rest } = payment
      const amount = amountOf(payment, payment.currency)
      const key = options.idempotencyKey ?? crypto.randomUUID()
      return this.#data('createPayment', {
        body: { ...rest, amount },
        headers: { 'idempotency-key': key },
        signal: options.signal,
      })
    },
    /** Whether you have been paid is `status`. */
    get: async (txRef: string, options?: RequestOptions) =>
      this.#data('findTransaction', { path: { tx_ref: txRef }, ...options }),
    list: (query?: Query<'listTransactions'>) => this.#list('listTransactions', { query }),
    cancel: async (txRef: string, options?: RequestOptions) =>
      this.#data('cancelTransaction', { path: { tx_ref: txRef }, ...options }),
    exportCsv: async (query?: Query<'exportTransactions'>) => this.#text('exportTransactions', { query }),
    /** Sends money back: all that is left, or the amount you give. */
    refund: async (txRef: string, refund: NewRefund = {}, options?: RequestOptions) => {
      const { amount_minor: _, currency, ...rest } = refund
      const amount = amountOf(refund, currency)
      const refundRef = refund.refund_ref ?? `refund-${crypto.randomUUID()}`
      return this.#data('refundTransaction', {
        path: { tx_ref: txRef },
        body: { ...rest, refund_ref: refundRef, ...(amount !== undefined && { amount }) },
        ...options,
      })
    },
    refunds: (txRef: string, query?: Query<'listRefundsOfTransaction'>) =>
      this.#list('listRefundsOfTransaction', { path: { tx_ref: txRef }, query }),
    notifications: (txRef: string, query?: Query<'listNotifications'>) =>
      this.#list('listNotifications', { path: { tx_ref: txRef }, query }),
    resendNotification: async (txRef: string, id: string, options?: RequestOptions) =>
      this.#data('resendNotification', { path: { tx_ref: txRef, id }, ...options }),
    formRefusals: (query?: Query<'listFormRefusals'>) => this.#list('listFormRefusals', { query }),
  }

  readonly refunds = {
    get: async (refundRef: string, options?: RequestOptions) =>
      this.#data('findRefund', { path: { refund_ref: refundRef }, ...options }),
    list: (query?: Query<'listRefunds'>) => this.#list('listRefunds', { query }),
    exportCsv: async (query?: Query<'exportRefunds'>) => this.#text('exportRefunds', { query }),
  }

  /** Methods that customers agreed to save, charged without them. */
  readonly savedMethods = {
    /** `status` says whether you were paid; `tx_ref` is the key, so a retry never charges twice. */
    charge: async (id: string, charge: NewCharge, options?: RequestOptions) => {
      const { amount_minor: _, ...rest } = charge
      const amount = amountOf(charge, charge.currency)
      return this.#data('chargeSavedMethod', { path: { id }, body: { ...rest, amount }, ...options })
    },
    list: (query?: Query<'listSavedMethods'>) => this.#list('listSavedMethods', { query }),
    get: async (id: string, options?: RequestOptions) =>
      this.#data('findSavedMethod', { path: { id }, ...options }),
    end: async (id: string, options?: RequestOptions) =>
      this.#data('endSavedMethod', { path: { id }, ...options }),
  }

  readonly disputes = {
    get: async (id: string, options?: RequestOptions) =>
      this.#data('findDispute', { path: { id }, ...options }),
    list: (query?: Query<'listDisputes'>) => this.#list('listDisputes', { query }),
  }

  /** What networks paid to your bank. */
  readonly payouts = {
    get: async (id: string, options?: RequestOptions) =>
      this.#data('findPayout', { path: { id }, ...options }),
    list: (query?: Query<'listPayouts'>) => this.#list('listPayouts', { query }),
    /** Test mode only. */
    payOutNow: async (options?: RequestOptions) => this.#data('payOutNow', { ...options }),
    /** Every booking in it. */
    lines: (id: string, query?: Query<'listPayoutLines'>) =>
      this.#list('listPayoutLines', { path: { id }, query }),
  }

  readonly balance = {
    /** What networks hold for you, by account and currency. */
    get: async (options?: RequestOptions) => this.#data('findBalance', { ...options }),
  }

  readonly notifications = {
    /** Sends a signed sample to your server and says how it went. */
    sendTest: async (body: Body<'sendTestNotification'>, options?: RequestOptions) =>
      this.#data('sendTestNotification', { body, ...options }),
    resume: async (body: Body<'resumeReceiver'>, options?: RequestOptions) =>
      this.#data('resumeReceiver', { body, ...options }),
  }

  /** URLs that hear of every payment, besides each payment's own callback_url. */
  readonly endpoints = {
    /** The answer has the secret; it is shown only once. */
    create: async (body: Body<'createEndpoint'>, options?: RequestOptions) =>
      this.#data('createEndpoint', { body, ...options }),
    get: async (id: string, options?: RequestOptions) =>
      this.#data('findEndpoint', { path: { id }, ...options }),
    list: (query?: Query<'listEndpoints'>) => this.#list('listEndpoints', { query }),
    change: async (id: string, body: Body<'changeEndpoint'>, options?: RequestOptions) =>
      this.#data('changeEndpoint', { path: { id }, body, ...options }),
    delete: async (id: string, options?: RequestOptions) =>
      this.#data('deleteEndpoint', { path: { id }, ...options }),
    pause: async (id: string, options?: RequestOptions) =>
      this.#data('pauseEndpoint', { path: { id }, ...options }),
    resume: async (id: string, options?: RequestOptions) =>
      this.#data('resumeEndpoint', { path: { id }, ...options }),
    rollSecret: async (id: string, body: Body<'rollEndpointSecret'> = {}, options?: RequestOptions) =>
      this.#data('rollEndpointSecret', { path: { id }, body, ...options }),
    test: async (id: string, body: Body<'testEndpoint'> = {}, options?: RequestOptions) =>
      this.#data('testEndpoint', { path: { id }, body, ...options }),
  }

  /** With an API key (`ak_…`). */
  readonly projects = {
    list: (query?: Query<'listProjects'>) => this.#list('listProjects', { query }),
    create: async (body: Body<'createProject'>, options?: RequestOptions) =>
      this.#data('createProject', { body, ...options }),
    get: async (project: string, options?: RequestOptions) =>
      this.#data('findProject', { path: { project }, ...options }),
    rename: async (project: string, body: Body<'renameProject'>, options?: RequestOptions) =>
      this.#data('renameProject', { path: { project }, body, ...options }),
    delete: async (project: string, options?: RequestOptions) =>
      this.#data('deleteProject', { path: { project }, ...options }),
  }

  readonly webhooks = { verify: verifyWebhook, sign: signWebhook }

  async #answer<Id extends OperationId>(id: Id, call: Call): Promise<Operations[Id]['answer']> {
    const answer = parse(await send(this.#options, id, call))
    if (answer === undefined)
      throw new ConnectionError(`What answers at ${this.#options.baseUrl} isn't Florin`)
    return answer as Operations[Id]['answer']
  }

  async #data<Id extends OperationId>(id: Id, call: Call): Promise<Data<Id>> {
    return ((await this.#answer(id, call)) as unknown as { data: Data<Id> }).data
  }

  async #text(id: OperationId, call: Call): Promise<string> {
    return send(this.#options, id, call)
  }

  #list<Id extends OperationId>(id: Id, call: Call): List<Item<Id>, Meta<Id>> {
    const cursorName = id === 'listProjects' ? 'page' : 'cursor'
    return new List(async (cursor) => {
      const query = cursor === undefined ? call.query : { ...call.query, [cursorName]: cursor }
      const { data, meta } = (await this.#answer(id, { ...call, query })) as unknown as Paged
      const { next_cursor: next, current_page: page = 0, last_page: last = 0 } = meta
      return {
        data: data as readonly Item<Id>[],
        meta: meta as Meta<Id>,
        nextCursor: page < last ? String(page + 1) : (next ?? undefined),
      }
    })
  }
}
