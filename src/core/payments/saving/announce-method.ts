import type { Transaction } from '../../../platform/database/database.ts'
import { announceAll } from '../../notifications/announce.ts'
import { lockPayment, type PaymentKey } from '../store.ts'
import { announcementOf, type TransitionDeps } from '../transition.ts'

/** Locks the payment that saved a method, and returns how to announce something about the method in this commit. */
export async function announceMethod(
  { outbox, baseUrl }: TransitionDeps,
  tx: Transaction,
  key: PaymentKey,
): Promise<(event: 'method.ended', json: string) => Promise<void>> {
  const payment = await lockPayment(tx, key)
  return async (event, json) => {
    if (!payment) return
    const announcement = announcementOf(payment, event, baseUrl)
    await announceAll(outbox, tx, [{ ...announcement, dataJson: json, quiet: true }])
  }
}
