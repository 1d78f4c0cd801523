import type { Database } from '../../../platform/database/database.ts'
import type { Logger } from '../../../platform/http/log.ts'
import { findMerchantsWithFarFuture } from '../due-look-store.ts'
import { resetFarFuture } from '../schedule-store.ts'
import { visitMerchants } from './visit-merchants.ts'

/** Brings back what a clock that ran ahead has put off for weeks; returns how many deliveries that is. */
export async function resetFarFutures(db: Database, log: Logger): Promise<number> {
  let count = 0
  await visitMerchants({
    find: async (after) => findMerchantsWithFarFuture(db, after),
    async visit(merchantId) {
      count += await resetFarFuture(db, merchantId)
    },
    onError: (error, merchantId) =>
      log.warn({ err: error, merchant: merchantId }, "Could not reset a merchant's far-future deliveries"),
  })
  return count
}
