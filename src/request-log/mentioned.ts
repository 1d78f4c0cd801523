import type { Queryable, Transaction } from '../database/database.ts'
import { deleteMentioning, listMentioning } from './request-store.ts'

// Lines of the request log by subject, such as a tx_ref. The log is a copy for reading: a line about an erased customer
// is deleted as a whole.

export async function readMentions(
  db: Queryable,
  merchantId: number,
  words: readonly string[],
): Promise<readonly object[]> {
  return words.length === 0 ? [] : listMentioning(db, merchantId, words)
}

export async function forgetMentions(
  tx: Transaction,
  merchantId: number,
  words: readonly string[],
): Promise<number> {
  return words.length === 0 ? 0 : deleteMentioning(tx, merchantId, words)
}
