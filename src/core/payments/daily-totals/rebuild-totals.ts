import { atOneMoment, inTransaction, type Database } from '../../../platform/database/database.ts'
import type { Recount } from '../slots/recount.ts'
import { addToTotals, dropTotals, keepFromFolding, sumPayments, type TotalRow } from './total-store.ts'

/**
 * Rebuilds totals from their source, while payments continue: everything is read in one snapshot, and later changes
 * wait beside the totals as usual. `recounts`: what modules count.
 * `testsGoneBefore`: test payments that ended before it may be deleted, so the totals of those days stay as they are.
 */
export async function rebuildTotals(
  db: Database,
  merchantId: number,
  recounts: readonly Recount[],
  testsGoneBefore?: Date,
): Promise<void> {
  const keptTestDay = testsGoneBefore?.toISOString().slice(0, 10) ?? '-infinity'
  const isKept = ({ mode, day }: TotalRow): boolean => mode === 'test' && day <= keptTestDay
  // In a transaction of its own: the moment has to begin after the lock, and a statement that waits for one has begun.
  await inTransaction(db, async (holder) => {
    await keepFromFolding(holder, merchantId)
    await atOneMoment(db, async (tx) => {
      const rows = await sumPayments(tx, merchantId)
      for (const { days } of recounts) rows.push(...((await days?.(tx, merchantId)) ?? []))
      await dropTotals(tx, merchantId, keptTestDay)
      await addToTotals(
        tx,
        merchantId,
        rows.filter((row) => !isKept(row)),
      )
    })
  })
}
