import { ifOurs } from '../../core/callbacks/ask-about.ts'
import type { HandleEvent } from '../../core/callbacks/work-on-events.ts'
import { askAboutRefund } from './ask-about-refund.ts'
import type { Refunding } from './refunding.ts'

export function refundCallbacks(refunding: Refunding) {
  return {
    refund: async (event) =>
      ifOurs(event, async () =>
        askAboutRefund(refunding, {
          merchantId: event.merchant_id,
          idempotencyKey: event.idempotency_key ?? undefined,
          refundReference: event.reference ?? undefined,
        }),
      ),
  } satisfies Record<string, HandleEvent>
}
