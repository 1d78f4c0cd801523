import { tableNamesOf } from '../../platform/database/table-names.ts'
import { installation, recordAct, type Actor } from '../../core/audit/audit.ts'
import { inTransaction, type Database } from '../../platform/database/database.ts'
import { readMigrations } from '../../platform/database/migrate.ts'
import { Refusal } from '../../platform/errors/refusals.ts'
import { findDemo, removeDemo } from '../../core/merchants/operator/demo-merchant.ts'
import { deleteRows, listMerchantTables } from './row-store.ts'

/** Stays: what was done on this installation, and that the demo was removed. */
const kept = 'audit_log'

/** Everything of the demo merchant, from every table there is. Returns its number. */
export async function removeDemoShop(db: Database, by: Actor): Promise<number> {
  const merchantId = await findDemo(db)
  if (merchantId === undefined) throw new Refusal('not_found', 'There is no demo shop')
  const tables = (await listMerchantTables(db, tableNamesOf(readMigrations()))).filter(
    (name) => name !== kept,
  )
  await inTransaction(db, async (tx) => {
    for (const table of tables) await deleteRows(tx, merchantId, table)
    await removeDemo(tx, merchantId)
    const subject = String(merchantId)
    await recordAct(tx, installation, by, { action: 'merchant.demo_removed', subject })
  })
  // What a worker wrote while the rows above were being deleted.
  for (const table of tables) await deleteRows(db, merchantId, table)
  return merchantId
}
