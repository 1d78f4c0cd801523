import { recordAct, type Actor } from '../audit/audit.ts'
import { inTransaction } from '../database/database.ts'
import { Refusal } from '../errors/refusals.ts'
import { announceMethod } from '../payments/saving/announce-method.ts'
import type { MethodKeeping, MethodScope } from './keeping.ts'
import { presentMethod } from './present.ts'
import { endRow, findMethod, type MethodRow } from './store.ts'

/**
 * Ends a method: it is never charged again from this commit on, and a job tells the network. Ending it twice is no
 * mistake. A charge that was begun before may still finish.
 */
export async function endMethod(
  { db, now, paying }: MethodKeeping,
  scope: MethodScope,
  id: string,
  by: Actor,
  endedBy: 'merchant' | 'customer' = 'merchant',
): Promise<MethodRow> {
  const method = await findMethod(db, scope, id)
  if (!method) throw new Refusal('not_found', 'Saved method not found')
  if (method.ended_at !== null) return method
  const ended = await inTransaction(db, async (tx) => {
    const { merchantId, mode } = scope
    // The payment first: outcomes lock in this order, too.
    const tell = await announceMethod(paying, tx, { merchantId, number: method.number })
    const row = await endRow(tx, { merchantId, id }, { by: endedBy, forgetAt: now() })
    if (!row) return undefined
    await tell('method.ended', JSON.stringify(presentMethod(row)))
    await recordAct(tx, merchantId, by, {
      action: 'saved_method.ended',
      subject: id,
      after: { mode, customer_ref: row.customer_ref, ended_by: endedBy },
    })
    return row
  })
  return ended ?? (await findMethod(db, scope, id)) ?? method
}
