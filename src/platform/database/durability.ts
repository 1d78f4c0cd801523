import type { Database } from './database.ts'
import { sql } from './sql.ts'

/** The message is one line for the operator. */
export class UnsafeDatabase extends Error {}

/**
 * The settings of PostgreSQL with which a commit that was answered can be gone after a crash. As they hold for our own
 * connections: a role or a database may have its own.
 */
export async function findUnsafeSettings(db: Database): Promise<string[]> {
  const isOff = sql`
    select name from (values ('fsync'), ('synchronous_commit')) as needed (name)
    where current_setting(name) = 'off'
    order by name`
  const names = (await db.query<{ name: string }>(isOff)).map(({ name }) => name)
  if (await db.nodes.askWhetherPlain()) return names
  const asked = await db.nodes.askEach(isOff)
  const ofNodes = asked.flatMap(({ node, rows }) =>
    rows instanceof Error ? [] : rows.map(({ name }) => `${String(name)} of node ${node.name}`),
  )
  return [...names, ...ofNodes]
}
