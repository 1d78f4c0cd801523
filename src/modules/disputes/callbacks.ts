import { resultOf } from '../../core/callbacks/ask-about.ts'
import type { HandleEvent } from '../../core/callbacks/work-on-events.ts'
import type { Paying } from '../../core/payments/attempts/paying.ts'
import { checkReportedDispute } from './check-reported-dispute.ts'

export function disputeCallbacks(paying: Paying) {
  return {
    // Even of nobody: the network's answer may say whose it is.
    dispute: async ({ merchant_id: merchantId, connector, account_id: accountId, reference }) => {
      if (reference === null) return 'unknown'
      return resultOf(await checkReportedDispute(paying, { merchantId, connector, accountId, reference }))
    },
  } satisfies Record<string, HandleEvent>
}
