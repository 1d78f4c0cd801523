// Many callers of one merchant share one statement and one commit. A caller is sent at once when nothing of its merchant is
// under way; those who arrive meanwhile are collected and sent together as the next batch. So nobody waits on a quiet
// server, and a busy one pays one round trip and one flush to disk for many. No statement is shared by two merchants: what
// fails or hangs for one is nobody else's.
//
// One bad row must not fail the others of its batch: when a batch fails with an error of the data, it is halved, and the
// halves run by themselves, until the bad row is alone. Among 128 rows that costs 14 more statements, not 128.

export type Batch<Item, Result> = (item: Item) => Promise<Result>
export type MerchantBatch<Item, Result> = (merchantId: number, item: Item) => Promise<Result>

type Limits = {
  readonly maxSize: number
  /**
   * Batches of one merchant under way at once. While some are, another is sent only when it has as many items as all of
   * those together: many small batches cost the database more than a few large ones. If a batch is stuck, for example on a
   * lock, the others go on past it.
   */
  readonly maxInFlight: number
  /** True when the error is about the data of some item, so that trying the others without it can help. */
  readonly isAboutData: (error: unknown) => boolean
}

export type BatchOptions<Item, Result> = Limits & {
  /** Results in the order of the items. */
  readonly run: (items: readonly Item[]) => Promise<readonly Result[]>
}

export type MerchantBatchOptions<Item, Result> = Limits & {
  /** Batches of all merchants under way at once: waiting here is cheaper than waiting for a connection. */
  readonly maxInAll?: number
  /** Results in the order of the items. */
  readonly run: (merchantId: number, items: readonly Item[]) => Promise<readonly Result[]>
}

const maxInAllUsually = 4
/** A batch that takes longer, usually a few milliseconds, no longer counts among those of all merchants. */
export const stuckMs = 250

type Waiting<Item, Result> = {
  readonly item: Item
  readonly resolve: (result: Result) => void
  readonly reject: (error: unknown) => void
}

/** The callers of one merchant. */
type Callers<Item, Result> = {
  readonly merchantId: number
  readonly waiting: Waiting<Item, Result>[]
  inFlight: number
  travelling: number
}

export function makeMerchantBatch<Item, Result>(
  options: MerchantBatchOptions<Item, Result>,
): MerchantBatch<Item, Result> {
  const { maxSize, maxInFlight, maxInAll = maxInAllUsually } = options
  type Own = Callers<Item, Result>
  /** In the order of their turns: whoever had one goes to the end. A merchant is here while anybody waits or travels. */
  const merchants = new Map<number, Own>()
  const counted = new Set<symbol>()
  let scheduled = false
  let watch: NodeJS.Timeout | undefined

  function mayLeave({ waiting, inFlight, travelling }: Own): boolean {
    if (waiting.length === 0 || inFlight >= maxInFlight) return false
    return waiting.length >= Math.min(travelling, maxSize)
  }

  function pump(): void {
    scheduled = false
    // Few are passed over: only those with a batch under way, and these are counted.
    for (const own of merchants.values()) {
      if (counted.size >= maxInAll) return watchForStuck()
      if (mayLeave(own)) leave(own)
    }
  }

  function leave(own: Own): void {
    const members = own.waiting.splice(0, maxSize)
    const place = Symbol('place')
    counted.add(place)
    own.inFlight += 1
    own.travelling += members.length
    merchants.delete(own.merchantId)
    merchants.set(own.merchantId, own)
    void sendAll(options, own.merchantId, members).finally(() => {
      counted.delete(place)
      own.inFlight -= 1
      own.travelling -= members.length
      if (own.inFlight === 0 && own.waiting.length === 0) merchants.delete(own.merchantId)
      pump()
    })
  }

  /** A merchant whose rows are locked, or whose node of a cluster hangs, must not keep the places of all others. */
  function watchForStuck(): void {
    if (watch !== undefined) return
    const now = [...counted]
    watch = setTimeout(() => {
      watch = undefined
      for (const place of now) counted.delete(place)
      pump()
    }, stuckMs).unref()
  }

  return async (merchantId, item) =>
    new Promise<Result>((resolve, reject) => {
      const own = merchants.get(merchantId) ?? { merchantId, waiting: [], inFlight: 0, travelling: 0 }
      if (own.inFlight === 0 && own.waiting.length === 0) merchants.set(merchantId, own)
      own.waiting.push({ item, resolve, reject })
      if (scheduled) return
      scheduled = true
      // Once Node has read the requests that have arrived by now, so that they share a batch; a timer would add a delay.
      setImmediate(pump)
    })
}

/** For what belongs to no merchant. */
export function makeBatch<Item, Result>(options: BatchOptions<Item, Result>): Batch<Item, Result> {
  const { run, maxInFlight } = options
  const batch = makeMerchantBatch<Item, Result>({
    ...options,
    maxInAll: maxInFlight,
    run: async (_, items) => run(items),
  })
  return async (item) => batch(0, item)
}

async function sendAll<Item, Result>(
  { run, isAboutData }: MerchantBatchOptions<Item, Result>,
  merchantId: number,
  members: readonly Waiting<Item, Result>[],
): Promise<void> {
  const groups = [members]
  for (let group = groups.shift(); group; group = groups.shift()) {
    try {
      const results = await run(
        merchantId,
        group.map((member) => member.item),
      )
      if (results.length !== group.length) throw new Error('A batch gave too few or too many results')
      for (const [index, member] of group.entries()) member.resolve(results[index] as Result)
    } catch (error) {
      if (!isAboutData(error)) return rejectAll([group, ...groups].flat(), error)
      if (group.length === 1) rejectAll(group, error)
      else groups.unshift(...halves(group))
    }
  }
}

function halves<Member>(group: readonly Member[]): [readonly Member[], readonly Member[]] {
  const middle = Math.ceil(group.length / 2)
  return [group.slice(0, middle), group.slice(middle)]
}

function rejectAll(members: readonly { reject: (error: unknown) => void }[], error: unknown): void {
  for (const member of members) member.reject(error)
}
