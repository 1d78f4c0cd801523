import type { Database } from '../../database/database.ts'
import { listCardRefunds } from './refund-store.ts'
import { listOfPayment, type ChargeRow } from './store.ts'

export type { ChargeRow }

/** What really happened: every order of a payment that the network has seen, the oldest first. */
export async function readBooks(
  db: Database,
  payment: { merchantId: number; number: string },
): Promise<ChargeRow[]> {
  return listOfPayment(db, payment)
}

/** Those that took money. There must never be two. */
export async function readCharged(
  db: Database,
  payment: { merchantId: number; number: string },
): Promise<ChargeRow[]> {
  const orders = await listOfPayment(db, payment)
  return orders.filter((order) => order.outcome === 'charged')
}

/** What the network sent back of a payment, or is about to: refunds that failed are none. */
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
