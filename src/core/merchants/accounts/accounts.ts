import type { MethodMark } from '../../../platform/money/payment-methods.ts'
import type { Mode } from '../mode.ts'

// The accounts that a merchant has at networks, as seen by code that calls a network.

/** Opened from its seal for a call and never stored, printed or logged. */
export type Account = {
  /** The row's id, for logs and attempts: `acc_…`. */
  readonly id: string
  /** Under the names of the connector's `credentials`. */
  readonly credentials: Readonly<Record<string, string>>
  /** The network's own place to try things out: no money moves. */
  readonly sandbox: boolean
}

export type ConnectedAccount = Account & {
  /** The name of its connector: `stripe`. */
  readonly connector: string
  /** The schemes and wallets it takes, as far as its network said. */
  readonly marks?: readonly MethodMark[]
}

export type Accounts = {
  /** Accounts that new payments may use, in the order customers are offered them. */
  of(merchantId: number, mode: Mode): Promise<readonly ConnectedAccount[]>
  /** Also an account that takes no new payments: payments started with it have to finish. */
  byId(merchantId: number, id: string): Promise<ConnectedAccount | undefined>
}
