import { sendByValue } from './spread/insert-by-value.ts'
import { insertsByValue, mayChangeRows, openingOf } from './spread/openings.ts'
import { Nodes, type Missed } from './spread/nodes.ts'
import { DatabaseUnavailable } from '../errors/database-unavailable.ts'
import { brokenBy } from './connection-lost.ts'
import { Connections, type Lease } from './pool/connections.ts'
import type { DatabaseObserver, DatabaseOptions } from './pool/pool-config.ts'
import { end, rollBack, send, sendCommit } from './pool/send.ts'
import { isLocal, merchantOf, sql, type Sql } from './sql.ts'

// Two types on purpose: a function that must share its caller's commit asks for a Transaction, and a Database
// can't be passed to it. Neither can be made outside this file.

export { isAway, makeOnce, sqlState, violates } from './connection-lost.ts'
export type { DatabaseObserver, DatabaseOptions } from './pool/pool-config.ts'

export type Row = Record<string, unknown>

export class Database {
  readonly kind = 'database'
  readonly url: string
  readonly observe: DatabaseObserver | undefined
  readonly #connections: Connections
  /** For a cluster; none on a plain PostgreSQL. */
  readonly nodes: Nodes

  constructor(url: string, options: DatabaseOptions = {}) {
    this.url = url
    this.observe = options.observe
    this.nodes = new Nodes(
      url,
      async (statements) => this.queryAll(statements),
      (error) => options.onConnectionError?.(error),
    )
    this.#connections = new Connections(url, options, this.nodes)
  }

  /** A statement on its own. The pool's own query() would drop the connection after every refused statement. */
  async query<R extends object = Row>(statement: Sql): Promise<R[]> {
    // Named statements are sent in one write, which PostgreSQL treats as one transaction by itself.
    const isWrapped = statement.name === undefined && mayChangeRows(this.nodes, [statement])
    return (await this.#sendAlone<R>([statement], isWrapped))[0] ?? []
  }

  /**
   * Statements that do not need one another's answers, in order and as one transaction, in one write and one round trip.
   * Each sees what those before it did and what others had committed when its own turn came. The rows of each.
   */
  async queryAll<R extends object = Row>(statements: readonly Sql[]): Promise<R[][]> {
    return this.#sendAlone<R>(statements, true)
  }

  /** `isWrapped`: in begin and commit. What a node of a cluster refuses goes to the coordinator. */
  async #sendAlone<R>(
    statements: readonly Sql[],
    isWrapped: boolean,
    mayBeLocal = isLocal(statements),
  ): Promise<R[][]> {
    const lease = await this.connect(merchantOf(statements), mayBeLocal)
    if (insertsByValue(this.nodes, lease, statements)) {
      lease.end(undefined)
      return inTransaction(this, async (tx) => tx.queryAll<R & object>(statements))
    }
    let broken: Error | undefined
    try {
      const opening = openingOf(this.nodes, lease, mayChangeRows(this.nodes, statements))
      const before = isWrapped ? [begin, ...opening] : opening
      const sent = [...before, ...lease.wordsOf(statements), ...(isWrapped ? [end] : [])]
      const rows = await send<R>(lease.client, sent, true)
      return rows.slice(before.length, before.length + statements.length)
    } catch (error) {
      broken = brokenBy(error) ?? (isWrapped ? await rollBack(lease.client) : undefined)
      if (!lease.isRefusedByNode(error)) throw error
    } finally {
      lease.end(broken)
    }
    return this.#sendAlone<R>(statements, isWrapped, false)
  }

  /** A connection, for this file alone: use inTransaction. */
  async connect(merchantId: number | undefined, mayBeLocal = false): Promise<Lease> {
    return this.#connections.take(merchantId, mayBeLocal)
  }

  /**
   * Whether merchants may share a commit. On a cluster that would be a commit over several nodes, which takes longer
   * than one each and fails for all if one node is down. Until we know which it is, merchants don't share.
   */
  get sharesCommits(): boolean {
    return this.nodes.isPlain ?? false
  }

  /** A look over all merchants. On a cluster each node is asked by itself, and those that answer are answer enough. */
  async look<R extends object = Row>(statement: Sql): Promise<R[]> {
    return (await this.nodes.askWhetherPlain()) ? this.query<R>(statement) : this.nodes.look<R>(statement)
  }

  get missed(): Missed | undefined {
    return this.nodes.missed
  }

  /** Connections in use and callers waiting for one, for the metrics. */
  load(): { busy: number; idle: number; waiting: number } {
    return this.#connections.load()
  }

  async close(): Promise<void> {
    await this.nodes.close()
    await this.#connections.close()
  }
}

export class Transaction {
  readonly kind = 'transaction'
  /** For what this process holds per database, such as its batches. Queries on it are not part of this transaction. */
  readonly database: Database
  /** Taken with the first statement, which says whose it is. */
  #lease: Promise<Lease> | undefined
  readonly #ends: ((committed: boolean) => void)[] = []
  /** For several merchants: statements requested in the same turn are sent in one write. */
  readonly #isShared: boolean
  readonly #isLocal: boolean
  readonly #beginning: readonly Sql[]
  #hasBegun = false
  #asked: PendingStatements[] = []

  constructor(database: Database, beginning: readonly Sql[], scope: Scope) {
    this.database = database
    this.#beginning = beginning
    this.#isShared = scope === 'several merchants'
    this.#isLocal = scope === 'one merchant'
  }

  async query<R extends object = Row>(statement: Sql): Promise<R[]> {
    return (await this.queryAll<R>([statement]))[0] ?? []
  }

  /** The current transaction's view, so it needs all nodes. */
  async look<R extends object = Row>(statement: Sql): Promise<R[]> {
    return this.query<R>(statement)
  }

  /** Statements that do not need one another's answers, in order and in one round trip. The rows of each. */
  async queryAll<R extends object = Row>(statements: readonly Sql[]): Promise<R[][]> {
    if (!this.#isShared) return (await this.#send(statements)) as R[][]
    return new Promise<R[][]>((resolve, reject) => {
      this.#asked.push({ statements, resolve: resolve as PendingStatements['resolve'], reject })
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
    // Several merchants' statements wait for no lock for long, and are nobody's alone.
    this.#lease ??= this.database.connect(this.#isShared ? undefined : merchantOf(statements), this.#isLocal)
    if (this.#isLocal && !isLocal(statements)) throw new Error('Only a coordinator has what this needs')
    const lease = await this.#lease
    const sendAll = async (all: readonly Sql[]): Promise<Row[][]> => this.#sendOn(lease, all)
    return insertsByValue(this.database.nodes, lease, statements)
      ? sendByValue(statements, sendAll)
      : sendAll(statements)
  }

  async #sendOn(lease: Lease, statements: readonly Sql[]): Promise<Row[][]> {
    const { client } = lease
    // Begin goes with the first statement, and again with the next if PostgreSQL refused it.
    const isFirst = client.getTransactionStatus() === 'I'
    const opening = isFirst ? [...this.#beginning, ...openingOf(this.database.nodes, lease, true)] : []
    try {
      const sent = [...opening, ...lease.wordsOf(statements)]
      return (await send<Row>(client, sent, false)).slice(opening.length)
    } catch (error) {
      if (!lease.isRefusedByNode(error)) throw error
      if (!isFirst || this.#hasBegun) throw new DatabaseUnavailable(false, { cause: error })
      return this.#sendThroughCoordinator(lease, statements)
    } finally {
      this.#hasBegun = true
    }
  }

  async #sendThroughCoordinator(refused: Lease, statements: readonly Sql[]): Promise<Row[][]> {
    refused.end(await rollBack(refused.client))
    this.#lease = this.database.connect(merchantOf(statements))
    return this.#send(statements)
  }

  /** For inTransaction alone. False when PostgreSQL rolled back instead. Without a statement there is nothing to commit. */
  async commit(): Promise<boolean> {
    if (this.#lease === undefined) return true
    return sendCommit((await this.#lease).client)
  }

  /** For inTransaction alone: gives the connection back, rolled back if the work failed. */
  async release(failure?: { readonly error: unknown }): Promise<void> {
    const lease = await this.#lease?.catch(() => undefined)
    if (lease === undefined) return
    const broken = failure && (brokenBy(failure.error) ?? (await rollBack(lease.client)))
    lease.end(broken)
  }

  /** Calls `ended` once: true after the commit, false if it was rolled back or the outcome is unknown. */
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
  return commitWork(database, work, [begin], 'any')
}

/** The same for rows of one merchant alone, on its node of a cluster: no tables of the coordinator, no NOTIFY, no named locks. */
export async function inMerchantTransaction<T>(
  database: Database,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  return commitWork(database, work, [begin], 'one merchant')
}

/** The same, with one snapshot for the whole transaction, however long it takes. */
export async function atOneMoment<T>(database: Database, work: (tx: Transaction) => Promise<T>): Promise<T> {
  return commitWork(database, work, [beginAtOneMoment], 'any')
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
    // All statements end before the transaction does: a later one would belong to no transaction.
    await Promise.allSettled(all)
    return Promise.all(all)
  }
  return commitWork(database, workAll, [begin, waitBriefly], 'several merchants')
}

/** `work` in the transaction that there is, or in one of its own. */
export async function within<T>(db: Queryable, work: (tx: Transaction) => Promise<T>): Promise<T> {
  return db.kind === 'transaction' ? work(db) : inTransaction(db, work)
}

async function commitWork<T>(
  database: Database,
  work: (tx: Transaction) => Promise<T>,
  beginning: readonly Sql[],
  scope: Scope,
): Promise<T> {
  const tx = new Transaction(database, beginning, scope)
  try {
    const result = await work(tx)
    const committed = await tx.commit()
    await tx.release()
    // In a later turn, so that the caller gets its result before the listeners do their work.
    setImmediate(() => tx.end(committed))
    return result
  } catch (error) {
    tx.end(false)
    await tx.release({ error })
    throw error
  }
}

/** `any`: also rows of the coordinator of a cluster. */
type Scope = 'any' | 'one merchant' | 'several merchants'

type PendingStatements = {
  readonly statements: readonly Sql[]
  readonly resolve: (rows: Row[][]) => void
  readonly reject: (error: unknown) => void
}

const begin = sql`begin`
const beginAtOneMoment = sql`begin isolation level repeatable read`
const waitBriefly = sql`set local lock_timeout = '100ms'`
