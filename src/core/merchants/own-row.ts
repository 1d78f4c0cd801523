import type { Sql } from '../../platform/database/sql.ts'
import { installation } from '../audit/audit.ts'
import { rowOf, rowOfInstallation } from './store.ts'

/**
 * The row of a merchant, as the source that an insert of many rows takes `merchant.merchant_id` from. A cluster sends such an
 * insert straight to the merchant's node. Were the number a parameter, all rows would pass through the coordinator and be
 * committed in two phases (docs/decisions/0030-spread-by-merchant.md); those of the installation do, and are few.
 */
export function ownRow(merchantId: number): Sql {
  return merchantId === installation ? rowOfInstallation : rowOf(merchantId)
}
