import type { Database } from '../database.ts'
import { sql } from '../sql.ts'

// The only place that names the table installation_times.

export async function writeTime(db: Database, name: string): Promise<void> {
  await db.query(sql`
    insert into installation_times (name, at) values (${name}, now())
    on conflict (name) do update set at = excluded.at`)
}

export async function readTime(db: Database, name: string): Promise<string | undefined> {
  const rows = await db.query<{ at: string }>(sql`select at from installation_times where name = ${name}`)
  return rows[0]?.at
}

/** True the first time that it happens in this installation, whichever process asks. */
export async function isFirst(db: Database, name: string): Promise<boolean> {
  const rows = await db.query(sql`
    insert into installation_times (name, at) values (${name}, now())
    on conflict (name) do nothing
    returning name`)
  return rows.length > 0
}
