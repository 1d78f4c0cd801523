import { checkReportedDispute } from '../disputes/check-reported-dispute.ts'
import { askAbout } from '../payments/attempts/hosted/ask-about.ts'
import type { Paying } from '../payments/attempts/paying.ts'
import { hurryAccount } from '../payouts/ask/follow-accounts.ts'
import { askAboutRefund } from '../refunds/ask-about-refund.ts'
import type { Refunding } from '../refunds/refunding.ts'
import { checkReportedMethod } from '../saved-methods/end-method.ts'
import { nobody, type EventRow } from './event-store.ts'
import type { EventResult, HandleEvent } from './work-on-events.ts'

// What an event leads to, by its kind: we ask the network and apply its answer.

export function makeHandlers(paying: Paying, refunding: Refunding) {
  return {
    order: async (event) =>
      ifOurs(event, async () =>
        askAbout(paying, {
          merchantId: event.merchant_id,
          number: event.number ?? undefined,
          idempotencyKey: event.idempotency_key ?? undefined,
          connectorReference: event.reference ?? undefined,
        }),
      ),
    refund: async (event) =>
      ifOurs(event, async () =>
        askAboutRefund(refunding, {
          merchantId: event.merchant_id,
          idempotencyKey: event.idempotency_key ?? undefined,
          refundReference: event.reference ?? undefined,
        }),
      ),
    dispute: async (event) => {
      if (event.reference === null) return 'unknown'
      const { merchant_id: merchantId, connector, account_id: accountId, reference } = event
      return meaningOf(await checkReportedDispute(paying, { merchantId, connector, accountId, reference }))
    },
    method: async (event) =>
      ifOurs(event, async () =>
        checkReportedMethod(paying, {
          merchantId: event.merchant_id,
          connector: event.connector,
          accountId: event.account_id,
          reference: event.reference ?? '',
        }),
      ),
    // The account is asked at once, not within the hour.
    payout: async ({ merchant_id, account_id, connector }) =>
      (await hurryAccount(paying, { merchant_id, account_id, connector })) ? 'done' : 'unknown',
  } satisfies Record<EventRow['about'], HandleEvent>
}

/** An order or refund of ours says whose it is; and each is asked about without a callback as well. */
async function ifOurs(event: EventRow, ask: () => Promise<string>): Promise<EventResult> {
  return event.merchant_id === nobody ? 'unknown' : meaningOf(await ask())
}

function meaningOf(asked: string): EventResult {
  if (asked === 'no_answer') return asked
  return asked === 'asked' ? 'done' : 'unknown'
}
