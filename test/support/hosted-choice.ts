import type { HostedConnector } from '../../src/core/networks/hosted.ts'
import type { Accounts } from '../../src/core/merchants/accounts/accounts.ts'

/** The test bank's account, which every merchant has. */
export const byBank = { accountId: 'acc_test-bank', method: 'bank' } as const

/** Accounts that stand in no table. */
export function accountsInMemory(accounts: Awaited<ReturnType<Accounts['of']>>): Accounts {
  return {
    of: async (_merchantId, mode) => (mode === 'live' ? accounts : []),
    byId: async (_merchantId, id) => accounts.find((account) => account.id === id),
  }
}

/** The test bank as a live network: its pages and books are the same. */
export function asLive(
  bank: HostedConnector,
  name: string,
  changes: Partial<HostedConnector> = {},
): HostedConnector {
  const credentials = [{ name: 'key', label: 'Key' }]
  return { ...bank, name, label: name, mode: 'live', credentials, isSandbox: () => false, ...changes }
}

export function liveAccount(connector: string, sandbox = false) {
  return { id: `acc_${connector}`, connector, credentials: { key: 'secret' }, sandbox }
}
