import { askAboutRefund } from '../refunds/ask-about-refund.ts'
import type { Refunding } from '../refunds/refunding.ts'
import { nobody } from './event-store.ts'
import type { HandleEvent } from './work-on-events.ts'

/** What an event about a refund leads to: the network is asked, and what it says is applied. */
export function askAboutRefunds(refunding: Refunding): HandleEvent {
  return async (event) => {
    // A refund of ours says whose it is; and every refund is asked about by itself as well.
    if (event.merchant_id === nobody) return 'unknown'
    const asked = await askAboutRefund(refunding, {
      merchantId: event.merchant_id,
      idempotencyKey: event.idempotency_key ?? undefined,
      refundReference: event.reference ?? undefined,
    })
    if (asked === 'no_answer') return asked
    return asked === 'asked' ? 'done' : 'unknown'
  }
}
