import pg from 'pg'
import { lacksFile } from '../connection-lost.ts'

// PostgreSQL loads a library when a connection first needs it. If its program was replaced while it runs, by an upgrade of
// a package, connections that are open go on, and every create on a new one fails.

const withinMs = 5_000

/** Our constraints are written in plpgsql, so every create needs its library. */
const needsLibrary = 'do $$ begin end $$'

/** Returns PostgreSQL's message if a new connection can't load a library of a create. Other problems are reported elsewhere. */
export async function findMissingFile(connectionString: string): Promise<string | undefined> {
  const client = new pg.Client({
    connectionString,
    application_name: 'florin check',
    connectionTimeoutMillis: withinMs,
    query_timeout: withinMs,
  })
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query(needsLibrary)
    return undefined
  } catch (error) {
    return lacksFile(error) ? (error as Error).message : undefined
  } finally {
    await client.end().catch(() => {})
  }
}
