import type { Transaction } from '../../platform/database/database.ts'
import type { Queue } from './queues.ts'
import { insertDeliveries, type Claim, type NewDelivery } from './store.ts'

// Notifications are written in the commit of their event, and handed over within this process after it. If this
// process's deliverer has a free slot, an IPN is created already claimed: no query is needed for what was written a
// moment ago. If the process dies first, its lease expires like any other.

/** `isDue`: a worker has to claim it; otherwise it is already being delivered, or there is nothing to deliver. */
type CommitListener = (queue: Queue, isDue: boolean) => void

/** Room for a try of a delivery that is being written. */
export type Reserved = {
  /** It was committed and is claimed; or, with undefined, the slot isn't needed. */
  settle(claim: Claim | undefined): void
}

/** What a deliverer does for the outbox of its process. */
export type Carrier = {
  now(): Date
  /** Undefined when a new delivery of this queue has to wait its turn. */
  reserve(queue: Queue): Reserved | undefined
}

export type Outbox = {
  write(tx: Transaction, deliveries: readonly NewDelivery[]): Promise<void>
  /** Tells the listeners of a queue once `tx` is committed; for what only saves time. */
  notifyListeners(tx: Transaction, queue: Queue, isDue?: boolean): void
  /** Calls `listener` with each queue that a transaction of this process wrote to, once it is committed. */
  onCommit(listener: CommitListener): void
  /** From now on this one carries what is written here, while it runs. */
  carryBy(carrier: Carrier): void
}

export function makeOutbox(): Outbox {
  const listeners: CommitListener[] = []
  let carrier: Carrier | undefined

  function notifyListeners(tx: Transaction, queue: Queue, isDue = true): void {
    tx.whenEnded((committed) => {
      if (committed) for (const listener of listeners) listener(queue, isDue)
    })
  }

  async function write(tx: Transaction, deliveries: readonly NewDelivery[]): Promise<void> {
    const reserved = new Map<string, Reserved>()
    for (const one of deliveries) {
      // A mail must not go twice: it is claimed when its commit is known.
      const room = one.kind === 'ipn' && one.state === 'waiting' && carrier?.reserve(queueOf(one))
      if (room) reserved.set(one.id, room)
    }
    let claims = new Map<string, Claim>()
    tx.whenEnded((committed) => {
      for (const [id, room] of reserved) room.settle(committed ? claims.get(id) : undefined)
    })
    for (const one of deliveries) {
      const isDue = one.state === 'waiting' && !reserved.has(one.id)
      const isFollowed = one.kind === 'ipn' && one.mode === 'test'
      if (isDue || isFollowed) notifyListeners(tx, queueOf(one), isDue)
    }
    const rows = deliveries.map((one) => ({ ...one, claimed: reserved.has(one.id) }))
    const claimed = []
    for (const [merchantId, group] of byMerchant(rows)) {
      const inserted = await insertDeliveries(tx, merchantId, group, carrier?.now())
      claimed.push(...inserted.claims)
      for (const queue of inserted.toEndpoints) notifyListeners(tx, queue)
    }
    claims = new Map(claimed.map((claim) => [claim.id, claim]))
  }

  return {
    write,
    notifyListeners,
    onCommit: (listener) => void listeners.push(listener),
    carryBy(deliverer) {
      carrier = deliverer
    },
  }
}

/** In the order of their numbers, so that two transactions with merchants in common never wait for each other. */
function byMerchant(deliveries: readonly NewDelivery[]): [number, NewDelivery[]][] {
  return [...Map.groupBy(deliveries, (one) => one.merchant_id)].toSorted(([one], [other]) => one - other)
}

function queueOf({ merchant_id: merchantId, mode, origin }: NewDelivery): Queue {
  return { merchantId, mode, origin }
}
