import { inTransaction, type Database } from '../../platform/database/database.ts'
import { lockFeeds } from './ask/feed-store.ts'
import { sumLinesAgain } from './line-sum-store.ts'

/** The sums of hours, made again of the lines, while nobody writes any of this merchant. */
export async function rebuildLineSums(db: Database, merchantId: number): Promise<void> {
  await inTransaction(db, async (tx) => {
    await lockFeeds(tx, merchantId)
    await sumLinesAgain(tx, merchantId)
  })
}
