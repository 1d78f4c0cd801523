import type { SendCsv } from '../platform/http/csv/send-csv.ts'
import type { Metrics } from '../platform/http/metrics.ts'
import type { StyleFile } from '../platform/http/page.ts'
import type { RateLimit } from '../platform/http/rate-limit.ts'
import type { Core } from '../platform/jobs/core.ts'
import type { Authenticator, FindMerchant } from './merchants/authenticate.ts'
import type { Pictures } from './merchants/pictures/pictures.ts'
import type { Notifications } from './notifications/notifications.ts'
import type { PaymentFromPath } from './payments/api/payment-from-path.ts'
import type { Payer } from './payments/attempts/pay.ts'
import type { Paying } from './payments/attempts/paying.ts'
import type { CreatePayment } from './payments/create-payment.ts'
import type { FindPayment } from './payments/find-payment.ts'
import type { Secrets } from '../platform/secrets/secrets.ts'

/** What there is before payments: for modules that work in payments' own commits. */
export type Base = Core & { readonly secrets: Secrets; readonly metrics: Metrics }

/** What the core gives to modules, made once per process. */
export type Services = Base & {
  readonly baseUrl: string
  readonly authenticator: Authenticator
  readonly findMerchant: FindMerchant
  readonly createPayment: CreatePayment
  readonly findPayment: FindPayment
  readonly paymentFromPath: PaymentFromPath
  readonly paying: Paying
  readonly payer: Payer
  readonly notifications: Notifications
  readonly pictures: Pictures
  /** Of the checkout's pages, with the styles of all modules. */
  readonly styleFile: StyleFile
  readonly keyLimit: RateLimit
  readonly formLimit: RateLimit
  readonly missLimit: RateLimit
  readonly sendCsv: SendCsv
}
