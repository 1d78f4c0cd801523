// Many callers share one statement and one commit. A caller is sent at once when nothing is under way; those who arrive
// meanwhile are collected and sent together as the next batch. So nobody waits on a quiet server, and a busy one pays one
// round trip and one flush to disk for many.
//
// One bad row must not fail the others of its batch: when a batch fails with an error of the data, it is halved, and the
// halves run by themselves, until the bad row is alone. Among 128 rows that costs 14 more statements, not 128.

export type Batch<Item, Result> = (item: Item) => Promise<Result>

export type BatchOptions<Item, Result> = {
  readonly maxSize: number
  /**
   * Batches under way at once. While some are, another is sent only when it has as many items as all of those together:
   * many small batches cost the database more than a few large ones. If a batch is stuck, for example on a lock, the
   * others go on past it.
   */
  readonly maxInFlight: number
  /** Results in the order of the items. */
  readonly run: (items: readonly Item[]) => Promise<readonly Result[]>
  /** True when the error is about the data of some item, so that trying the others without it can help. */
  readonly isAboutData: (error: unknown) => boolean
}

type Waiting<Item, Result> = {
  readonly item: Item
  readonly resolve: (result: Result) => void
  readonly reject: (error: unknown) => void
}

export function makeBatch<Item, Result>(options: BatchOptions<Item, Result>): Batch<Item, Result> {
  type Members = readonly Waiting<Item, Result>[]
  let queue: Waiting<Item, Result>[] = []
  let inFlight = 0
  let travelling = 0
  let scheduled = false

  function mayLeave(): boolean {
    if (queue.length === 0 || inFlight >= options.maxInFlight) return false
    return queue.length >= Math.min(travelling, options.maxSize)
  }

  function pump(): void {
    scheduled = false
    while (mayLeave()) {
      const members = queue.splice(0, options.maxSize)
      inFlight += 1
      travelling += members.length
      void send(members).finally(() => {
        inFlight -= 1
        travelling -= members.length
        pump()
      })
    }
  }

  async function send(members: Members): Promise<void> {
    const groups = [members]
    for (let group = groups.shift(); group; group = groups.shift()) {
      try {
        const results = await options.run(group.map((member) => member.item))
        if (results.length !== group.length) throw new Error('A batch gave too few or too many results')
        for (const [index, member] of group.entries()) member.resolve(results[index] as Result)
      } catch (error) {
        if (!options.isAboutData(error)) return rejectAll([group, ...groups].flat(), error)
        if (group.length === 1) rejectAll(group, error)
        else groups.unshift(...halves(group))
      }
    }
  }

  return async (item) =>
    new Promise<Result>((resolve, reject) => {
      queue.push({ item, resolve, reject })
      if (scheduled) return
      scheduled = true
      // Once Node has read the requests that have arrived by now, so that they share a batch; a timer would add a delay.
      setImmediate(pump)
    })
}

export type MerchantBatch<Item, Result> = (merchantId: number, item: Item) => Promise<Result>

type MerchantBatchOptions<Item, Result> = Omit<BatchOptions<Item, Result>, 'run'> & {
  readonly run: (merchantId: number, items: readonly Item[]) => Promise<readonly Result[]>
}

/** A batch for each merchant, as a statement names one merchant. It is there for as long as somebody travels with it. */
export function makeMerchantBatch<Item, Result>(
  options: MerchantBatchOptions<Item, Result>,
): MerchantBatch<Item, Result> {
  const batches = new Map<number, { readonly batch: Batch<Item, Result>; travellers: number }>()
  return async (merchantId, item) => {
    const known = batches.get(merchantId)
    const run = async (items: readonly Item[]): Promise<readonly Result[]> => options.run(merchantId, items)
    const own = known ?? { batch: makeBatch({ ...options, run }), travellers: 0 }
    if (!known) batches.set(merchantId, own)
    own.travellers += 1
    try {
      return await own.batch(item)
    } finally {
      own.travellers -= 1
      if (own.travellers === 0) batches.delete(merchantId)
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
