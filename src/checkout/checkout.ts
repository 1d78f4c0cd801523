import type { Database } from '../database/database.ts'
import type { RateLimit } from '../http/rate-limit.ts'
import type { Payer } from '../payments/attempts/pay.ts'
import type { ReadCheckout } from '../payments/checkout-view.ts'
import type { Secrets } from '../merchants/sealed/secrets.ts'
import { makeTokens, type TokenOf } from './token.ts'

export type CheckoutDeps = {
  readonly db: Database
  readonly secrets: Secrets
  readonly payer: Payer
  readonly readCheckout: ReadCheckout
  readonly baseUrl: string
  /** Spent by addresses that ask for payments that do not exist. */
  readonly missLimit: RateLimit
  readonly now: () => Date
}

/** What the routes share: what they were given, and what is made of it once, when they are added. */
export type Checkout = CheckoutDeps & {
  /** What stands before /payment in the addresses, when Florin lives below a path. */
  readonly prefix: string
  readonly tokenOf: TokenOf
}

export function makeCheckout(deps: CheckoutDeps): Checkout {
  const prefix = new URL(deps.baseUrl).pathname.replace(/\/+$/, '')
  return { ...deps, prefix, tokenOf: makeTokens(deps.db, deps.secrets) }
}
