import { inTransaction, type Database } from '../../../database/database.ts'
import type { Mode } from '../../../merchants/mode.ts'
import { findAttempt, type AttemptKey } from '../attempt-store.ts'
import { moveAttempt, type MoveDeps } from '../move-attempt.ts'
import { lockPayment } from '../../store.ts'
import { findHeld, type HeldCharge } from './hosted-store.ts'

// For a person: charges that the rules do not decide.

export type { HeldCharge }

/** The oldest first. */
export async function listHeld(
  db: Database,
  of: { merchantId: number; mode: Mode },
): Promise<readonly HeldCharge[]> {
  return findHeld(db, of)
}

/** Held money is returned to the customer, and the payment can be paid again. False: it is no longer held. */
export async function sendBackHeld(
  deps: MoveDeps & { readonly db: Database },
  key: AttemptKey,
  at: Date,
): Promise<boolean> {
  return inTransaction(deps.db, async (tx) => {
    const payment = await lockPayment(tx, key)
    const before = await findAttempt(tx, key)
    if (!payment || !before) return false
    const move = { before, mode: payment.mode, event: 'sent_back', at } as const
    return (await moveAttempt(deps, tx, move)) !== undefined
  })
}
