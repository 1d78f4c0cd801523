import type { Database } from '../../../platform/database/database.ts'
import { listReceived, type Received } from './received-store.ts'

export type { Received } from './received-store.ts'

const shownMax = 5

/** What was or will be sent to a receiver about a payment; newest first. */
export async function readReceived(
  db: Database,
  of: { readonly merchantId: number; readonly number: string },
): Promise<Received[]> {
  return listReceived(db, { ...of, limit: shownMax })
}
