import { recordAct, type Actor } from '../../core/audit/audit.ts'
import { inTransaction, type Database } from '../../platform/database/database.ts'
import { Refusal } from '../../platform/errors/refusals.ts'
import type { Mode } from '../../core/merchants/mode.ts'
import type { Payout } from './payout.ts'
import { listRefused, setDealtWith } from './payout-store.ts'

// Payouts that the bank refused or sent back, until a later payout pays them or a person has dealt with them.

type Scope = { readonly merchantId: number; readonly mode: Mode }

/** The newest first. */
export async function refusedPayouts(db: Database, of: Scope): Promise<readonly Payout[]> {
  return listRefused(db, of)
}

export function isRefused({ state }: Pick<Payout, 'state'>): boolean {
  return state === 'failed' || state === 'returned'
}

/** Once is enough: again, nothing changes. */
export async function dealWithPayout(db: Database, payout: Payout, by: Actor, now: Date): Promise<void> {
  const { merchant_id: merchantId, id, mode, state } = payout
  if (!isRefused(payout)) throw new Refusal('not_found', 'This payout has not failed')
  await inTransaction(db, async (tx) => {
    if (!(await setDealtWith(tx, { merchantId, id }, now))) return
    await recordAct(tx, merchantId, by, {
      action: 'payout.dealt_with',
      subject: id,
      after: { mode, state },
    })
  })
}
