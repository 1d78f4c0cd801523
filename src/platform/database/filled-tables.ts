import type { Queryable } from './database.ts'
import { join, planEachTime, sql, bareName } from './sql.ts'

/** Those of these tables that have any row, whoever's. */
export async function filledTables(db: Queryable, names: readonly string[]): Promise<string[]> {
  if (names.length === 0) return []
  const each = names.map(
    (name) => sql`select ${name}::text as name where exists (select from ${bareName(name)})`,
  )
  const rows = await db.query<{ name: string }>(planEachTime(join(each, ' union all ')))
  return rows.map(({ name }) => name)
}
