import { hearOfDispute } from '../disputes/hear-of-dispute.ts'
import type { Paying } from '../payments/attempts/paying.ts'
import type { HandleEvent } from './work-on-events.ts'

/** What an event about a dispute leads to: the network is asked, and what it says is applied. */
export function askAboutDisputes(paying: Paying): HandleEvent {
  return async (event) => {
    if (event.reference === null) return 'unknown'
    const heard = await hearOfDispute(paying, {
      merchantId: event.merchant_id,
      connector: event.connector,
      accountId: event.account_id,
      reference: event.reference,
    })
    if (heard === 'no_answer') return heard
    return heard === 'asked' ? 'done' : 'unknown'
  }
}
