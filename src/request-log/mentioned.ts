import type { Queryable, Transaction } from '../database/database.ts'
import { deleteMentioning, listMentioning } from './request-store.ts'

// Lines of the request log by what they are about, such as a tx_ref. The log is a copy for reading: a line that is about
// somebody who wants to be forgotten goes as a whole.

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
