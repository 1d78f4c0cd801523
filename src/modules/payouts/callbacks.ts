import type { HandleEvent } from '../../core/callbacks/work-on-events.ts'
import { hurryAccount } from './ask/follow-accounts.ts'
import type { Payouts } from './payouts.ts'

export function payoutCallbacks(payouts: Payouts) {
  return {
    // The account is asked at once, not within the hour.
    payout: async ({ merchant_id, account_id, connector }) =>
      (await hurryAccount(payouts, { merchant_id, account_id, connector })) ? 'done' : 'unknown',
  } satisfies Record<string, HandleEvent>
}
