import type { Database, Transaction } from '../database/database.ts'
import type { Deliverer, Reserved } from './deliver.ts'
import type { Lane } from './queues.ts'
import { insertDeliveries, type Claim, type NewDelivery } from './store.ts'

// What has to be said is written in the commit of what it tells of, and handed over within this process when that
// commit is there. Where the deliverer of this process has room, an IPN is born claimed: nobody has to ask the
// database for what was written a moment ago. If the process dies first, its lease ends like any other.

/** `isDue`: somebody has to claim it; otherwise it is carried already, or there is nothing to carry. */
type Heard = (lane: Lane, isDue: boolean) => void

const ears = new WeakMap<Database, Heard[]>()
const deliverers = new WeakMap<Database, Deliverer>()

/** Calls `heard` with each queue that a transaction of this process wrote to, once it is committed. */
export function hear(db: Database, heard: Heard): void {
  ears.set(db, [...(ears.get(db) ?? []), heard])
}

/** From now on this one carries what is written to its database here, while it runs. */
export function carryBy(db: Database, deliverer: Deliverer): void {
  deliverers.set(db, deliverer)
}

/** After the commit, for what only saves time. */
export function tell(tx: Transaction, lane: Lane, isDue = true): void {
  tx.whenEnded((committed) => {
    if (committed) for (const heard of ears.get(tx.database) ?? []) heard(lane, isDue)
  })
}

export async function writeDeliveries(tx: Transaction, deliveries: readonly NewDelivery[]): Promise<void> {
  const deliverer = deliverers.get(tx.database)
  const reserved = new Map<string, Reserved>()
  for (const one of deliveries) {
    // A mail must not go twice: it is claimed when its commit is known.
    const room = one.kind === 'ipn' && one.state === 'waiting' && deliverer?.reserve(laneOf(one))
    if (room) reserved.set(one.id, room)
  }
  let claims = new Map<string, Claim>()
  tx.whenEnded((committed) => {
    for (const [id, room] of reserved) room.settle(committed ? claims.get(id) : undefined)
  })
  for (const one of deliveries) {
    const isDue = one.state === 'waiting' && !reserved.has(one.id)
    const isFollowed = one.kind === 'ipn' && one.mode === 'test'
    if (isDue || isFollowed) tell(tx, laneOf(one), isDue)
  }
  const rows = deliveries.map((one) => ({ ...one, claimed: reserved.has(one.id) }))
  claims = new Map((await insertDeliveries(tx, rows, deliverer?.now())).map((claim) => [claim.id, claim]))
}

function laneOf({ merchant_id: merchantId, mode, origin }: NewDelivery): Lane {
  return { merchantId, mode, origin }
}
