import type { Database } from '../database/database.ts'
import { sql } from '../database/sql.ts'

// The only place that names the table installation_secrets.

/** The secret of this name; `fresh` becomes it when there is none yet. Servers that start at once agree on the first. */
export async function shareSecret(db: Database, name: string, fresh: Buffer): Promise<Buffer> {
  await db.query(sql`
    insert into installation_secrets (name, secret) values (${name}, ${fresh}) on conflict (name) do nothing`)
  const rows = await db.query<{ secret: Buffer }>(sql`
    select secret from installation_secrets where name = ${name}`)
  const secret = rows[0]?.secret
  if (!secret) throw new Error(`The secret ${name} vanished while it was read`)
  return secret
}
