import type { Merchant } from '../merchants/authenticate.ts'
import type { Paying } from '../payments/attempts/paying.ts'

/** What refunds are made with, put together once per process. */
export type Refunding = {
  readonly paying: Paying
  readonly findMerchant: (merchantId: number) => Promise<Merchant | undefined>
}

/** Twice a network call's limit: whoever holds a refund for longer lost its server. */
export const leaseMs = 30_000
