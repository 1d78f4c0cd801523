import type { Database } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'

/** The channel on which a process without a worker announces queues with something due. */
export const channel = 'florin_deliveries'

export async function notifyWorkers(db: Database, payload: string): Promise<void> {
  await db.query(sql`select pg_notify(${channel}, ${payload})`)
}
