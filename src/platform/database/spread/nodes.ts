import { isDeepStrictEqual } from 'node:util'
import pg from 'pg'
import { DatabaseUnavailable } from '../../errors/database-unavailable.ts'
import { planEachTime, sql, type Sql } from '../sql.ts'
import { firstTable } from './placement.ts'
import { ourOptions, splitOptions } from '../pool/pool-config.ts'
import { types } from '../statement.ts'
import type { HomeShards } from './home-shards.ts'
import { findRange, readRanges, readShardNames, type HashRange, type ShardName } from './merchant-places.ts'
import { nodeUrl } from './node-url.ts'
import { nameShards, readNodes, type AskCoordinator, type NodeShards } from './shards.ts'

// Searches over all merchants of a cluster. Through the coordinator such a statement fails while any node is down, and
// would stop every merchant's work. So each node is asked directly, on its own connection, about the rows it holds: a
// node that is down affects only its own merchants.

const answerLimitMs = 2_000
/** A node that did not answer is left alone for so long: asking it costs every look the time that it does not answer. */
const leftAloneMs = 15_000
/** Where shards are is asked again after so long; a merchant that has moved meanwhile is found in its new place then. */
const mapAgeMaxMs = 5_000
/** An old answer does no harm, but the way to a node that merchants have left costs more. */
const rangesAgeMaxMs = 10_000
/** Then it may have been taken out of the cluster. */
const rangesTooOldMs = 30_000

export type NodeAnswer = {
  readonly node: NodeShards
  readonly rows: readonly Record<string, unknown>[] | Error
}

export type Missed = {
  /** As host:port. */
  readonly nodes: readonly string[]
  /** Shards that can't be read, of all. Merchants have random numbers, so about as large a part of them. */
  readonly shards: number
  readonly of: number
}

export class Nodes {
  readonly #url: string
  readonly #ask: AskCoordinator
  readonly #tell: (error: Error) => void
  readonly #pools = new Map<string, pg.Pool>()
  readonly #leftAloneUntil = new Map<string, number>()
  #isPlain: boolean | undefined
  #missed: Missed | undefined
  #missedUntilMs = 0
  #map: { readonly nodes: readonly NodeShards[]; readonly untilMs: number } | undefined

  #ranges: readonly Range[] = []
  #rangesAskedMs = 0
  #rangesReadMs = 0

  constructor(url: string, ask: AskCoordinator, tell: (error: Error) => void) {
    this.#url = url
    this.#ask = ask
    this.#tell = tell
  }

  /** Undefined until the database has said it. */
  get isPlain(): boolean | undefined {
    if (this.#isPlain === undefined) void this.askWhetherPlain().catch(() => {})
    return this.#isPlain
  }

  /** Makes no query. */
  get isKnownPlain(): boolean {
    return this.#isPlain === true
  }

  /** Makes no query. */
  get isKnownSpread(): boolean {
    return this.#isPlain === false
  }

  async askWhetherPlain(): Promise<boolean> {
    if (this.#isPlain !== undefined) return this.#isPlain
    const rows = await this.#ask<{ plain: boolean }>([
      sql`select to_regclass('pg_dist_partition') is null as plain`,
    ])
    this.#isPlain = rows[0]?.[0]?.plain === true || (await this.#read()).length === 0
    return this.#isPlain
  }

  /** Where a merchant's rows are, as far as we know by now; undefined on a plain PostgreSQL. */
  placeOf(merchantId: number): Range | undefined {
    if (this.#isPlain !== false) return undefined
    if (Date.now() - this.#rangesAskedMs > rangesAgeMaxMs) void this.refresh().catch(() => {})
    return findRange(this.#ranges, merchantId)
  }

  /** The merchant's shards, if we know them well enough and their node answers by itself. */
  homeOf(merchantId: number): HomeShards | undefined {
    const range = this.placeOf(merchantId)
    const isFresh = Date.now() - this.#rangesReadMs < rangesTooOldMs
    return isFresh && range?.answers === true ? range : undefined
  }

  forgetPlaces(): void {
    this.#rangesAskedMs = 0
  }

  /** Where merchants are, asked anew. The nodes that can answer by themselves. */
  async refresh(): Promise<readonly string[]> {
    this.#rangesAskedMs = Date.now()
    const [ranges = []] = await this.#ask<HashRange>([readRanges])
    if (!isDeepStrictEqual(ranges, this.#ranges.map(withoutShards))) await this.#readShards()
    this.#rangesReadMs = Date.now()
    return this.#ranges.filter(({ answers }) => answers).map(({ node }) => node)
  }

  async #readShards(): Promise<void> {
    // In one snapshot: shards with these names are on these nodes.
    const [, ranges, names] = (await this.#ask([oneSnapshot, readRanges, readShardNames])) as unknown as [
      unknown,
      HashRange[],
      ShardName[],
    ]
    const byRange = Map.groupBy(names, ({ min }) => min)
    this.#ranges = ranges.map((range) => {
      const shards = byRange.get(range.min) ?? []
      return { ...range, names: new Map(shards.map(({ table, name }) => [table, name])), texts: new Map() }
    })
  }

  /** The rows of all nodes that answer, in turns: the first of each node, the second of each, and so on. */
  async look<R extends object>(statement: Sql): Promise<R[]> {
    const nodes = await this.#read()
    const asked = nodes.filter((node) => !this.#isLeftAlone(node))
    const answers = await Promise.allSettled(
      asked.map(async (node) => this.#askNode<R>(node, nameShards(statement, node))),
    )
    const failed = answers.flatMap((answer) =>
      answer.status === 'rejected' ? [answer.reason as unknown] : [],
    )
    // It may be away, or only out of our own reach: then the coordinator reaches all of them.
    const all = failed.length === 0 ? undefined : await this.#askThrough<R>(statement)
    if (all) return all
    const away = nodes.filter((node) => this.#isLeftAlone(node) || !asked.includes(node))
    if (away.length > 0) this.#note(nodes, away)
    const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []))
    if (found.length === 0) {
      const cause = failed[0] ?? new Error('No cluster node answers')
      throw new DatabaseUnavailable(false, { cause })
    }
    return inTurns(found)
  }

  /** Each node with what it answered, or why it did not. */
  async askEach(statement: Sql): Promise<NodeAnswer[]> {
    return Promise.all(
      (await this.#read()).map(async (node) => {
        const answer = this.#isLeftAlone(node)
          ? new Error(`Node ${node.name} did not answer a moment ago`)
          : this.#askNode<Record<string, unknown>>(node, statement).catch((error: unknown) => error as Error)
        return { node, rows: await answer }
      }),
    )
  }

  /** What looks have missed in the last seconds, as nodes did not answer; undefined if nothing. */
  get missed(): Missed | undefined {
    return this.#missedUntilMs > Date.now() ? this.#missed : undefined
  }

  #note(nodes: readonly NodeShards[], away: readonly NodeShards[]): void {
    const names = away.map(({ name }) => name)
    this.#missed = { nodes: names, shards: countShards(away), of: countShards(nodes) }
    this.#missedUntilMs = Date.now() + leftAloneMs
  }

  async close(): Promise<void> {
    await Promise.all([...this.#pools.values()].map(async (pool) => pool.end()))
  }

  #isLeftAlone({ name }: NodeShards): boolean {
    return (this.#leftAloneUntil.get(name) ?? 0) > Date.now()
  }

  async #askThrough<R extends object>(statement: Sql): Promise<R[] | undefined> {
    const limit = sql`select set_config('statement_timeout', ${String(answerLimitMs)}, true)`
    try {
      return (await this.#ask<R>([limit, planEachTime(statement)]))[1]
    } catch {
      return undefined
    }
  }

  async #askNode<R extends object>({ name }: NodeShards, statement: Sql): Promise<R[]> {
    const pool = this.#pools.get(name) ?? this.#open(name)
    this.#pools.set(name, pool)
    try {
      const { text, values, name: plan } = statement
      const { rows } = await pool.query<R>({ text, values: [...values], ...(plan && { name: plan }) })
      this.#leftAloneUntil.delete(name)
      return rows
    } catch (error) {
      this.#map = undefined
      this.#leftAloneUntil.set(name, Date.now() + leftAloneMs)
      this.#tell(new Error(`Cluster node ${name} did not answer a look for work`, { cause: error }))
      throw error
    }
  }

  #open(name: string): pg.Pool {
    const { plainUrl, asked } = splitOptions(this.#url)
    const pool = new pg.Pool({
      connectionString: nodeUrl(plainUrl, name),
      max: 2,
      connectionTimeoutMillis: answerLimitMs,
      query_timeout: answerLimitMs,
      statement_timeout: answerLimitMs,
      application_name: 'florin look',
      options: `${asked} ${ourOptions}`.trim(),
      keepAlive: true,
      types,
    })
    pool.on('error', () => {})
    return pool
  }

  async #read(): Promise<readonly NodeShards[]> {
    if (this.#map && this.#map.untilMs > Date.now()) return this.#map.nodes
    const nodes = await readNodes(this.#ask)
    this.#map = { nodes, untilMs: Date.now() + mapAgeMaxMs }
    return nodes
  }
}

type Range = HashRange & HomeShards

function withoutShards({ shard, node, min, max, answers }: Range): HashRange {
  return { shard, node, min, max, answers }
}

const oneSnapshot = sql`set transaction isolation level repeatable read`

function countShards(nodes: readonly NodeShards[]): number {
  return nodes.reduce((sum, { shards }) => sum + (shards.get(firstTable)?.length ?? 0), 0)
}

function inTurns<R>(lists: readonly R[][]): R[] {
  const longest = Math.max(...lists.map((list) => list.length))
  return Array.from({ length: longest }, (_, place) =>
    lists.flatMap((list) => list.slice(place, place + 1)),
  ).flat()
}
