import { DatabaseUnavailable, ShareTaken } from '../../errors/database-unavailable.ts'

// Keeps one merchant from taking every connection. Statements may have to wait in the database: for locked rows, for a
// shard that moves to another node, for a node that hangs. Without limits they fill the pool, and then every merchant's
// calls fail: while shards moved, a quarter to a third of all did.
//
// Each merchant, each shard and each node of a cluster may hold a multiple of what is still free. So nobody is limited
// while there is room, and something is always left for the others: of 20 connections a merchant whose statements wait
// holds 14 at most, two such merchants 8 each. What goes beyond waits in a queue of its own merchant.

/** The larger the group, the larger its share: a stuck merchant leaves room for its shard, and a stuck shard for its node. */
const timesFree = { merchant: 2, shard: 3, node: 4 } as const

type Kind = keyof typeof timesFree

/** Where a merchant's rows are; undefined on a plain PostgreSQL. */
export type FindPlace = (merchantId: number) => { readonly shard: string; readonly node: string } | undefined

/** What holds connections. Forgotten when it holds none. */
type Share = { readonly kind: Kind; readonly key: number | string; held: number }

/** One connection's part of the pool. Give it back with `leave`. */
export type Slot = readonly Share[]

type Waiting = {
  readonly resolve: (slot: Slot) => void
  readonly timer: NodeJS.Timeout
}

export class Bulkheads {
  readonly #waitMs: number
  readonly #findPlace: FindPlace
  readonly #shares: Record<Kind, Map<number | string, Share>> = {
    merchant: new Map(),
    shard: new Map(),
    node: new Map(),
  }
  /** By merchant, in the order of their turns; undefined: statements of no merchant. */
  readonly #queues = new Map<number | undefined, Set<Waiting>>()
  #free: number

  constructor(size: number, waitMs: number, findPlace: FindPlace) {
    this.#free = size
    this.#waitMs = waitMs
    this.#findPlace = findPlace
  }

  /** Undefined when the caller has to wait: see `wait`. Two calls, so that nobody waits for a promise without need. */
  enter(merchantId: number | undefined): Slot | undefined {
    return this.#queues.has(merchantId) ? undefined : this.#take(merchantId)
  }

  async wait(merchantId: number | undefined): Promise<Slot> {
    return new Promise((resolve, reject) => {
      const queue = this.#queues.get(merchantId) ?? new Set()
      this.#queues.set(merchantId, queue)
      const giveUp = (): void => {
        queue.delete(waiting)
        if (queue.size === 0) this.#queues.delete(merchantId)
        const cause = this.#free > 0 ? new ShareTaken() : new Error('timeout exceeded when trying to connect')
        reject(new DatabaseUnavailable(false, { cause }))
      }
      const waiting = { resolve, timer: setTimeout(giveUp, this.#waitMs) }
      queue.add(waiting)
    })
  }

  leave(slot: Slot): void {
    this.#free += 1
    for (const share of slot) {
      share.held -= 1
      if (share.held === 0) this.#shares[share.kind].delete(share.key)
    }
    if (this.#queues.size > 0) this.#serve()
  }

  /** Callers in all queues. */
  get waiting(): number {
    let count = 0
    for (const queue of this.#queues.values()) count += queue.size
    return count
  }

  /** One caller of each merchant in turn. */
  #serve(): void {
    for (const [merchantId, queue] of this.#queues) {
      if (this.#free === 0) return
      const [first] = queue
      const slot = first && this.#take(merchantId)
      if (!slot) continue
      clearTimeout(first.timer)
      queue.delete(first)
      this.#queues.delete(merchantId)
      // At the end of the turns, where this loop meets it again.
      if (queue.size > 0) this.#queues.set(merchantId, queue)
      first.resolve(slot)
    }
  }

  #take(merchantId: number | undefined): Slot | undefined {
    if (this.#free === 0) return undefined
    const slot = merchantId === undefined ? [] : this.#sharesOf(merchantId)
    for (const { kind, held } of slot) if (held >= timesFree[kind] * this.#free) return undefined
    this.#free -= 1
    for (const share of slot) {
      share.held += 1
      this.#shares[share.kind].set(share.key, share)
    }
    return slot
  }

  #sharesOf(merchantId: number): Share[] {
    const place = this.#findPlace(merchantId)
    const own = this.#share('merchant', merchantId)
    return place ? [own, this.#share('shard', place.shard), this.#share('node', place.node)] : [own]
  }

  #share(kind: Kind, key: number | string): Share {
    return this.#shares[kind].get(key) ?? { kind, key, held: 0 }
  }
}
