import { inSharedTransaction, isAway, sqlState, type Database, type Transaction } from './database.ts'

// Concurrent callers of one merchant share one statement and one commit. When nothing is in flight, a caller is sent at once;
// callers that arrive meanwhile form the next batch. So nobody waits on a quiet server, and a busy one pays one round trip
// and one flush to disk for many callers.
//
// Two merchants never share a statement. But fifty merchants with one caller each would have nothing to share, so the
// statements of several merchants may go out in one write and end in one commit: a group. If a group fails, each of its
// merchants is sent alone, so one merchant's failures never affect another.
//
// One bad row must not fail the rest of its batch: a batch that fails with a data error is halved, and each half runs by
// itself, until the bad row is alone. Among 128 rows that costs 14 more statements, not 128.

export type MerchantBatch<Item, Result> = (merchantId: number, item: Item) => Promise<Result>

export type MerchantBatchOptions<Item, Result> = {
  readonly maxSize: number
  /**
   * Batches of one merchant under way at once. While some are, another is sent only when it has as many items as all of
   * those together: many small batches cost the database more than a few large ones. If a batch is stuck, for example on a
   * lock, the others go on past it.
   */
  readonly maxInFlight: number
  /** Batches of all merchants under way at once: waiting here is cheaper than waiting for a connection. */
  readonly maxInAll?: number
  /** Results in the order of the items. In a group all statements must go to `tx`. */
  readonly run: (
    merchantId: number,
    items: readonly Item[],
    tx: Transaction | undefined,
  ) => Promise<readonly Result[]>
  /**
   * True when the error is about the data of some item, so that trying the others without it can help; when left out, what
   * the database refused is.
   */
  readonly isDataError?: (error: unknown) => boolean
  /** Where merchants share commits. Without it, and for items that must not share one, each merchant is sent alone. */
  readonly groupOn?: Database
  readonly mayJoin?: (item: Item) => boolean
}

const maxInAllUsually = 4
/** A batch that takes longer, usually a few milliseconds, no longer counts among those of all merchants. */
export const stuckMs = 250
/** A merchant with more callers than this gains nothing from sharing a commit with others. */
const fewCallers = 16
const maxMerchantsPerCommit = 100
const groupsMax = 2

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
  itemsInFlight: number
  /** The group that some of them are in, or were in last. */
  group?: symbol
}

/** One merchant's callers in one batch. */
type Batch<Item, Result> = {
  readonly own: Callers<Item, Result>
  readonly members: readonly Waiting<Item, Result>[]
}

export function makeMerchantBatch<Item, Result>(
  options: MerchantBatchOptions<Item, Result>,
): MerchantBatch<Item, Result> {
  const queue = new BatchQueue(options)
  return async (merchantId, item) =>
    new Promise<Result>((resolve, reject) => queue.enter(merchantId, { item, resolve, reject }))
}

/** Queues callers and sends them in batches. */
class BatchQueue<Item, Result> {
  readonly #options: MerchantBatchOptions<Item, Result>
  /** In the order of their turns: a merchant that had one goes to the end. Only merchants with callers waiting or in flight. */
  readonly #merchants = new Map<number, Callers<Item, Result>>()
  /** The batches in flight, with their number of callers. */
  readonly #alone = new Map<symbol, number>()
  readonly #groups = new Map<symbol, number>()
  #isScheduled = false
  #watch: NodeJS.Timeout | undefined

  constructor(options: MerchantBatchOptions<Item, Result>) {
    this.#options = options
  }

  enter(merchantId: number, caller: Waiting<Item, Result>): void {
    const own = this.#merchants.get(merchantId) ?? { merchantId, waiting: [], inFlight: 0, itemsInFlight: 0 }
    if (own.inFlight === 0 && own.waiting.length === 0) this.#merchants.set(merchantId, own)
    own.waiting.push(caller)
    if (this.#isScheduled) return
    this.#isScheduled = true
    // Once Node has read the requests that have finished by now, so that they share a batch; a timer would add a delay.
    setImmediate(() => {
      this.#isScheduled = false
      this.#send()
    })
  }

  #send(): void {
    const { maxInAll = maxInAllUsually } = this.#options
    const joining: Callers<Item, Result>[] = []
    for (const own of this.#merchants.values()) {
      if (!this.#maySend(own)) continue
      if (this.#joins(own)) joining.push(own)
      else if (this.#alone.size < maxInAll) this.#sendAlone(own)
      else this.#watchForStuck()
    }
    for (let from = 0; from < joining.length; from += maxMerchantsPerCommit) {
      this.#sendTogether(joining.slice(from, from + maxMerchantsPerCommit))
    }
  }

  /** A merchant with callers in a group waits for the next group, which costs no more, unless that group is stuck. */
  #maySend({ waiting, inFlight, itemsInFlight, group }: Callers<Item, Result>): boolean {
    if (waiting.length === 0 || inFlight >= this.#options.maxInFlight) return false
    if (group !== undefined && this.#groups.has(group)) {
      this.#watchForStuck()
      return false
    }
    return waiting.length >= Math.min(itemsInFlight, this.#options.maxSize)
  }

  /** A merchant with a batch in flight is sent alone: that batch may be stuck, and would hold up the group. */
  #joins({ waiting, inFlight }: Callers<Item, Result>): boolean {
    const { groupOn, mayJoin = () => true } = this.#options
    if (!groupOn?.sharesCommits || inFlight > 0 || waiting.length > fewCallers) return false
    return waiting.every(({ item }) => mayJoin(item))
  }

  #sendAlone(own: Callers<Item, Result>): void {
    const place = Symbol('alone')
    const batch = this.#take(own)
    this.#alone.set(place, batch.members.length)
    void sendAll(this.#options, batch).finally(() => {
      this.#alone.delete(place)
      this.#finish(batch)
      this.#send()
    })
  }

  /** As with one merchant's batches, a second group is sent once it is as large as those in flight. */
  #sendTogether(merchants: readonly Callers<Item, Result>[]): void {
    const size = sum(merchants.map(({ waiting }) => waiting.length))
    const isSmall = size < Math.min(sum([...this.#groups.values()]), maxMerchantsPerCommit)
    if (isSmall || this.#groups.size >= groupsMax) return this.#watchForStuck()
    const place = Symbol('group')
    this.#groups.set(place, size)
    const batches = merchants.map((own) => this.#take(own))
    for (const own of merchants) own.group = place
    void sendGroup(this.#options, batches, (batch) => this.#finish(batch)).finally(() => {
      this.#groups.delete(place)
      this.#send()
    })
  }

  #take(own: Callers<Item, Result>): Batch<Item, Result> {
    const members = own.waiting.splice(0, this.#options.maxSize)
    own.inFlight += 1
    own.itemsInFlight += members.length
    this.#merchants.delete(own.merchantId)
    this.#merchants.set(own.merchantId, own)
    return { own, members }
  }

  #finish({ own, members }: Batch<Item, Result>): void {
    own.inFlight -= 1
    own.itemsInFlight -= members.length
    if (own.inFlight === 0 && own.waiting.length === 0) this.#merchants.delete(own.merchantId)
  }

  /** A merchant whose rows are locked, or whose cluster node hangs, must not take up everybody's slots. */
  #watchForStuck(): void {
    if (this.#watch !== undefined) return
    const now = [...this.#alone.keys(), ...this.#groups.keys()]
    this.#watch = setTimeout(() => {
      this.#watch = undefined
      for (const place of now) {
        this.#alone.delete(place)
        this.#groups.delete(place)
      }
      this.#send()
    }, stuckMs).unref()
  }
}

/** Ends when the group does; merchants that have to be sent alone are not waited for. */
async function sendGroup<Item, Result>(
  options: MerchantBatchOptions<Item, Result>,
  batches: readonly Batch<Item, Result>[],
  finished: (batch: Batch<Item, Result>) => void,
): Promise<void> {
  const { groupOn } = options
  if (!groupOn || batches.length === 1) return sendEach(options, batches, finished)
  // In one order, so that two groups with merchants in common never wait for each other.
  const inOrder = batches.toSorted((one, other) => one.own.merchantId - other.own.merchantId)
  try {
    const works = inOrder.map(
      (batch) => async (tx: Transaction) => runOf(options, batch.own, batch.members, tx),
    )
    const results = await inSharedTransaction(groupOn, works)
    for (const [index, batch] of inOrder.entries()) {
      resolveAll(batch.members, results[index] ?? [])
      finished(batch)
    }
  } catch (error) {
    if (isAway(error)) {
      for (const batch of inOrder) {
        rejectAll(batch.members, error)
        finished(batch)
      }
    } else void sendEach(options, inOrder, finished)
  }
}

async function sendEach<Item, Result>(
  options: MerchantBatchOptions<Item, Result>,
  batches: readonly Batch<Item, Result>[],
  finished: (batch: Batch<Item, Result>) => void,
): Promise<void> {
  const left = [...batches]
  const takeTurns = async (): Promise<void> => {
    for (let batch = left.shift(); batch; batch = left.shift()) {
      await sendAll(options, batch)
      finished(batch)
    }
  }
  await Promise.all(Array.from({ length: Math.min(maxInAllUsually, batches.length) }, takeTurns))
}

async function sendAll<Item, Result>(
  options: MerchantBatchOptions<Item, Result>,
  { own, members }: Batch<Item, Result>,
): Promise<void> {
  const { isDataError = wasRefused } = options
  const groups = [members]
  for (let group = groups.shift(); group; group = groups.shift()) {
    try {
      resolveAll(group, await runOf(options, own, group, undefined))
    } catch (error) {
      if (!isDataError(error)) return rejectAll([group, ...groups].flat(), error)
      if (group.length === 1) rejectAll(group, error)
      else groups.unshift(...halves(group))
    }
  }
}

function wasRefused(error: unknown): boolean {
  return sqlState(error) !== undefined
}

async function runOf<Item, Result>(
  { run, groupOn }: MerchantBatchOptions<Item, Result>,
  { merchantId }: Callers<Item, Result>,
  members: readonly Waiting<Item, Result>[],
  tx: Transaction | undefined,
): Promise<readonly Result[]> {
  const items = members.map(({ item }) => item)
  groupOn?.observe?.batch(items.length)
  const results = await run(merchantId, items, tx)
  if (results.length !== members.length) throw new Error('A batch gave too few or too many results')
  return results
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0)
}

function halves<Member>(group: readonly Member[]): [readonly Member[], readonly Member[]] {
  const middle = Math.ceil(group.length / 2)
  return [group.slice(0, middle), group.slice(middle)]
}

function resolveAll<Item, Result>(
  members: readonly Waiting<Item, Result>[],
  results: readonly Result[],
): void {
  for (const [index, { resolve }] of members.entries()) resolve(results[index] as Result)
}

function rejectAll(members: readonly { reject: (error: unknown) => void }[], error: unknown): void {
  for (const member of members) member.reject(error)
}
