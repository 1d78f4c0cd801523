import type { House } from './house.ts'
import { call } from './house.ts'
import { sql } from '../../src/platform/database/sql.ts'

// Everything that a secret could have leaked into, as text: what was logged, every row of every table, the metrics.

export async function dumpTables(house: House): Promise<string> {
  const tables = await house.db.query<{ schema: string; name: string }>(sql`
    select table_schema as schema, table_name as name from information_schema.tables
    where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')
    order by 1, 2`)
  const parts: string[] = []
  for (const { schema, name } of tables) {
    const text = `select dumped::text as row from "${schema}"."${name}" as dumped`
    const rows = await house.db.query<{ row: string }>({ text, values: [], name: undefined })
    parts.push(`${schema}.${name}`, ...rows.map(({ row }) => row))
  }
  return parts.join('\n')
}

export async function readMetrics(house: House): Promise<string> {
  return (await call(`${house.url}/metrics`)).text
}
