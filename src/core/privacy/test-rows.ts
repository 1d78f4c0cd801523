import { inTransaction, type Database, type Transaction } from '../../platform/database/database.ts'
import { everyMerchant } from '../merchants/list.ts'
import type { Pruning } from '../../platform/jobs/pruning.ts'

// Test payments are deleted some time after they ended, with all their rows: years of trials would otherwise fill the
// tables of live shops. Each module deletes its own rows, in one commit per fifty payments; the database, too, makes
// sure that no live payment is among them.

/** Some of one merchant, all of test mode, ended and locked. */
export type OldTests = {
  readonly merchantId: number
  readonly numbers: readonly string[]
  readonly txRefs: readonly string[]
}

/** A module's rows of test payments. */
export type TestRows = {
  /** The numbers of payments that something here still works on: they stay, with all that is theirs. */
  findOpen?(tx: Transaction, tests: OldTests): Promise<readonly string[]>
  delete(tx: Transaction, tests: OldTests): Promise<void>
}

type OldTest = { readonly number: string; readonly tx_ref: string }
type DeleteRequest = { readonly merchantId: number; readonly before: Date; readonly max: number }

export type TestRooms = {
  /** Payments of test mode that ended before a moment, the oldest first. */
  find(db: Database, asked: DeleteRequest): Promise<readonly OldTest[]>
  /** The same, locked; those locked by others are left out. */
  lock(tx: Transaction, asked: DeleteRequest): Promise<readonly OldTest[]>
  readonly rows: readonly TestRows[]
}

const paymentsAtOnce = 50

export function oldTests(rooms: TestRooms): Pruning {
  return {
    name: 'payments of test mode',
    async findMerchants(db, before, max) {
      const found: number[] = []
      for await (const merchantId of everyMerchant(db)) {
        if (found.length >= max) break
        if ((await rooms.find(db, { merchantId, before, max: 1 })).length > 0) found.push(merchantId)
      }
      return found
    },
    async prune(db, merchantId, before, max) {
      let sum = 0
      for (let count = -1; count !== 0 && sum < max; sum += count)
        count = await deleteSome(db, rooms, { merchantId, before, max: paymentsAtOnce })
      return sum
    },
  }
}

async function deleteSome(db: Database, rooms: TestRooms, asked: DeleteRequest): Promise<number> {
  return inTransaction(db, async (tx) => {
    const locked = await rooms.lock(tx, asked)
    const open = new Set<string>()
    for (const room of rooms.rows)
      for (const number of (await room.findOpen?.(tx, asTests(asked, locked))) ?? []) open.add(number)
    const ended = locked.filter(({ number }) => !open.has(number))
    if (ended.length > 0) for (const room of rooms.rows) await room.delete(tx, asTests(asked, ended))
    return ended.length
  })
}

function asTests({ merchantId }: DeleteRequest, payments: readonly OldTest[]): OldTests {
  return {
    merchantId,
    numbers: payments.map(({ number }) => number),
    txRefs: payments.map(({ tx_ref }) => tx_ref),
  }
}
