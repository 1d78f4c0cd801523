import pg from 'pg'
import { Nodes } from './cluster/nodes.ts'
import { asUnavailable, brokenBy } from './connection-lost.ts'
import { poolConfig, timeoutOf, type DatabaseObserver, type DatabaseOptions } from './pool/pool-config.ts'
import { sql, type Sql } from './sql.ts'
import { Connection, types } from './statement.ts'

// Two types on purpose: a function that must share its caller's commit asks for a Transaction, and a Database
// can't be passed to it. Neither can be made outside this file.

export { isAway, makeOnce, sqlState, violates } from './connection-lost.ts'
export type { DatabaseObserver, DatabaseOptions } from './pool/pool-config.ts'

export type Row = Record<string, unknown>

export class Database {
  readonly kind = 'database'
  readonly url: string
  readonly observe: DatabaseObserver | undefined
  readonly #pool: pg.Pool
  /** Of a cluster; none on a plain PostgreSQL. */
  readonly nodes: Nodes

  constructor(url: string, options: DatabaseOptions = {}) {
    const timeout = timeoutOf(options)
    this.url = url
    this.observe = options.observe
    this.nodes = new Nodes(
      url,
      async (statements) => this.queryAll(statements),
      (error) => options.onConnectionError?.(error),
    )
    this.#pool = new pg.Pool({ ...poolConfig(url, options), types })
    // An idle connection that breaks (PostgreSQL restarted) is dropped by the pool; without a listener the
    // process would end.
    this.#pool.on('error', (error) => options.onConnectionError?.(error))
    // The same for a connection that breaks in the middle of a transaction; there the next statement fails.
    this.#pool.on('connect', (client) => {
      client.on('error', () => {})
      // The server's own timeout answers first; this one is for a connection whose other end went silent.
      if (options.observe?.statement) watched.set(client, options.observe.statement)
      connections.set(client, new Connection(client, types, timeout + 1_000, options.pooled !== true))
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
      const rows = await send<R>(client, [begin, ...statements, end], true)
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
    const began = this.observe && this.#pool.idleCount === 0 ? performance.now() : undefined
    try {
      return await this.#pool.connect()
    } catch (error) {
      throw asUnavailable(error, false)
    } finally {
      if (began !== undefined) this.observe?.waited((performance.now() - began) / 1000)
    }
  }

  /**
   * Whether merchants may share a commit. On a cluster it would be a commit over several nodes, which takes longer than
   * one each and fails for all when one node is away. Until the database has said what it is, nobody shares.
   */
  get sharesCommits(): boolean {
    return this.nodes.isPlain ?? false
  }

  /** A look over all merchants. On a cluster each node is asked by itself, and those that answer are answer enough. */
  async look<R extends object = Row>(statement: Sql): Promise<R[]> {
    return (await this.nodes.askWhetherPlain()) ? this.query<R>(statement) : this.nodes.look<R>(statement)
  }

  /** Connections in use and callers waiting for one, for the metrics. */
  load(): { busy: number; idle: number; waiting: number } {
    const pool = this.#pool
    return { busy: pool.totalCount - pool.idleCount, idle: pool.idleCount, waiting: pool.waitingCount }
  }

  async close(): Promise<void> {
    await this.nodes.close()
    await this.#pool.end()
  }
}

export class Transaction {
  readonly kind = 'transaction'
  /** For what this process holds per database, such as its batches. Queries on it are not part of this transaction. */
  readonly database: Database
  readonly #client: pg.PoolClient
  readonly #ends: ((committed: boolean) => void)[] = []
  /** Of several merchants: what they ask for in the same turn leaves in one write. */
  readonly #isShared: boolean
  #asked: Asked[] = []
  #isEmpty = true

  constructor(database: Database, client: pg.PoolClient, isShared = false) {
    this.database = database
    this.#client = client
    this.#isShared = isShared
  }

  async query<R extends object = Row>(statement: Sql): Promise<R[]> {
    return (await this.queryAll<R>([statement]))[0] ?? []
  }

  /** Of what this transaction sees, so it needs all nodes. */
  async look<R extends object = Row>(statement: Sql): Promise<R[]> {
    return this.query<R>(statement)
  }

  /** Statements that do not need one another's answers, in order and in one round trip. The rows of each. */
  async queryAll<R extends object = Row>(statements: readonly Sql[]): Promise<R[][]> {
    if (!this.#isShared) return (await this.#send(statements)) as R[][]
    return new Promise<R[][]>((resolve, reject) => {
      this.#asked.push({ statements, resolve: resolve as Asked['resolve'], reject })
      if (this.#asked.length === 1) setImmediate(() => void this.#sendAsked())
    })
  }

  async #sendAsked(): Promise<void> {
    const asked = this.#asked
    this.#asked = []
    try {
      const rows = await this.#send(asked.flatMap(({ statements }) => statements))
      let at = 0
      for (const { statements, resolve } of asked) resolve(rows.slice(at, (at += statements.length)))
    } catch (error) {
      for (const { reject } of asked) reject(error)
    }
  }

  async #send(statements: readonly Sql[]): Promise<Row[][]> {
    this.#isEmpty = false
    // Begin goes with the first statement, and again with the next if PostgreSQL refused it.
    if (this.#client.getTransactionStatus() !== 'I') return send(this.#client, statements, false)
    const opening = this.#isShared ? [begin, waitBriefly] : [begin]
    return (await send<Row>(this.#client, [...opening, ...statements], false)).slice(opening.length)
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
  return commitWork(database, work, false)
}

/**
 * One commit for the work of several merchants, each in statements of its own. A lock that one of them has to wait for
 * would hold up all, so it is not waited for long: the caller then runs each alone.
 */
export async function inSharedTransaction<T>(
  database: Database,
  works: readonly ((tx: Transaction) => Promise<T>)[],
): Promise<T[]> {
  const workAll = async (tx: Transaction): Promise<T[]> => {
    const all = works.map(async (work) => work(tx))
    // All end before the transaction does: a statement that came later would be nobody's.
    await Promise.allSettled(all)
    return Promise.all(all)
  }
  return commitWork(database, workAll, true)
}

/** `work` in the transaction that there is, or in one of its own. */
export async function within<T>(db: Queryable, work: (tx: Transaction) => Promise<T>): Promise<T> {
  return db.kind === 'transaction' ? work(db) : inTransaction(db, work)
}

async function commitWork<T>(
  database: Database,
  work: (tx: Transaction) => Promise<T>,
  isShared: boolean,
): Promise<T> {
  const client = await database.connect()
  const tx = new Transaction(database, client, isShared)
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

type Asked = {
  readonly statements: readonly Sql[]
  readonly resolve: (rows: Row[][]) => void
  readonly reject: (error: unknown) => void
}

const begin = sql`begin`
const waitBriefly = sql`set local lock_timeout = '100ms'`
const end = sql`commit`

/** False when PostgreSQL rolled back instead, as it does when a statement failed and its error was caught. */
async function sendCommit(client: pg.PoolClient): Promise<boolean> {
  // When the answer to COMMIT is lost, the work may or may not be there, and nobody may say "nothing was done".
  await send(client, [end], true)
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
const watched = new WeakMap<pg.PoolClient, NonNullable<DatabaseObserver['statement']>>()

function connectionOf(client: pg.PoolClient): Connection {
  return connections.get(client) as Connection
}

/** `alone`: they are a transaction of their own, so they may have been committed before the connection broke. */
async function send<R>(client: pg.PoolClient, statements: readonly Sql[], alone: boolean): Promise<R[][]> {
  const answered = watched.get(client)?.(statements.map(({ text }) => text))
  try {
    const rows = (await connectionOf(client).query(statements)) as R[][]
    answered?.()
    return rows
  } catch (error) {
    answered?.(error)
    // Its own trace leads to the socket; this one to whoever asked.
    if (error instanceof Error) Error.captureStackTrace(error)
    throw asUnavailable(error, alone)
  }
}
