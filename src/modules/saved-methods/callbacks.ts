import { ifOurs } from '../../core/callbacks/ask-about.ts'
import type { HandleEvent } from '../../core/callbacks/work-on-events.ts'
import type { Paying } from '../../core/payments/attempts/paying.ts'
import { checkReportedMethod } from './end-method.ts'

export function methodCallbacks(paying: Paying) {
  return {
    method: async (event) =>
      ifOurs(event, async () =>
        checkReportedMethod(paying, {
          merchantId: event.merchant_id,
          connector: event.connector,
          accountId: event.account_id,
          reference: event.reference ?? '',
        }),
      ),
  } satisfies Record<string, HandleEvent>
}
