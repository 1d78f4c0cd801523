import type { Database } from '../../platform/database/database.ts'
import { makeRateLimit, type RateLimit } from '../../platform/http/rate-limit.ts'
import type { Authenticator, FindMerchant } from '../merchants/authenticate.ts'
import type { Payer } from '../payments/attempts/pay.ts'
import type { CardTesting } from '../payments/card-testing/card-testing.ts'
import type { ReadCheckout } from '../payments/checkout-view.ts'
import type { Pictures } from '../merchants/pictures/pictures.ts'
import type { Secrets } from '../../platform/secrets/secrets.ts'
import { makeKnownShops, type KnownShops } from './logo/known-shops.ts'
import { makeReceiptProofs, type ReceiptProofs } from './receipt/old-receipt.ts'
import type { ReceiptFiles } from './receipt/files/receipt-files.ts'
import type { StyleFile } from '../../platform/http/page.ts'
import type { Server } from '../../platform/http/server.ts'
import type { CheckoutView } from '../payments/checkout-view.ts'
import type { Consent } from '../payments/saving/saved-methods.ts'
import type { PagePart } from './page-model.ts'
import { makeSign, makeTokens, type TokenOf } from './token.ts'

/** A module's part in the pages of a payment. */
export type CheckoutModule = {
  readonly read?: (view: CheckoutView, returned: boolean) => Promise<PagePart | undefined>
  readonly addRoutes?: (scope: Server, checkout: Checkout) => void
  /** The customer has pressed a button that says what they agree to. */
  readonly agreed?: (consent: Consent) => Promise<void>
  /** A post below this path is about no try to pay. */
  readonly calmPath?: string
}

export type CheckoutDeps = {
  readonly db: Database
  readonly secrets: Secrets
  readonly payer: Payer
  /** What modules add to these pages. */
  readonly modules: readonly CheckoutModule[]
  readonly cardTesting: CardTesting
  readonly authenticator: Authenticator
  readonly readCheckout: ReadCheckout
  readonly findMerchant: FindMerchant
  readonly baseUrl: string
  readonly styleFile: StyleFile
  readonly pictures: Pictures
  readonly receiptFiles: Pick<ReceiptFiles, 'forPage'>
  readonly sendsMail: boolean
  /** A developer's machine that no one else can reach: test mode may call servers on it. */
  readonly isOwnMachine: boolean
  /** Spent by addresses that ask for payments that do not exist. */
  readonly missLimit: RateLimit
  readonly now: () => Date
}

/** What the routes share: their dependencies, and values made once when the routes are added. */
export type Checkout = CheckoutDeps & {
  /** The path before /payment, when Florin is served below one. */
  readonly prefix: string
  readonly tokenOf: TokenOf
  readonly receiptProofs: ReceiptProofs
  readonly knownShops: KnownShops
  /** Spent by guesses of the e-mail address of an old receipt: per payment, and per client address. */
  readonly guessLimits: { readonly payment: RateLimit; readonly network: RateLimit }
}

// An office that looks for old receipts comes from one address.
const guessesPerHour = { payment: 10, network: 60 }

export function makeCheckout(deps: CheckoutDeps): Checkout {
  const prefix = new URL(deps.baseUrl).pathname.replace(/\/+$/, '')
  const sign = makeSign(deps.db, deps.secrets)
  const hourly = (count: number): RateLimit =>
    makeRateLimit({ perSecond: count / 3_600, burst: count }, () => deps.now().getTime())
  return {
    ...deps,
    prefix,
    tokenOf: makeTokens(sign),
    receiptProofs: makeReceiptProofs(sign, deps.now),
    knownShops: makeKnownShops(),
    guessLimits: { payment: hourly(guessesPerHour.payment), network: hourly(guessesPerHour.network) },
  }
}
