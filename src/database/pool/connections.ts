import pg from 'pg'
import { asUnavailable } from '../connection-lost.ts'
import { Connection, types } from '../statement.ts'
import { Bulkheads, type FindPlace, type Slot } from './bulkheads.ts'
import { poolConfig, timeoutOf, type DatabaseOptions } from './pool-config.ts'
import { prepareToSend } from './send.ts'

// The connections of one process to PostgreSQL, for database.ts alone.

export class Connections {
  readonly #pool: pg.Pool
  readonly #bulkheads: Bulkheads
  readonly #observe: DatabaseOptions['observe']

  constructor(url: string, options: DatabaseOptions, findPlace: FindPlace) {
    const timeout = timeoutOf(options)
    const config = { ...poolConfig(url, options), types }
    this.#pool = new pg.Pool(config)
    this.#bulkheads = new Bulkheads(config.max, config.connectionTimeoutMillis, findPlace)
    this.#observe = options.observe
    // An idle connection that breaks (PostgreSQL restarted) is dropped by the pool; without a listener the
    // process would end.
    this.#pool.on('error', (error) => options.onConnectionError?.(error))
    // The same for a connection that breaks in the middle of a transaction; there the next statement fails.
    this.#pool.on('connect', (client) => {
      client.on('error', () => {})
      // The server's own timeout answers first; this one is for a connection whose other end went silent.
      const connection = new Connection(client, types, timeout + 1_000, options.pooled !== true)
      prepareToSend(client, connection, options.observe?.statement)
    })
  }

  /** For statements of this merchant, or of none. */
  async take(merchantId: number | undefined): Promise<Lease> {
    const began = this.#observe && this.#pool.idleCount === 0 ? performance.now() : undefined
    try {
      const slot = this.#bulkheads.enter(merchantId) ?? (await this.#bulkheads.wait(merchantId))
      return await this.#lease(slot)
    } finally {
      if (began !== undefined) this.#observe?.waited((performance.now() - began) / 1000)
    }
  }

  async #lease(slot: Slot): Promise<Lease> {
    try {
      return new Lease(await this.#pool.connect(), slot, this.#bulkheads)
    } catch (error) {
      this.#bulkheads.leave(slot)
      throw asUnavailable(error, false)
    }
  }

  load(): { busy: number; idle: number; waiting: number } {
    const { totalCount, idleCount, waitingCount } = this.#pool
    return { busy: totalCount - idleCount, idle: idleCount, waiting: waitingCount + this.#bulkheads.waiting }
  }

  async close(): Promise<void> {
    await this.#pool.end()
  }
}

/** A connection until `end`. */
export class Lease {
  readonly client: pg.PoolClient
  readonly #slot: Slot
  readonly #bulkheads: Bulkheads

  constructor(client: pg.PoolClient, slot: Slot, bulkheads: Bulkheads) {
    this.client = client
    this.#slot = slot
    this.#bulkheads = bulkheads
  }

  /** `broken`: it can't be used again. */
  end(broken: Error | undefined): void {
    this.client.release(broken)
    this.#bulkheads.leave(this.#slot)
  }
}
