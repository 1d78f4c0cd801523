import type { Database } from '../../database/database.ts'
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
