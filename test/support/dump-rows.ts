import pg from 'pg'

/** Every row of every table as text, table by table: what a backup must bring back. `snapshot`: as of that moment. */
export async function dumpRows(url: string, snapshot?: string): Promise<Map<string, string[]>> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(`set timezone = 'UTC'`)
    await client.query('begin isolation level repeatable read, read only')
    if (snapshot !== undefined) await client.query(`set transaction snapshot '${snapshot}'`)
    const tables = await client.query<{ name: string }>(`
      select oid::regclass::text as name from pg_class
      where relkind in ('r', 'p') and relnamespace::regnamespace::text !~ '^(pg_|information_schema$)'
        and relname <> 'schema_migrations' order by 1`)
    const rows = new Map<string, string[]>()
    for (const { name } of tables.rows) {
      const found = await client.query<{ row: string }>(`select dumped::text as row from ${name} as dumped`)
      rows.set(name, found.rows.map(({ row }) => row).toSorted())
    }
    return rows
  } finally {
    await client.end()
  }
}
