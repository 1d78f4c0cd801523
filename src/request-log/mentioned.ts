import type { Queryable, Transaction } from '../database/database.ts'
import { deleteMentioning, listMentioning, type Mentioned } from './request-store.ts'

export type { Mentioned }

// Lines of the request log by subject, such as a tx_ref or an address. The log is a copy for reading: a line about an erased customer
// is deleted as a whole.

export async function readMentions(
  db: Queryable,
  merchantId: number,
  mentioned: Mentioned,
): Promise<readonly object[]> {
  return isEmpty(mentioned) ? [] : listMentioning(db, merchantId, mentioned)
}

export async function forgetMentions(
  tx: Transaction,
  merchantId: number,
  mentioned: Mentioned,
): Promise<number> {
  return isEmpty(mentioned) ? 0 : deleteMentioning(tx, merchantId, mentioned)
}

function isEmpty({ words, pattern }: Mentioned): boolean {
  return words.length === 0 && pattern === null
}
