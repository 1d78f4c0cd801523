import type { MethodMark } from '../../money/payment-methods.ts'
import type { Mode } from '../mode.ts'

// Whom a network pays: the accounts that a merchant has with networks, as those who call a network see them.

/** Opened from its seal for a call and never stored, printed or logged. */
export type Account = {
  /** Of its row, for logs and attempts: `acc_…`. */
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
  /** Those that payments may be started with, in the order in which customers are offered them. */
  of(merchantId: number, mode: Mode): Promise<readonly ConnectedAccount[]>
  /** Also one that takes no new payments: what was started with it has to come to its end. */
  byId(merchantId: number, id: string): Promise<ConnectedAccount | undefined>
}

export const noAccounts: Accounts = {
  of: async () => [],
  byId: async () => undefined,
}
