import pg from 'pg'
import { asUnavailable } from '../connection-lost.ts'
import { Connection, types } from '../statement.ts'
import { Bulkheads, type Slot } from './bulkheads.ts'
import { openShards, toShards } from '../spread/home-shards.ts'
import type { Sql } from '../sql.ts'
import { NodePools, type FindNode, type Home } from './node-pools.ts'
import { poolConfig, timeoutOf, type DatabaseOptions } from './pool-config.ts'
import { prepareToSend } from './send.ts'

// The connections of one process to PostgreSQL, for database.ts alone.

export class Connections {
  readonly #pool: pg.Pool
  /** Of a cluster; none are opened on a plain PostgreSQL, nor past a pooler. */
  readonly #nodes: NodePools | undefined
  readonly #bulkheads: Bulkheads
  readonly #observe: DatabaseOptions['observe']

  constructor(url: string, options: DatabaseOptions, find: FindNode) {
    const { max, connectionTimeoutMillis } = poolConfig(url, options)
    this.#pool = openPool(url, options)
    const openNode = (nodeUrl: string, waitMs: number): pg.Pool =>
      openPool(nodeUrl, { ...options, waitMs, isNode: true })
    this.#nodes = options.pooled === true ? undefined : new NodePools(url, openNode, find)
    this.#bulkheads = new Bulkheads(max, connectionTimeoutMillis, (merchantId) => find.placeOf(merchantId))
    this.#observe = options.observe
  }

  /** For statements of this merchant, or of none. `isLocal`: its node of a cluster can answer them by itself. */
  async take(merchantId: number | undefined, isLocal: boolean): Promise<Lease> {
    const began = this.#observe && this.#pool.idleCount === 0 ? performance.now() : undefined
    try {
      const slot = this.#bulkheads.enter(merchantId) ?? (await this.#bulkheads.wait(merchantId))
      const home = isLocal && merchantId !== undefined ? this.#nodes?.homeOf(merchantId) : undefined
      return await this.#lease(slot, home)
    } finally {
      if (began !== undefined) this.#observe?.waited((performance.now() - began) / 1000)
    }
  }

  async #lease(slot: Slot, home: Home | undefined): Promise<Lease> {
    try {
      const straight = home && (await home.node.connect())
      if (straight) return new Lease(straight, slot, this.#bulkheads, home)
      return new Lease(await this.#pool.connect(), slot, this.#bulkheads, undefined)
    } catch (error) {
      this.#bulkheads.leave(slot)
      throw asUnavailable(error, false)
    }
  }

  load(): { busy: number; idle: number; waiting: number } {
    const pools = [this.#pool, ...(this.#nodes?.pools ?? [])]
    const count = (of: 'totalCount' | 'idleCount' | 'waitingCount'): number =>
      pools.reduce((sum, pool) => sum + pool[of], 0)
    const [total, idle] = [count('totalCount'), count('idleCount')]
    return { busy: total - idle, idle, waiting: count('waitingCount') + this.#bulkheads.waiting }
  }

  async close(): Promise<void> {
    await Promise.all([this.#pool.end(), this.#nodes?.close()])
  }
}

/** On a node each shard has statements of its own. PostgreSQL keeps some 20 to 50 KB for each. */
const knownMax = 500

function openPool(url: string, options: DatabaseOptions): pg.Pool {
  const timeout = timeoutOf(options)
  const pool = new pg.Pool({ ...poolConfig(url, options), types })
  // An idle connection that breaks (PostgreSQL restarted) is dropped by the pool; without a listener the
  // process would end.
  pool.on('error', (error) => options.onConnectionError?.(error))
  // The same for a connection that breaks in the middle of a transaction; there the next statement fails.
  pool.on('connect', (client) => {
    client.on('error', () => {})
    // The server's own timeout answers first; this one is for a connection whose other end went silent.
    const keeping = { keepsStatements: options.pooled !== true, ...(options.isNode === true && { knownMax }) }
    const connection = new Connection(client, types, timeout + 1_000, keeping)
    prepareToSend(client, connection, options.observe?.statement)
  })
  return pool
}

/** A connection until `end`. */
export class Lease {
  readonly client: pg.PoolClient
  readonly #slot: Slot
  readonly #bulkheads: Bulkheads
  /** Undefined: this is PostgreSQL itself, or the coordinator of a cluster. */
  readonly #home: Home | undefined

  constructor(client: pg.PoolClient, slot: Slot, bulkheads: Bulkheads, home: Home | undefined) {
    this.client = client
    this.#slot = slot
    this.#bulkheads = bulkheads
    this.#home = home
  }

  get isAtNode(): boolean {
    return this.#home !== undefined
  }

  /** What has to be sent before statements on a merchant's node; undefined elsewhere. */
  opening(mayWrite: boolean): readonly Sql[] | undefined {
    return this.#home && openShards(this.#home.shards, mayWrite)
  }

  /** The statements as they are sent on this connection. */
  wordsOf(statements: readonly Sql[]): readonly Sql[] {
    const home = this.#home
    return home ? statements.map((one) => toShards(home.shards, home.merchantId, one)) : statements
  }

  /** The node won't do it, and has done nothing: the coordinator may. */
  isRefusedByNode(error: unknown): boolean {
    return this.#home?.node.isRefusal(error) ?? false
  }

  /** `broken`: it can't be used again. */
  end(broken: Error | undefined): void {
    if (broken) this.#home?.node.leaveAlone()
    this.client.release(broken)
    this.#bulkheads.leave(this.#slot)
  }
}
