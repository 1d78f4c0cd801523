import type pg from 'pg'
import { takeForeignKeys } from './foreign-keys.ts'
import { allowSpreading, readSpread, spreadInOrder, tablesToSpread } from './spread.ts'

/**
 * Runs a migration on a database that is spread, inside the caller's transaction. Its new tables are spread as well.
 * Their foreign keys come last: Citus takes none from a table that is not spread yet to one that is.
 */
export async function runSpread(client: pg.Client, text: string): Promise<void> {
  const { rest, foreignKeys } = takeForeignKeys(text)
  await allowSpreading(client)
  for (const statement of rest) await client.query(statement)
  await spreadInOrder(client, await tablesToSpread(client, await readSpread(client)))
  for (const statement of foreignKeys) await client.query(statement)
}
