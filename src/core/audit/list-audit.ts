import type { Database } from '../../platform/database/database.ts'
import { findMerchantsOfNewest } from './audit-look-store.ts'
import { listEntries, type EntryFilter, type EntryRow } from './audit-store.ts'

export type { EntryFilter, EntryRow }

/** Newest first; of one merchant (0: the installation), or of all. */
export async function listAudit(
  db: Database,
  merchantId: number | undefined,
  filter: EntryFilter,
): Promise<EntryRow[]> {
  const owners = merchantId === undefined ? await findMerchantsOfNewest(db, filter) : [merchantId]
  const found: EntryRow[] = []
  for (const owner of owners) found.push(...(await listEntries(db, owner, filter)))
  return found.toSorted(newestFirst).slice(0, filter.limit)
}

/** Times of one form compare as text. */
function newestFirst(one: EntryRow, other: EntryRow): number {
  return compare(other.at, one.at) || compare(other.id, one.id)
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other)
}
