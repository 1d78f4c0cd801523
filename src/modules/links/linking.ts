import type { Core } from '../../platform/jobs/core.ts'
import type { Merchant } from '../../core/merchants/authenticate.ts'
import type { Mode } from '../../core/merchants/mode.ts'
import type { Paying } from '../../core/payments/attempts/paying.ts'
import type { CreatePayment } from '../../core/payments/create-payment.ts'

/** What creating links needs, put together once per process. */
export type Linking = Core & { readonly paying: Paying; readonly createPayment: CreatePayment }

/** The link's owner. */
export type LinkPlace = { readonly merchant: Merchant; readonly mode: Mode }
