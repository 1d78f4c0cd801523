import type { Mode } from '../../merchants/mode.ts'
import { accountsFor } from '../attempts/hosted/account-of.ts'
import type { Paying } from '../attempts/paying.ts'

export type CanSave = (merchantId: number, mode: Mode, currency: string) => Promise<boolean>

/** Whether a network of the merchant saves methods in this currency. Accounts are cached, so it costs no statement. */
export async function canSave(
  paying: Paying,
  merchantId: number,
  mode: Mode,
  currency: string,
): Promise<boolean> {
  if (
    paying.connectors.some(
      (each) => each.kind === 'form' && each.mode === mode && each.chargeSaved !== undefined,
    )
  )
    return true
  const reached = await accountsFor(paying, merchantId, mode)
  return reached.some(({ connector }) => (connector.saves?.(currency) ?? []).length > 0)
}
