import type { Database } from '../../platform/database/database.ts'
import { projectNames } from '../projects/find-project.ts'
import type { PaymentRow } from './store.ts'

/** id → name of the projects that these payments belong to, deleted ones too. Without a statement when there is none. */
export async function projectNamesOf(
  db: Database,
  merchantId: number,
  payments: readonly Pick<PaymentRow, 'project_id'>[],
): Promise<ReadonlyMap<string, string>> {
  const ids = new Set(payments.flatMap((payment) => payment.project_id ?? []))
  return ids.size === 0 ? new Map() : projectNames(db, merchantId, [...ids])
}
