import type pg from 'pg'
import { asUnavailable } from '../connection-lost.ts'
import { sql, type Sql } from '../sql.ts'
import type { Connection } from '../statement.ts'
import type { DatabaseObserver } from './pool-config.ts'

// Statements on a connection of the pool, for database.ts alone.

export const end = sql`commit`

/** False when PostgreSQL rolled back instead, as it does when a statement failed and its error was caught. */
export async function sendCommit(client: pg.PoolClient): Promise<boolean> {
  // If the answer to COMMIT is lost, the work may or may not be committed, and we must not say "nothing was done".
  await send(client, [end], true)
  return connectionOf(client).lastAnswer === 'COMMIT'
}

/** Returns the error when the connection can't be used again, so that the pool drops it. */
export async function rollBack(client: pg.PoolClient): Promise<Error | undefined> {
  try {
    await send(client, [sql`rollback`], false)
    return undefined
  } catch (error) {
    return error as Error
  }
}

const connections = new WeakMap<pg.PoolClient, Connection>()
const watched = new WeakMap<pg.PoolClient, NonNullable<DatabaseObserver['statement']>>()

/** Once per connection; `watch` sees every statement on it. */
export function prepareToSend(
  client: pg.PoolClient,
  connection: Connection,
  watch: DatabaseObserver['statement'],
): void {
  connections.set(client, connection)
  if (watch) watched.set(client, watch)
}

function connectionOf(client: pg.PoolClient): Connection {
  return connections.get(client) as Connection
}

/** `alone`: they are a transaction of their own, so they may have been committed before the connection broke. */
export async function send<R>(
  client: pg.PoolClient,
  statements: readonly Sql[],
  alone: boolean,
): Promise<R[][]> {
  const answered = watched.get(client)?.(statements.map(({ text }) => text))
  try {
    const rows = (await connectionOf(client).query(statements)) as R[][]
    answered?.()
    return rows
  } catch (error) {
    answered?.(error)
    // Its own stack leads to the socket; this one to the caller.
    if (error instanceof Error) Error.captureStackTrace(error)
    throw asUnavailable(error, alone)
  }
}
