import type { Database } from '../../../src/platform/database/database.ts'
import { hasTaken } from '../../../src/core/test-network/disputes.ts'
import { listCardRefunds } from '../../../src/core/test-network/refund-store.ts'
import { listOfPayment, type ChargeRow } from '../../../src/core/test-network/store.ts'

// What the built-in test network itself recorded: the tests compare it with Florin's own records.

/** Every order of a payment that the network has seen, oldest first. */
export async function readRecords(
  db: Database,
  payment: { merchantId: number; number: string },
): Promise<ChargeRow[]> {
  return listOfPayment(db, payment)
}

/** Orders that took money. There must never be two. */
export async function readCharged(
  db: Database,
  payment: { merchantId: number; number: string },
): Promise<ChargeRow[]> {
  const orders = await listOfPayment(db, payment)
  return orders.filter((order) => order.outcome === 'charged')
}

/** What the network refunded of a payment, or is about to: failed refunds don't count. */
export async function readCardRefunds(
  db: Database,
  payment: { merchantId: number; number: string },
): Promise<{ readonly count: number; readonly sumMinor: bigint }> {
  const charges = await readCharged(db, payment)
  const lists = await Promise.all(
    charges.map(async ({ reference }) => listCardRefunds(db, { merchantId: payment.merchantId, reference })),
  )
  const refunds = lists.flat().filter(({ outcome }) => outcome === 'succeeded')
  return {
    count: refunds.length,
    sumMinor: refunds.reduce((sum, { amount_minor }) => sum + amount_minor, 0n),
  }
}

/** What is left of a payment in the merchant's balance. Negative if a bank takes what was refunded before. */
export async function readBalance(
  db: Database,
  payment: { merchantId: number; number: string },
  now: Date,
): Promise<bigint> {
  const charges = await readCharged(db, payment)
  const charged = charges.reduce((sum, { amount_minor }) => sum + (amount_minor ?? 0n), 0n)
  const taken = charges
    .filter((charge) => hasTaken(charge, now))
    .reduce((sum, { amount_minor }) => sum + (amount_minor ?? 0n), 0n)
  return charged - taken - (await readCardRefunds(db, payment)).sumMinor
}
