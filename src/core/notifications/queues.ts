import type { Mode } from '../merchants/mode.ts'

// Which queue may be claimed next. Deliveries of one merchant to one URL form a queue, and each queue, each merchant
// and the whole process have a limit of attempts in flight, so a hanging receiver fills only its own queue. A queue
// whose attempts were slow three times in a row gets few slots, and all slow queues together get a quarter: however
// many receivers are dead, three quarters stay free for those that answer. Some shops give each order its own URL, so
// after ten slow attempts in a row at one host, URLs never called before count as slow from the start.

export type Queue = { readonly merchantId: number; readonly mode: Mode; readonly origin: string }

/** All mail goes through one server. */
export const mailOrigin = 'mail'

export const limits = {
  tries: 1_000,
  triesPerMerchant: 150,
  triesPerQueue: 50,
  triesPerSlowQueue: 2,
  triesOfSlowQueues: 250,
  mails: 10,
  mailsPerMerchant: 5,
}

const slowMs = 5_000
const slowAfter = 3
const hostSlowAfter = 10
const troubledMax = 10_000

/** A queue to take work from, and how much of it. */
export type QueueRequest = Queue & { readonly room: number }

type Counts = { tries: number; mails: number; ofSlowQueues: number }

export type Queues = {
  /** There may be something due in this queue. */
  ask(queue: Queue): void
  /** Whether a merchant has a queue to ask now. */
  hasRoom(merchantId: number): boolean
  /** All such merchants, those that have waited for longest first. */
  ready(): number[]
  /**
   * The queues of a merchant to ask now, each with its room; the room counts as taken until `took` says what came of
   * it.
   */
  next(merchantId: number): QueueRequest[]
  took(asked: QueueRequest, count: number): void
  /** Takes room for one that is not due yet, unless others of its queue wait for theirs. */
  reserve(queue: Queue): boolean
  release(queue: Queue): void
  finished(queue: Queue, ms: number): void
  underWay(): number
}

/** `backlog`: it had more than it was asked for. */
type Waiting = { readonly queue: Queue; readonly backlog: boolean }

export function makeQueues(limit: typeof limits = limits): Queues {
  const waiting = new Map<number, Map<string, Waiting>>()
  const room = makeRoom(limit)

  function add(queue: Queue, backlog: boolean): void {
    const ofMerchant = waiting.get(queue.merchantId) ?? new Map<string, Waiting>()
    waiting.set(queue.merchantId, ofMerchant.set(queueName(queue), { queue, backlog }))
  }

  function isWaiting(queue: Queue): boolean {
    return waiting.get(queue.merchantId)?.has(queueName(queue)) ?? false
  }

  function hasRoom(merchantId: number): boolean {
    return (
      waiting
        .get(merchantId)
        ?.values()
        .some((one) => room.ofWaiting(one) > 0) ?? false
    )
  }

  return {
    ask(queue) {
      if (!isWaiting(queue)) add(queue, false)
    },
    hasRoom,
    ready: () => (room.isFull() ? [] : waiting.keys().filter(hasRoom).toArray()),
    next(merchantId) {
      const asked: QueueRequest[] = []
      const ofMerchant = waiting.get(merchantId) ?? new Map<string, Waiting>()
      for (const [name, one] of ofMerchant) {
        const free = room.ofWaiting(one)
        if (free <= 0) continue
        ofMerchant.delete(name)
        room.add(one.queue, free)
        asked.push({ ...one.queue, room: free })
      }
      if (asked.length === 0) return asked
      // The rest of this merchant's queues go to the end of the line.
      waiting.delete(merchantId)
      // No test: saves memory: no entry means no room needed
      if (ofMerchant.size > 0) waiting.set(merchantId, ofMerchant)
      return asked
    },
    took(asked, count) {
      room.add(asked, count - asked.room)
      // A queue that used all its slots may have left some deliveries behind.
      if (count === asked.room) add(plain(asked), true)
    },
    reserve(queue) {
      // The last 50 shared slots are for waiting queues: new deliveries must not take each one that becomes free.
      if (isWaiting(queue) || room.of(queue, limit.triesPerQueue) <= 0) return false
      room.add(queue, 1)
      return true
    },
    release(queue) {
      room.add(queue, -1)
    },
    finished(queue, ms) {
      room.noteTime(queue, ms)
      room.add(queue, -1)
    },
    underWay: room.underWay,
  }
}

/** Counts the tries under way against the limits. */
function makeRoom(limit: typeof limits) {
  const perQueue = new Map<string, number>()
  const perMerchant = new Map<string, number>()
  const slowness = makeSlowness(perQueue)
  const counts: Counts = { tries: 0, mails: 0, ofSlowQueues: 0 }

  const { isSlow } = slowness

  return {
    /** `left`: how many shared slots must stay free. */
    of(queue: Queue, left = 0): number {
      const name = queueName(queue)
      const inQueue = perQueue.get(name) ?? 0
      const ofMerchant = perMerchant.get(merchantName(queue)) ?? 0
      if (queue.origin === mailOrigin) {
        return Math.min(limit.mails - counts.mails, limit.mailsPerMerchant - ofMerchant)
      }
      const shared = Math.min(limit.tries - counts.tries, limit.triesPerMerchant - ofMerchant) - left
      return isSlow(name) || slowness.isSuspect(queue)
        ? Math.min(
            shared,
            limit.triesOfSlowQueues - counts.ofSlowQueues - left,
            limit.triesPerSlowQueue - inQueue,
          )
        : Math.min(shared, limit.triesPerQueue - inQueue)
    },
    /**
     * How many a queue may be asked for. One with a backlog is asked again when half of its room is free: taking one
     * delivery whenever one is done would cost a statement for each.
     */
    ofWaiting({ queue, backlog }: Waiting): number {
      const free = this.of(queue)
      return backlog && free < this.taken(queue) ? 0 : free
    },
    taken: (queue: Queue): number => perQueue.get(queueName(queue)) ?? 0,
    add(queue: Queue, count: number): void {
      const name = queueName(queue)
      slowness.begins(queue)
      bump(perQueue, name, count)
      bump(perMerchant, merchantName(queue), count)
      counts[queue.origin === mailOrigin ? 'mails' : 'tries'] += count
      if (queue.origin !== mailOrigin && isSlow(name)) counts.ofSlowQueues += count
    },
    noteTime(queue: Queue, ms: number): void {
      const name = queueName(queue)
      const before = isSlow(name)
      slowness.note(queue, ms)
      if (queue.origin === mailOrigin || before === isSlow(name)) return
      counts.ofSlowQueues += (before ? -1 : 1) * (perQueue.get(name) ?? 0)
    },
    underWay: (): number => counts.tries + counts.mails,
    // No test: saves a search: nothing is left to give
    isFull: (): boolean => counts.tries >= limit.tries && counts.mails >= limit.mails,
  }
}

/** Which queues answer slowly. `perQueue`: the tries under way. */
function makeSlowness(perQueue: ReadonlyMap<string, number>) {
  /** How many tries in a row were slow. */
  const slow = new Map<string, number>()
  /** The same of all queues at one host. */
  const slowHosts = new Map<string, number>()

  function noteSlow(name: string, times: number): void {
    if (slow.size >= troubledMax && !slow.has(name)) {
      const idle = slow.keys().find((known) => !perQueue.has(known))
      if (idle === undefined) return
      slow.delete(idle)
    }
    slow.set(name, times)
  }

  /** Nothing is under way to it, and nothing is known of it but its host. */
  function isSuspect(queue: Queue): boolean {
    const name = queueName(queue)
    return !perQueue.has(name) && !slow.has(name) && (slowHosts.get(hostName(queue)) ?? 0) >= hostSlowAfter
  }

  return {
    isSlow: (name: string): boolean => (slow.get(name) ?? 0) >= slowAfter,
    isSuspect,
    /** Before its first try is counted: what counts as slow must not change while tries are under way. */
    begins(queue: Queue): void {
      if (isSuspect(queue)) noteSlow(queueName(queue), slowAfter)
    },
    note(queue: Queue, ms: number): void {
      const name = queueName(queue)
      const host = hostName(queue)
      if (ms < slowMs) {
        slow.delete(name)
        slowHosts.delete(host)
        return
      }
      noteSlow(name, (slow.get(name) ?? 0) + 1)
      if (slowHosts.size < troubledMax || slowHosts.has(host)) bump(slowHosts, host, 1)
    },
  }
}

function plain({ merchantId, mode, origin }: Queue): Queue {
  return { merchantId, mode, origin }
}

export function queueName(queue: Queue): string {
  return `${queue.merchantId} ${queue.mode} ${queue.origin}`
}

/** Up to the first slash behind https:// */
function hostName({ merchantId, mode, origin }: Queue): string {
  const end = origin.indexOf('/', 8)
  return `${merchantId} ${mode} ${end === -1 ? origin : origin.slice(0, end)}`
}

function merchantName(queue: Queue): string {
  // No test: the two labels only swap places
  return queue.origin === mailOrigin ? `${queue.merchantId} mail` : String(queue.merchantId)
}

function bump(counts: Map<string, number>, name: string, by: number): void {
  const next = (counts.get(name) ?? 0) + by
  if (next === 0) counts.delete(name) // No test: saves memory: no entry means nothing is running
  else counts.set(name, next)
}
