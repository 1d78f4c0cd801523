import type { Queryable, Transaction } from '../../../platform/database/database.ts'
import { Refusal } from '../../../platform/errors/refusals.ts'
import { announceChange } from '../store.ts'
import { findDemos } from './demo-look-store.ts'
import { deleteDemo, markDemo as mark } from './operator-store.ts'

// The merchant with invented payments. The mark is set once, when it is made; the database refuses to take such a merchant
// live, and only such a merchant can be removed.

/** Its number; undefined: there is none. */
export async function findDemo(db: Queryable): Promise<number | undefined> {
  return (await findDemos(db))[0]
}

export async function markDemo(tx: Transaction, merchantId: number, since: Date): Promise<void> {
  await mark(tx, merchantId, since)
}

/** The merchant itself, once nothing refers to it. */
export async function removeDemo(tx: Transaction, merchantId: number): Promise<void> {
  if (!(await deleteDemo(tx, merchantId))) throw new Refusal('not_found', 'This merchant is not a demo')
  await announceChange(tx, merchantId)
}
