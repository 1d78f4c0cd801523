import type { Database } from '../database/database.ts'
import { sql } from '../database/sql.ts'
import { topic } from './announce.ts'

export async function notifyWorkers(db: Database, payload: string): Promise<void> {
  await db.query(sql`select pg_notify(${topic}, ${payload})`)
}
