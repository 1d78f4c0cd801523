import pg from 'pg'
import { DatabaseUnavailable } from '../errors/database-unavailable.ts'
import { connectionLost } from './connection-lost.ts'
import { sql, type Sql } from './sql.ts'
import { Connection } from './statement.ts'

// Two types on purpose: a function that must share its caller's commit asks for a Transaction, and a Database
// can't be passed to it. Neither can be made outside this file.

export type Row = Record<string, unknown>

export type DatabaseOptions = {
  readonly poolSize?: number
  readonly waitMs?: number
  readonly statementTimeoutMs?: number
  readonly name?: string
  readonly onConnectionError?: (error: Error) => void
}

export class Database {
  readonly kind = 'database'
  readonly url: string
  readonly #pool: pg.Pool

  constructor(url: string, options: DatabaseOptions = {}) {
    const timeout = options.statementTimeoutMs ?? 10_000
    this.url = url
    const { plainUrl, asked } = splitOptions(url)
    this.#pool = new pg.Pool({
      connectionString: plainUrl,
      max: options.poolSize ?? 20,
      connectionTimeoutMillis: options.waitMs ?? 5_000,
      statement_timeout: timeout,
      idle_in_transaction_session_timeout: timeout * 2,
      keepAlive: true,
      application_name: options.name ?? 'florin',
      // Pages are in memory or on a solid disk, where one read costs as much as the next.
      // jit compiles statements that the planner thinks expensive, which costs more than any of ours.
      // Ours come after those of the URL and win: isoMicroseconds reads times of this zone and style only.
      options: `${asked} -c timezone=UTC -c datestyle=ISO -c jit=off -c random_page_cost=1.1`.trim(),
      types,
    })
    // An idle connection that breaks (PostgreSQL restarted) is dropped by the pool; without a listener the
    // process would end.
    this.#pool.on('error', (error) => options.onConnectionError?.(error))
    // The same for a connection that breaks in the middle of a transaction; there the next statement fails.
    this.#pool.on('connect', (client) => {
      client.on('error', () => {})
      // The server's own timeout answers first; this one is for a connection whose other end went silent.
      connections.set(client, new Connection(client, types, timeout + 1_000))
    })
  }

  /** A statement on its own. The pool's own query() would drop the connection after every refused statement. */
  async query<R extends object = Row>(statement: Sql): Promise<R[]> {
    const client = await this.connect()
    let broken: Error | undefined
    try {
      const [rows = []] = await send<R>(client, [statement], true)
      return rows
    } catch (error) {
      broken = brokenBy(error)
      throw error
    } finally {
      client.release(broken)
    }
  }

  /**
   * Statements that do not need one another's answers, in order and as one transaction, in one write and one round trip.
   * Each sees what those before it did and what others had committed when its own turn came. The rows of each.
   */
  async queryAll<R extends object = Row>(statements: readonly Sql[]): Promise<R[][]> {
    const client = await this.connect()
    let broken: Error | undefined
    try {
      const rows = await send<R>(client, [begin, ...statements, commit], true)
      return rows.slice(1, -1)
    } catch (error) {
      broken = brokenBy(error) ?? (await rollBack(client))
      throw error
    } finally {
      client.release(broken)
    }
  }

  /** A connection of its own for `work`, with begin and commit around it. Use inTransaction. */
  async connect(): Promise<pg.PoolClient> {
    try {
      return await this.#pool.connect()
    } catch (error) {
      throw asUnavailable(error, false)
    }
  }

  /** Connections in use and callers waiting for one, for the metrics. */
  load(): { busy: number; idle: number; waiting: number } {
    const pool = this.#pool
    return { busy: pool.totalCount - pool.idleCount, idle: pool.idleCount, waiting: pool.waitingCount }
  }

  async close(): Promise<void> {
    await this.#pool.end()
  }
}

export class Transaction {
  readonly kind = 'transaction'
  /** For what this process holds per database, such as its batches. Queries on it are not part of this transaction. */
  readonly database: Database
  readonly #client: pg.PoolClient
  readonly #ends: ((committed: boolean) => void)[] = []
  #isEmpty = true

  constructor(database: Database, client: pg.PoolClient) {
    this.database = database
    this.#client = client
  }

  async query<R extends object = Row>(statement: Sql): Promise<R[]> {
    return (await this.queryAll<R>([statement]))[0] ?? []
  }

  /** Statements that do not need one another's answers, in order and in one round trip. The rows of each. */
  async queryAll<R extends object = Row>(statements: readonly Sql[]): Promise<R[][]> {
    this.#isEmpty = false
    // Begin goes with the first statement, and again with the next if PostgreSQL refused it.
    const isBegun = this.#client.getTransactionStatus() !== 'I'
    if (isBegun) return send<R>(this.#client, statements, false)
    return (await send<R>(this.#client, [begin, ...statements], false)).slice(1)
  }

  /** No statement was sent, so PostgreSQL does not know of this transaction and has nothing to commit. */
  get isEmpty(): boolean {
    return this.#isEmpty
  }

  /** Calls `ended` once: true after the commit, false when it was rolled back or nobody can say. */
  whenEnded(ended: (committed: boolean) => void): void {
    this.#ends.push(ended)
  }

  /** For inTransaction alone. */
  end(committed: boolean): void {
    for (const ended of this.#ends) ended(committed)
  }
}

export type Queryable = Database | Transaction

/** Runs `work` and commits what it did; any error rolls all of it back. Never call a network inside. */
export async function inTransaction<T>(
  database: Database,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  const client = await database.connect()
  const tx = new Transaction(database, client)
  let broken: Error | undefined
  try {
    const result = await work(tx)
    const committed = tx.isEmpty || (await sendCommit(client))
    // In a later turn, so that the caller gets its result before the listeners do their work.
    setImmediate(() => tx.end(committed))
    return result
  } catch (error) {
    tx.end(false)
    broken = brokenBy(error) ?? (tx.isEmpty ? undefined : await rollBack(client))
    throw error
  } finally {
    client.release(broken)
  }
}

/** Takes `options` out of the URL, because pg would use them instead of ours; both are sent. */
function splitOptions(url: string): { plainUrl: string; asked: string } {
  if (!URL.canParse(url)) return { plainUrl: url, asked: '' }
  const parsed = new URL(url)
  const asked = parsed.searchParams.get('options') ?? ''
  if (asked === '') return { plainUrl: url, asked }
  parsed.searchParams.delete('options')
  return { plainUrl: parsed.href, asked }
}

const begin = sql`begin`
const commit = sql`commit`

/** False when PostgreSQL rolled back instead, as it does when a statement failed and its error was caught. */
async function sendCommit(client: pg.PoolClient): Promise<boolean> {
  // When the answer to COMMIT is lost, the work may or may not be there, and nobody may say "nothing was done".
  await send(client, [commit], true)
  return connectionOf(client).lastAnswer === 'COMMIT'
}

/** Returns the error when the connection can't be used again, so that the pool drops it. */
async function rollBack(client: pg.PoolClient): Promise<Error | undefined> {
  try {
    await send(client, [sql`rollback`], false)
    return undefined
  } catch (error) {
    return error as Error
  }
}

const connections = new WeakMap<pg.PoolClient, Connection>()

function connectionOf(client: pg.PoolClient): Connection {
  return connections.get(client) as Connection
}

/** `alone`: they are a transaction of their own, so they may have been committed before the connection broke. */
async function send<R>(client: pg.PoolClient, statements: readonly Sql[], alone: boolean): Promise<R[][]> {
  try {
    return (await connectionOf(client).query(statements)) as R[][]
  } catch (error) {
    // Its own trace leads to the socket; this one to whoever asked.
    if (error instanceof Error) Error.captureStackTrace(error)
    throw asUnavailable(error, alone)
  }
}

function asUnavailable(error: unknown, outcomeUnknown: boolean): unknown {
  const lost = connectionLost(error)
  if (lost === undefined) return error
  return new DatabaseUnavailable(lost === 'after sending' && outcomeUnknown, { cause: error })
}

/** The error, when its connection can't be used again; a server that says no is still there. */
function brokenBy(error: unknown): Error | undefined {
  return error instanceof DatabaseUnavailable && isAway(error) ? error : undefined
}

/** The whole database, not one node of a cluster: a coordinator that lacks a node says so. */
export function isAway(error: unknown): boolean {
  if (!(error instanceof DatabaseUnavailable)) return false
  return !(error.cause instanceof pg.DatabaseError && error.cause.severity === 'ERROR')
}

const types = new pg.TypeOverrides()
types.setTypeParser(pg.types.builtins.INT8, BigInt)
types.setTypeParser(pg.types.builtins.TIMESTAMPTZ, isoMicroseconds)

/** `2026-11-15 14:05:00.12+00` → `2026-11-15T14:05:00.120000Z`. A Date would lose the microseconds. */
export function isoMicroseconds(text: string): string {
  const fraction = text.length > 22 && text[19] === '.' ? text.slice(20, -3) : ''
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${fraction.padEnd(6, '0')}Z`
}

/** PostgreSQL's code of a failed statement, such as 23505 for a unique index. */
export function sqlState(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.code : undefined
}

/**
 * What comes from a node of a cluster names the constraint in its message alone, with the number of its shard:
 * projects_name_once_102024. A value that the message might quote comes in the detail.
 */
export function violates(error: unknown, constraint: string): boolean {
  if (!(error instanceof pg.DatabaseError)) return false
  if (error.constraint !== undefined) return error.constraint === constraint
  return sqlState(error)?.startsWith('23') === true && names(error.message, constraint)
}

function names(message: string, constraint: string): boolean {
  return message.split(/\W+/).some((word) => word.replace(/_\d+$/, '') === constraint)
}
