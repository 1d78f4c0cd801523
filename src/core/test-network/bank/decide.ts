import type { Database } from '../../../platform/database/database.ts'
import { undecidedMs } from './bank.ts'
import { decidePage } from './store.ts'

/** The customer's decision on the bank's page; false if it can no longer be paid. */
export type Decision = 'pay' | 'pay_later' | 'refuse'

export async function decide(
  db: Database,
  page: { merchantId: number; reference: string },
  decision: Decision,
  at: Date,
): Promise<boolean> {
  return decidePage(db, page, {
    state: decision === 'refuse' ? 'refused' : 'paid',
    at,
    toldFrom: decision === 'pay_later' ? new Date(at.getTime() + undecidedMs) : at,
  })
}
