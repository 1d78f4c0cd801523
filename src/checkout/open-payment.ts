import type { FastifyRequest } from 'fastify'
import type { Database } from '../database/database.ts'
import { Refusal } from '../errors/refusals.ts'
import type { FormFields } from '../http/form-body.ts'
import type { RateLimit } from '../http/rate-limit.ts'
import { readDigits, type PaymentKey, type ReadCheckout } from '../payments/checkout-view.ts'
import type { Payer } from '../payments/attempts/pay.ts'
import { chooseLanguage, displayMoney } from './language.ts'
import type { PageModel, Setting } from './page-model.ts'
import { isSameToken, type TokenOf } from './token.ts'

// From a request to the payment that it asks for, or to the refusal that is shown instead.

export type CheckoutDeps = {
  readonly db: Database
  readonly payer: Payer
  readonly readCheckout: ReadCheckout
  readonly baseUrl: string
  /** Spent by addresses that ask for payments that do not exist. */
  readonly missLimit: RateLimit
  readonly now: () => Date
}

export type Asked = FastifyRequest<{ Params: { digits: string } }>

export type Open = (request: Asked) => Promise<PageModel>

export function makeOpen(deps: CheckoutDeps, tokenOf: TokenOf): Open {
  return async (request) => {
    const seconds = deps.missLimit.wait(request.ip)
    if (seconds !== undefined) throw tooMany(seconds)
    const { digits } = request.params
    const view = await deps.readCheckout(digits)
    if (!view) throw missed(deps, request)
    const token = await tokenOf(digits, view.payment.mode)
    const setting = settingOf(deps, request)
    const amount = displayMoney(view.payment.amount_minor, view.payment.currency, setting.language)
    const { stay } = request.query as { stay?: unknown }
    return { ...setting, view, digits, amount, token, now: deps.now(), stays: stay !== undefined }
  }
}

export function settingOf(deps: CheckoutDeps, request: FastifyRequest): Setting {
  const { lang } = request.query as { lang?: unknown }
  return { ...chooseLanguage(lang, request.headers['accept-language']), prefix: prefixOf(deps) }
}

const prefixes = new WeakMap<CheckoutDeps, string>()

function prefixOf(deps: CheckoutDeps): string {
  const prefix = prefixes.get(deps) ?? new URL(deps.baseUrl).pathname.replace(/\/+$/, '')
  prefixes.set(deps, prefix)
  return prefix
}

export function missed(deps: CheckoutDeps, request: FastifyRequest): Refusal {
  const seconds = deps.missLimit.take(request.ip)
  return seconds === undefined ? new Refusal('not_found', 'Payment not found') : tooMany(seconds)
}

function tooMany(seconds: number): Refusal {
  return new Refusal('rate_limited', undefined, { headers: { 'retry-after': String(seconds) } })
}

/** What a form of this payment's own page sent. */
export function readForm(request: Asked, { token }: PageModel): FormFields {
  if (!isOwnForm(request, token)) throw new Refusal('form_refused')
  return fieldsOf(request)
}

/**
 * The token alone would let a stranger's server fetch the page and put the form into another site; the browser's own
 * word on where the post started closes that.
 */
export function isOwnForm(request: Asked, token: string): boolean {
  const site = request.headers['sec-fetch-site']
  const isForeign = site === 'cross-site' || site === 'same-site'
  return !isForeign && isSameToken(token, fieldsOf(request).get('token') ?? '')
}

export function fieldsOf(request: Asked): FormFields {
  return request.body instanceof Map ? request.body : new Map()
}

export function keyOf(model: { readonly digits: string }): PaymentKey {
  const key = readDigits(model.digits)
  if (!key) throw new Error('A payment was opened by a number that is none')
  return key
}
