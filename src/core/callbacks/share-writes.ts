import { makeMerchantBatch, type MerchantBatch } from '../../platform/database/batch.ts'
import type { Database, Queryable } from '../../platform/database/database.ts'
import {
  finishEvents,
  insertEvents,
  nameOf,
  notifyWorkers,
  type Finished,
  type ReceivedEvent,
} from './event-store.ts'

// A busy merchant's callbacks come together and are done together: they share statements and commits.

/** Events of one callback; returns how many were new. */
export type StoreEvents = MerchantBatch<readonly ReceivedEvent[], number>
export type FinishEvents = MerchantBatch<readonly Finished[], void>

const batchSizeMax = 100
const batchesInFlight = 2

export function makeStoreEvents(db: Database): StoreEvents {
  return together(db, async (connection, merchantId, callbacks) => {
    const fresh = new Set((await insertEvents(connection, merchantId, callbacks.flat())).map(nameOf))
    // An event that two of them brought is new in one.
    return callbacks.map((events) => events.filter((event) => fresh.delete(nameOf(event))).length)
  })
}

export function makeFinishEvents(db: Database): FinishEvents {
  return together(db, async (connection, merchantId, finished) => {
    await finishEvents(connection, merchantId, finished.flat())
    return finished.map(() => undefined)
  })
}

/** Wakes the workers of every process; not waited for, as they look by themselves every second. */
export function makeWakeWorkers(db: Database): () => void {
  let isUnderWay = false
  let isAskedAgain = false
  function wake(): void {
    isAskedAgain = isUnderWay
    if (isUnderWay) return
    isUnderWay = true
    void notifyWorkers(db)
      .catch(() => {})
      .finally(() => {
        isUnderWay = false
        if (isAskedAgain) wake()
      })
  }
  return wake
}

function together<Item, Result>(
  db: Database,
  run: (db: Queryable, merchantId: number, items: readonly Item[]) => Promise<readonly Result[]>,
): MerchantBatch<Item, Result> {
  return makeMerchantBatch<Item, Result>({
    maxSize: batchSizeMax,
    maxInFlight: batchesInFlight,
    run: async (merchantId, items, tx) => run(tx ?? db, merchantId, items),
    groupOn: db,
  })
}
