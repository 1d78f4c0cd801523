import { Refusal } from '../../../platform/errors/refusals.ts'

// Whose password is hashed next. Browsers that a person has signed in from have a queue of their own, then come those who
// brought a proof of work, then everybody else. Within a queue the networks take turns, so that a crowd from one network
// waits for itself.

export type Asker = {
  readonly queue: QueueName
  /** The person in the queue of known browsers, else the network. */
  readonly share: string
}

const queueNames = ['known', 'proven', 'open'] as const
type QueueName = (typeof queueNames)[number]

/** Nothing was hashed, and the caller may try again. */
export class TooManyAtOnce extends Refusal {
  constructor() {
    super('unavailable', 'Too many people are signing in. Try again in a moment.')
  }
}

export type Turns = {
  /** Resolves with what ends the turn. Throws TooManyAtOnce. */
  take(asker: Asker): Promise<() => void>
  /** Half of the queue for unknown browsers is taken: a proof of work leads past it. */
  isBusy(): boolean
}

export function makeTurns({ atOnce, waitingMax }: { atOnce: number; waitingMax: number }): Turns {
  const queues: Readonly<Record<QueueName, FairQueue>> = {
    known: new FairQueue(waitingMax),
    proven: new FairQueue(waitingMax),
    open: new FairQueue(waitingMax),
  }
  let underWay = 0

  function release(): void {
    const name = queueNames.find((each) => queues[each].size > 0)
    if (name) queues[name].next()?.begin()
    else underWay -= 1
  }

  return {
    async take({ queue, share }) {
      if (underWay < atOnce) underWay += 1
      else
        await new Promise<void>((begin, refuse) => {
          queues[queue].add(share, { begin, refuse: () => refuse(new TooManyAtOnce()) })
        })
      return release
    },
    isBusy: () => queues.open.size >= waitingMax / 2,
  }
}

type Waiter = { readonly begin: () => void; readonly refuse: () => void }

class FairQueue {
  size = 0
  readonly #max: number
  /** In the order of their next turn. */
  readonly #shares = new Map<string, Waiter[]>()

  constructor(max: number) {
    this.#max = max
  }

  /** In a full queue the newest of the largest share makes room, unless the newcomer's would become as large. */
  add(share: string, waiter: Waiter): void {
    const own = this.#shares.get(share) ?? []
    if (this.size >= this.#max) {
      const largest = [...this.#shares.values()].reduce((one, other) =>
        other.length > one.length ? other : one,
      )
      if (largest.length < own.length + 2) return waiter.refuse()
      largest.pop()?.refuse()
      this.size -= 1
    }
    own.push(waiter)
    this.#shares.set(share, own)
    this.size += 1
  }

  next(): Waiter | undefined {
    const [first] = this.#shares
    if (!first) return undefined
    const [share, waiters] = first
    const waiter = waiters.shift()
    this.#shares.delete(share)
    if (waiters.length > 0) this.#shares.set(share, waiters)
    this.size -= 1
    return waiter
  }
}
