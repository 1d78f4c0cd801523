import { atOneMoment, inTransaction, type Database, type Transaction } from '../../database/database.ts'
import { addToTotals, dropTotals, keepFromFolding, sumPayments, type TotalRow } from './total-store.ts'

/**
 * Totals made anew of what they were counted from, while payments go on: all is read at one moment, and what is counted
 * after it waits beside the totals as ever. `others`: what rooms above payments count, read in the same moment.
 * `testsGoneBefore`: payments of test mode that ended before it may be deleted, so the totals of those days stay as they are.
 */
export async function rebuildTotals(
  db: Database,
  merchantId: number,
  others: (tx: Transaction) => Promise<readonly TotalRow[]>,
  testsGoneBefore?: Date,
): Promise<void> {
  const keptTestDay = testsGoneBefore?.toISOString().slice(0, 10) ?? '-infinity'
  const isKept = ({ mode, day }: TotalRow): boolean => mode === 'test' && day <= keptTestDay
  // In a transaction of its own: the moment has to begin after the lock, and a statement that waits for one has begun.
  await inTransaction(db, async (holder) => {
    await keepFromFolding(holder, merchantId)
    await atOneMoment(db, async (tx) => {
      const rows = [...(await sumPayments(tx, merchantId)), ...(await others(tx))]
      await dropTotals(tx, merchantId, keptTestDay)
      await addToTotals(
        tx,
        merchantId,
        rows.filter((row) => !isKept(row)),
      )
    })
  })
}
