import { askAbout } from '../payments/attempts/hosted/ask-about.ts'
import type { Paying } from '../payments/attempts/paying.ts'
import { nobody } from './event-store.ts'
import type { HandleEvent } from './work-on-events.ts'

/** What an event about an order leads to: the network is asked, and what it says is applied. */
export function askAboutOrders(paying: Paying): HandleEvent {
  return async (event) => {
    // An order of ours says whose it is; and every attempt is asked about by itself as well.
    if (event.merchant_id === nobody) return 'unknown'
    const asked = await askAbout(paying, {
      merchantId: event.merchant_id,
      number: event.number ?? undefined,
      idempotencyKey: event.idempotency_key ?? undefined,
      connectorReference: event.reference ?? undefined,
    })
    if (asked === 'no_answer') return asked
    return asked === 'asked' ? 'done' : 'unknown'
  }
}
