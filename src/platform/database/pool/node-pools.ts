import type pg from 'pg'
import { sqlState } from '../connection-lost.ts'
import { hasMoved, type HomeShards } from '../spread/home-shards.ts'
import { nodeUrl } from '../spread/node-url.ts'
import type { FindPlace } from './bulkheads.ts'

// Connections straight to the nodes of a cluster. A merchant's node answers its statements without a second connection
// and a second parse, for about half of what the way through the coordinator costs: docs/decisions/0044.
//
// Nothing depends on them. Every node knows where all shards are, so one that a merchant has just left still gives the
// right answer. A node that we can't reach, or that refuses, is left alone for a while; then the coordinator asks it.

export type FindNode = {
  placeOf(merchantId: number): ReturnType<FindPlace>
  /** Undefined if we don't know it, or not since a moment ago. */
  homeOf(merchantId: number): HomeShards | undefined
  /** They are asked for again with the next statement. */
  forgetPlaces(): void
  /** Asks the coordinator anew which nodes there are. */
  refresh(): Promise<readonly string[]>
}

/** Where a merchant's statements may go. */
export type Home = { readonly node: NodePool; readonly shards: HomeShards; readonly merchantId: number }

type OpenPool = (url: string, waitMs: number) => pg.Pool

const connectWithinMs = 2_000
const leftAloneMs = 5_000

export class NodePools {
  readonly #url: string
  readonly #open: OpenPool
  readonly #find: FindNode
  readonly #byName = new Map<string, NodePool>()

  constructor(url: string, open: OpenPool, find: FindNode) {
    this.#url = url
    this.#open = open
    this.#find = find
  }

  /** Undefined while its node is not known to answer us. */
  homeOf(merchantId: number): Home | undefined {
    const shards = this.#find.homeOf(merchantId)
    if (shards === undefined) return undefined
    const name = shards.node
    const known = this.#byName.get(name)
    if (known?.isReady === true) return { node: known, shards, merchantId }
    const node =
      known ?? new NodePool(name, this.#open(nodeUrl(this.#url, name), connectWithinMs), this.#find)
    this.#byName.set(name, node)
    node.tryAgain()
    return undefined
  }

  get pools(): pg.Pool[] {
    return [...this.#byName.values()].map(({ pool }) => pool)
  }

  async close(): Promise<void> {
    await Promise.all(this.pools.map(async (pool) => pool.end()))
  }
}

/**
 * The node itself says that it knows where the rows are, and can write: a machine that was taken out of the cluster, or a
 * standby, does not.
 */
const isNode = `
  select exists (select from pg_dist_partition where logicalrelid = to_regclass('merchants'))
    and not pg_is_in_recovery() as is_node`

/**
 * A statement that a node can't run, as the tables or rights it needs are not there or only the coordinator may. PostgreSQL
 * has done nothing then.
 */
const refusals = new Set(['0A000', '42501', '42704', '42883', '42P01', '55000'])

export class NodePool {
  readonly pool: pg.Pool
  readonly #name: string
  readonly #find: FindNode
  #isReady = false
  #leftAloneUntilMs = 0

  constructor(name: string, pool: pg.Pool, find: FindNode) {
    this.#name = name
    this.pool = pool
    this.#find = find
  }

  get isReady(): boolean {
    return this.#isReady
  }

  /** Nobody waits for it. The coordinator is asked first: a standby may have taken the node's place, at another address. */
  tryAgain(): void {
    if (this.#leftAloneUntilMs > Date.now()) return
    this.#leftAloneUntilMs = Date.now() + leftAloneMs
    void this.#isThere()
      .then((isThere) => (this.#isReady = isThere))
      .catch(() => {})
  }

  async #isThere(): Promise<boolean> {
    if (!(await this.#find.refresh()).includes(this.#name)) return false
    const { rows } = await this.pool.query<{ is_node: boolean }>(isNode)
    return rows[0]?.is_node === true
  }

  /** Undefined if it can't be reached. */
  async connect(): Promise<pg.PoolClient | undefined> {
    try {
      return await this.pool.connect()
    } catch {
      this.leaveAlone()
      return undefined
    }
  }

  /** It has done nothing of what was asked, and the coordinator may. */
  isRefusal(reason: unknown): boolean {
    if (hasMoved(reason)) {
      this.#find.forgetPlaces()
      return true
    }
    const isRefused = refusals.has(sqlState(reason) ?? '')
    if (isRefused) this.leaveAlone()
    return isRefused
  }

  leaveAlone(): void {
    this.#isReady = false
    this.#leftAloneUntilMs = Date.now() + leftAloneMs
  }
}
