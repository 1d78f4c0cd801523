import type { Transaction } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'
import type { PaymentKey } from '../store.ts'
import type { Saving } from './saving.ts'

export async function writeSaving(tx: Transaction, key: PaymentKey, saving: Saving): Promise<void> {
  await tx.query(sql`
    update payments set saving = ${JSON.stringify(saving)}
    where merchant_id = ${key.merchantId} and number = ${key.number}`)
}
