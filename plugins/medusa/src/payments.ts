import { toMinor, type MedusaAmount } from './amount.ts'
import { ConflictError, Florin, NotFoundError, toDecimal, verifyWebhook, type Transaction } from './client.ts'
import { sessionStatusOf, webhookActionOf, type SessionStatus, type WebhookAction } from './outcome.ts'
import { explainTaken, nextRefundRef } from './refund-ref.ts'
import { readTxRef, txRefOf, type SessionAttempt } from './tx-ref.ts'

// What Medusa asks of a payment provider, without Medusa: index.ts gives these methods to its framework. Florin is asked each time, so
// that calls may come twice, late or out of order.

export type Options = {
  /** Where your Florin runs, such as https://pay.example.com. */
  readonly baseUrl: string
  /** `sk_test_…` or `sk_live_…` */
  readonly key: string
  /** Of the endpoint that you registered in Florin: `whsec_…` */
  readonly webhookSecret: string
  /** Where customers go after paying, unless the storefront names another page with the session. */
  readonly returnUrl?: string
}

type Data = Readonly<Record<string, unknown>>
type Customer = {
  readonly email?: string
  readonly first_name?: string | null
  readonly last_name?: string | null
}
type Input = {
  readonly data?: Data | undefined
  readonly context?:
    | { readonly customer?: Customer | undefined; readonly idempotency_key?: string | undefined }
    | undefined
}
type InputWithAmount = Input & { readonly amount: MedusaAmount; readonly currency_code: string }
type Session = { readonly data: Data; readonly status: SessionStatus }

export type WebhookCall = {
  readonly rawData: string | Uint8Array
  readonly headers: Readonly<Record<string, unknown>>
}
export type WebhookResult = {
  readonly action: WebhookAction
  readonly data?: { readonly session_id: string; readonly amount: string }
}

const attemptsAtOnce = 5

export function checkOptions(options: Readonly<Record<string, unknown>>): void {
  for (const name of ['baseUrl', 'key', 'webhookSecret'])
    if (typeof options[name] !== 'string' || options[name] === '')
      throw new Error(`The Florin payment provider needs the option ${name}`)
  if (!/^sk_(test|live)_/.test(String(options['key'])))
    throw new Error(
      'The option key of the Florin payment provider must be a secret key: sk_test_… or sk_live_…',
    )
}

export class FlorinPayments {
  readonly #florin: Florin
  readonly #options: Options
  readonly #warn: (text: string) => void

  constructor(options: Options, warn: (text: string) => void) {
    this.#options = options
    this.#warn = warn
    this.#florin = new Florin(options.key, { baseUrl: options.baseUrl })
  }

  async initiate(input: InputWithAmount): Promise<Session & { readonly id: string }> {
    const sessionId = textOf(input.data?.['session_id']) ?? input.context?.idempotency_key ?? ''
    const made = await this.#create(input, sessionId, 1)
    return { id: made.txRef, ...made.session }
  }

  /** The cart has changed: an amount can't be changed once a customer may be paying it. */
  async update(input: InputWithAmount): Promise<Session> {
    const known = readTxRef(input.data?.['tx_ref'])
    if (!known) return this.initiate(input)
    const payment = await this.#find(input)
    if (payment && isSame(payment, input)) return sessionOf(payment, input.data)
    if (payment) await this.#cancel(payment)
    return (await this.#create(input, known.sessionId, known.attempt + 1)).session
  }

  async status(input: Input): Promise<Session> {
    const payment = await this.#find(input)
    if (!payment) return { data: input.data ?? {}, status: 'pending' }
    const session = sessionOf(payment, input.data)
    const expected = input.data?.['amount_minor']
    // Never an order for another amount than the session's.
    if (expected !== undefined && expected !== payment.amount_minor) return { ...session, status: 'error' }
    return session
  }

  /** Florin took the money when the customer paid. */
  async capture(input: Input): Promise<{ readonly data: Data }> {
    const { data, status } = await this.status(input)
    if (status !== 'captured') throw new Error(`The payment ${String(data['tx_ref'])} has not been paid`)
    return { data }
  }

  /** Ends a payment that nobody has paid. Throws if somebody has: that money needs an order or a refund. */
  async cancel(input: Input): Promise<{ readonly data: Data }> {
    const payment = await this.#find(input)
    if (payment) await this.#cancel(payment)
    return { data: { ...input.data } }
  }

  /**
   * Medusa forgets a refund that ended in an error, and gives the next one a new id. So refunds are counted here: one that failed
   * is followed by the next number, one whose answer was lost keeps its own and happens once.
   */
  async refund(input: Input & { readonly amount: MedusaAmount }): Promise<{ readonly data: Data }> {
    const payment = await this.#find(input)
    if (!payment) throw new Error('There is no payment at Florin to refund')
    const known = Number(input.data?.['florin_refunds'] ?? 0)
    const refundRef = nextRefundRef(payment, known)
    const { tx_ref: txRef, currency } = payment
    const refund = await this.#florin.payments
      .refund(txRef, { amount_minor: toMinor(input.amount, currency), currency, refund_ref: refundRef })
      .catch((error: unknown) => explainTaken(error, payment, refundRef))
    if (refund.status === 'failed') throw new Error(`Florin could not refund ${txRef}`)
    const { refunded_minor: refundedMinor } = await this.#florin.payments.get(txRef)
    return { data: { ...input.data, florin_refunds: known + 1, refunded_minor: refundedMinor } }
  }

  /** The call is verified, and then only says which payment to look at. */
  async readWebhook({ rawData, headers }: WebhookCall): Promise<WebhookResult> {
    const call = await verifyWebhook(rawData, headers as Record<string, string>, this.#options.webhookSecret)
    // A payout belongs to no order.
    if (!('tx_ref' in call)) return { action: 'not_supported' }
    const known = readTxRef(call.tx_ref)
    if (!known) return { action: 'not_supported' }
    const payment = await this.#florin.payments.get(call.tx_ref)
    if (await this.#isSurplus(payment, known)) return { action: 'not_supported' }
    const amount = toDecimal(payment.amount_minor, payment.currency)
    return {
      action: webhookActionOf(call.event, payment.status),
      data: { session_id: known.sessionId, amount },
    }
  }

  /**
   * Money for a payment that a newer one of its session has replaced: the cart had changed. Medusa would take it for the newer one.
   * The newer one is closed, so that the customer doesn't pay twice.
   */
  async #isSurplus(
    { tx_ref: txRef, status, amount_minor: amountMinor, currency, reference }: Transaction,
    { sessionId, attempt }: SessionAttempt,
  ): Promise<boolean> {
    const next = await this.#find({ data: { tx_ref: txRefOf(sessionId, attempt + 1) } })
    if (!next) return false
    if (status === 'success') {
      if (next.status === 'pending') await this.#isCancelled(next.tx_ref)
      const amount = `${toDecimal(amountMinor, currency)} ${currency}`
      this.#warn(
        `Florin received ${amount} (${txRef}, reference ${reference}) for a cart that has changed since. No order has this money: refund it in Florin, or make an order for it.`,
      )
    }
    return true
  }

  async #find({ data }: Input): Promise<Transaction | undefined> {
    const txRef = textOf(data?.['tx_ref'])
    if (txRef === undefined) return undefined
    try {
      return await this.#florin.payments.get(txRef)
    } catch (error) {
      if (error instanceof NotFoundError) return undefined
      throw error
    }
  }

  async #cancel({ tx_ref: txRef, status }: Transaction): Promise<void> {
    if (status !== 'success' && (status !== 'pending' || (await this.#isCancelled(txRef)))) return
    throw new Error(`The payment ${txRef} has been paid, or is being paid: complete the cart, or refund it`)
  }

  async #isCancelled(txRef: string): Promise<boolean> {
    try {
      await this.#florin.payments.cancel(txRef)
      return true
    } catch (error) {
      if (!(error instanceof ConflictError)) throw error
      // It ended, or is being paid, at this moment.
      const { status } = await this.#florin.payments.get(txRef)
      return status !== 'success' && status !== 'pending'
    }
  }

  async #create(
    input: InputWithAmount,
    sessionId: string,
    firstAttempt: number,
  ): Promise<{ readonly txRef: string; readonly session: Session }> {
    if (sessionId === '') throw new Error('Medusa gave no payment session')
    const details = detailsOf(input, this.#options)
    const currency = input.currency_code.toUpperCase()
    for (let attempt = firstAttempt; ; attempt += 1) {
      const txRef = txRefOf(sessionId, attempt)
      try {
        await this.#florin.payments.create({
          tx_ref: txRef,
          amount_minor: toMinor(input.amount, currency),
          currency,
          ...details,
          meta: { payment_session: sessionId },
        })
      } catch (error) {
        if (
          !(error instanceof ConflictError) ||
          error.code !== 'tx_ref_taken' ||
          attempt >= firstAttempt + attemptsAtOnce
        )
          throw error
        // Created before, and the answer was lost: go on with it. If the cart has changed since, end it first.
        const before = await this.#florin.payments.get(txRef)
        if (!isSame(before, input)) {
          await this.#cancel(before)
          continue
        }
      }
      const payment = await this.#florin.payments.get(txRef)
      return { txRef, session: sessionOf(payment, { ...input.data, ...details, session_id: sessionId }) }
    }
  }
}

function detailsOf({ data, context }: Input, { returnUrl }: Options) {
  const customer = context?.customer
  const email = textOf(data?.['email']) ?? textOf(customer?.email)
  if (email === undefined)
    throw new Error(
      'Florin needs the customer’s e-mail address: give the cart one, or send `email` in the data of the session',
    )
  const to = textOf(data?.['return_url']) ?? returnUrl
  const last = textOf(data?.['last_name']) ?? textOf(customer?.last_name)
  return {
    email,
    first_name: textOf(data?.['first_name']) ?? textOf(customer?.first_name) ?? 'Customer',
    ...(last !== undefined && { last_name: last }),
    ...(to !== undefined && { return_url: to }),
  }
}

/** What the storefront sees with the session, so nothing secret. */
function sessionOf(payment: Transaction, data: Data = {}): Session {
  return {
    status: sessionStatusOf(payment.status),
    data: {
      ...data,
      tx_ref: payment.tx_ref,
      checkout_url: payment.checkout_url ?? data['checkout_url'],
      florin_status: payment.status,
      amount_minor: payment.amount_minor,
      currency: payment.currency,
    },
  }
}

function isSame(payment: Transaction, { amount, currency_code: currency }: InputWithAmount): boolean {
  if (payment.status !== 'pending' || payment.currency !== currency.toUpperCase()) return false
  return BigInt(payment.amount_minor) === toMinor(amount, currency)
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined
}
