import { inTransaction, type Database } from '../database/database.ts'
import { drawDeliveryId, topic } from './announce.ts'
import type { PausedMail } from './compose-mail.ts'
import { mailOrigin, type Lane } from './lanes.ts'
import { anyFailingSince, pauseReceivers, type PausedReceiver } from './receiver-store.ts'
import { insertDeliveries, pauseDeliveries, type NewDelivery } from './store.ts'

// A receiver that answered nothing but failures for 120 hours gets no more tries; what is due to it waits until the
// merchant says that it is back.

export const pauseAfterMs = 120 * 3_600_000

export async function pauseHopeless(
  db: Database,
  failed: readonly Lane[],
  now: Date,
): Promise<PausedReceiver[]> {
  const since = new Date(now.getTime() - pauseAfterMs)
  if (failed.length === 0 || !(await anyFailingSince(db, failed, since))) return []
  return inTransaction(db, async (tx) => {
    const paused = await pauseReceivers(tx, failed, since, now)
    for (const receiver of paused) {
      await pauseDeliveries(tx, receiver)
      await insertDeliveries(tx, [mailOf(receiver)])
      const { merchantId, mode } = receiver
      tx.tell(topic, { merchantId, mode, origin: mailOrigin } satisfies Lane)
    }
    return paused
  })
}

/** To the merchant: its address is looked up when the mail is written. */
function mailOf(receiver: PausedReceiver): NewDelivery {
  const mail: PausedMail = {
    template: 'receiver_paused',
    origin: receiver.origin,
    failingSince: receiver.failingSince,
  }
  return {
    merchant_id: receiver.merchantId,
    id: drawDeliveryId('msg'),
    kind: 'mail',
    mode: receiver.mode,
    event: 'receiver.paused',
    number: null,
    target: 'merchant',
    origin: mailOrigin,
    body: JSON.stringify(mail),
    state: 'waiting',
  }
}
