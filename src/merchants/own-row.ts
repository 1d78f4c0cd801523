import type { Sql } from '../database/sql.ts'
import { rowOf } from './store.ts'

/**
 * The row of a merchant, as the source that an insert of many rows takes `merchant.merchant_id` from. A cluster sends such an
 * insert straight to the merchant's node. Were the number a parameter, all rows would pass through the coordinator and be
 * committed in two phases (docs/decisions/0030-spread-by-merchant.md).
 */
export function ownRow(merchantId: number): Sql {
  return rowOf(merchantId)
}
