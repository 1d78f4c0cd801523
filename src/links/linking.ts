import type { Core } from '../jobs/core.ts'
import type { Merchant } from '../merchants/authenticate.ts'
import type { Mode } from '../merchants/mode.ts'
import type { Paying } from '../payments/attempts/paying.ts'
import type { CreatePayment } from '../payments/create-payment.ts'

/** What creating links needs, put together once per process. */
export type Linking = Core & { readonly paying: Paying; readonly createPayment: CreatePayment }

/** The link's owner. */
export type LinkPlace = { readonly merchant: Merchant; readonly mode: Mode }
