import type { Database } from '../src/platform/database/database.ts'
import { sql, type Sql } from '../src/platform/database/sql.ts'

// Many rows go in faster while the indexes are away: ten million payments into seven of them would take most of an hour.

const rebuildBeyond = 200_000

/** Without those that no rule hangs on; the rules stay. */
export async function withoutIndexes(
  db: Database,
  tables: readonly string[],
  rows: number,
  work: () => Promise<void>,
): Promise<void> {
  const indexes = rows > rebuildBeyond ? await takeOff(db, tables) : []
  await work()
  for (const definition of indexes) await db.query(plain(definition))
}

/** Returns how to make them again. */
async function takeOff(db: Database, tables: readonly string[]): Promise<string[]> {
  const found = await db.query<{ name: string; definition: string }>(sql`
    select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition from pg_index
    where indrelid = any(${tables}::text[]::regclass[]) and not indisunique`)
  for (const { name } of found) await db.query(plain(`drop index ${name}`))
  return found.map(({ definition }) => definition)
}

function plain(text: string): Sql {
  return { text, values: [], name: undefined }
}
