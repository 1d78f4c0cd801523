import { identityOf } from '../../../../core/networks/connect/connect-account.ts'
import type { AccountSummary } from '../../../../core/merchants/accounts/list-accounts.ts'

/** One account at a network. */
export type NetworkAccount = {
  /** Ours with the credentials to read it: a living one, or the one that was removed last. */
  readonly readWith: AccountSummary
  /** All of ours that lead to it. */
  readonly ids: readonly string[]
  /** Those whose ledger is compared: a removed one can't be read any more, unless it is read with. */
  readonly withLedger: readonly AccountSummary[]
}

/**
 * An account at the network may be several of ours: two merchants that share it, or one that was removed and added again.
 * Its bookings are read once, and compared with what went through all of them. A sandbox has books of its own, though
 * networks give it the id of the account.
 *
 * Payments under way when an account is removed come to their end afterwards, so it is read while it was alive after `from`.
 */
export function chooseAccounts(
  listed: readonly AccountSummary[],
  asked: { readonly from: Date; readonly id: string | undefined },
): NetworkAccount[] {
  const same = Map.groupBy(
    listed,
    ({ connector, sandbox, label }) => `${connector} ${sandbox} ${identityOf(label)}`,
  )
  return [...same.values()].flatMap((accounts) => {
    const isAsked = accounts.some((account) =>
      asked.id === undefined ? removedAt(account) >= asked.from.getTime() : account.id === asked.id,
    )
    const [readWith] = accounts.toSorted((one, other) => removedAt(other) - removedAt(one))
    if (!isAsked || !readWith) return []
    const withLedger = accounts.filter((account) => account === readWith || account.removed_at === null)
    return [{ readWith, ids: accounts.map(({ id }) => id), withLedger }]
  })
}

function removedAt({ removed_at }: AccountSummary): number {
  return removed_at === null ? Number.MAX_SAFE_INTEGER : Date.parse(removed_at)
}
