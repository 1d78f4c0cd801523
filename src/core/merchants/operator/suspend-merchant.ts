import { inTransaction, type Database } from '../../../platform/database/database.ts'
import { Refusal } from '../../../platform/errors/refusals.ts'
import { recordAct, type Actor } from '../../audit/audit.ts'
import { announceChange, lockMerchant } from '../store.ts'
import { setSuspended } from './operator-store.ts'

// An operator stops a merchant: its keys are refused and no customer can begin to pay. What is under way ends as it
// would have: attempts, refunds, disputes and notifications, as the money of others hangs on them.

/** Every server knows within moments. Twice is once. */
export async function suspendMerchant(db: Database, merchantId: number, by: Actor): Promise<void> {
  await change(db, merchantId, true, by)
}

export async function resumeMerchant(db: Database, merchantId: number, by: Actor): Promise<void> {
  await change(db, merchantId, false, by)
}

async function change(db: Database, merchantId: number, isSuspended: boolean, by: Actor): Promise<void> {
  await inTransaction(db, async (tx) => {
    if (!(await lockMerchant(tx, merchantId))) throw new Refusal('not_found', 'Merchant not found')
    if (!(await setSuspended(tx, merchantId, isSuspended))) return
    await announceChange(tx, merchantId)
    const action = isSuspended ? 'merchant.suspended' : 'merchant.resumed'
    await recordAct(tx, merchantId, by, { action, subject: String(merchantId) })
  })
}
