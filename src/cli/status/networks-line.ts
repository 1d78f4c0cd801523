import type { Database } from '../../platform/database/database.ts'
import { listSomeAccounts, type AccountSummary } from '../../core/merchants/accounts/list-accounts.ts'
import { describeCallbacks } from '../../core/networks/connect/describe-answer.ts'

const merchantsMax = 20

/** Which networks there are, sandbox or live, and whether callbacks are set up; undefined when there are none. */
export async function readNetworksLine(db: Database): Promise<string | undefined> {
  const { accounts, merchantsBeyond } = await listSomeAccounts(db, merchantsMax)
  const beyond = merchantsBeyond === 0 ? [] : [`and accounts of ${merchantsBeyond} more merchants`]
  const line = [...describeNetworks(accounts), ...beyond].join('; ')
  return line === '' ? undefined : line
}

export function describeNetworks(accounts: readonly AccountSummary[]): string[] {
  const alike = Map.groupBy(accounts, ({ connector, sandbox, callbacks }) => {
    const money = sandbox ? 'sandbox' : 'live'
    return `${connector} ${money}, callbacks ${describeCallbacks(callbacks).replace(/^are /, '')}`
  })
  return [...alike].map(([line, same]) => (same.length === 1 ? line : `${line} (${same.length} accounts)`))
}
