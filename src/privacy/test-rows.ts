import { inTransaction, type Database, type Transaction } from '../database/database.ts'
import { everyMerchant } from '../merchants/list.ts'
import type { Pruning } from '../jobs/pruning.ts'

// Payments of test mode go some time after they ended, with all that hangs on them: a shop that tries things out for years
// would else fill the tables of those who earn with them. Each room deletes its own rows, in one commit for each fifty
// payments; that a live payment is never among them is the database's to hold, too.

/** Some of one merchant, all of test mode, ended and locked. */
export type OldTests = {
  readonly merchantId: number
  readonly numbers: readonly string[]
  readonly txRefs: readonly string[]
}

/** What a room has of test payments. */
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
  /** The same, locked; those that somebody else has locked are left out. */
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
