import type { Mode } from '../../../merchants/mode.ts'
import type { NetworkTakes } from '../../../merchants/taken-currencies.ts'
import type { Paying } from '../paying.ts'
import { accountsFor } from './account-of.ts'

export type FindNetworkTakes = (merchantId: number, mode: Mode) => Promise<NetworkTakes>

/** What a merchant's networks accept. Accounts are cached, so a live payment costs no extra statement. */
export async function networkTakes(paying: Paying, merchantId: number, mode: Mode): Promise<NetworkTakes> {
  if (mode === 'test') return undefined
  const reached = await accountsFor(paying, merchantId, mode)
  if (reached.length === 0) return undefined
  return (currency) => reached.some(({ connector }) => connector.methods(currency).length > 0)
}
