import type { Transaction } from '../database/database.ts'
import type { Merchant } from '../merchants/authenticate.ts'
import type { Paying } from '../payments/attempts/paying.ts'
import type { PaymentKey } from '../payments/refunding.ts'

/** What refunds are made with, put together once per process. */
export type Refunding = {
  readonly paying: Paying
  readonly findMerchant: (merchantId: number) => Promise<Merchant | undefined>
  /** Asked under the lock of the payment: what a bank may take back must not be given back as well. */
  readonly isDisputed: (tx: Transaction, key: PaymentKey) => Promise<boolean>
}

/** Twice a network call's limit: whoever holds a refund for longer lost its server. */
export const leaseMs = 30_000
