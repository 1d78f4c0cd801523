import type { HostedConnector } from '../../../../core/networks/hosted.ts'
import { makeLog } from '../../../../platform/http/log.ts'
import type { AccountSummary } from '../../../../core/merchants/accounts/list-accounts.ts'
import { readAccounts } from '../../../../core/merchants/accounts/read-accounts.ts'
import { formatAmount } from '../../../../platform/money/money.ts'
import { makeOutbox } from '../../../../core/notifications/outbox.ts'
import { checkBalance } from '../../ask/check-balance.ts'
import type { Payouts } from '../../payouts.ts'
import type { SecretStore } from '../../../../cli/connector/keeping.ts'
import type { Networks } from '../../../../cli/connector/networks.ts'
import { minuteOf } from '../../../../cli/terminal/times.ts'

// What a network says it holds, beside Florin's own ledger. New bookings are copied first, as a worker would: a payment made
// since the last look is no difference.

export type CheckedBalance = {
  readonly kind: 'balance_differs' | 'balance_alike' | 'balance_opened'
  readonly account: AccountSummary
  readonly currency: string
  readonly thereMinor: bigint
  readonly hereMinor: bigint
  readonly at: Date
}

export type BalanceProblem = { readonly account: AccountSummary; readonly problem: string }

export type Ledgers = {
  readonly balances: readonly CheckedBalance[]
  readonly unread: readonly BalanceProblem[]
  /** The network has no such figure. */
  readonly isUnknown: boolean
}

export async function checkBalances(
  keeping: SecretStore,
  networks: Networks,
  network: HostedConnector,
  accounts: readonly AccountSummary[],
): Promise<Ledgers> {
  const balances: CheckedBalance[] = []
  const unread: BalanceProblem[] = []
  if (!network.balance) return { balances, unread, isUnknown: true }
  const payouts = payoutsOf(keeping, networks)
  for (const account of accounts) {
    // Accounts of the installation pay its operator: no merchant has a ledger of theirs.
    if (account.merchant === 'installation') continue
    const { merchant: merchant_id, id: account_id, connector } = account
    const look = await checkBalance(payouts, { merchant_id, account_id, connector })
    if (look?.kind === 'no_answer') unread.push({ account, problem: look.problem })
    if (look?.kind === 'overtaken') unread.push({ account, problem: 'another process is checking it' })
    if (look?.kind !== 'done') continue
    if (look.balances === 'moving') {
      unread.push({ account, problem: 'new bookings came in each time it was read' })
      continue
    }
    const at = payouts.now()
    for (const { isFirst, ...compared } of look.balances ?? []) {
      const isAlike = compared.thereMinor === compared.hereMinor
      const kind = isAlike ? 'balance_alike' : isFirst ? 'balance_opened' : 'balance_differs'
      balances.push({ kind, account, at, ...compared })
    }
  }
  return { balances, unread, isUnknown: false }
}

function payoutsOf({ db, secrets }: SecretStore, networks: Networks): Payouts {
  return {
    db,
    connectors: networks,
    accounts: {
      of: async () => [],
      byId: async (merchantId, id) =>
        (await readAccounts(db, secrets, merchantId)).find((account) => account.id === id),
    },
    // Workers deliver what is written here.
    outbox: makeOutbox(),
    // What is wrong is printed.
    log: makeLog('silent', { write: () => {} }),
    now: () => new Date(),
  }
}

/** `balance of 12.34 GBP alike at 2026-11-18 03:40` for each account and currency. */
export function describeBalances({ balances, isUnknown }: Ledgers, network: string): string {
  if (isUnknown) return `${network} reports no balance`
  return balances.map(describeBalance).join('; ')
}

function describeBalance({ kind, currency, thereMinor, hereMinor, at }: CheckedBalance): string {
  const amount = (minor: bigint): string => `${formatAmount(minor, currency)} ${currency}`
  const when = minuteOf(at.toISOString())
  if (kind === 'balance_alike') return `balance of ${amount(thereMinor)} alike at ${when}`
  if (kind === 'balance_differs') return `balance differs by ${amount(thereMinor - hereMinor)} at ${when}`
  return `opening balance of ${amount(thereMinor - hereMinor)} booked at ${when}`
}
