import type { Html } from '../../../platform/http/html.ts'
import { isCurrency } from '../../../platform/money/currencies.ts'
import type { Payout, PayoutHistoryRow } from '../find-payouts.ts'
import { amount, pill, type Tone } from '../../../dashboard/parts/lists.ts'
import { html } from '../../../platform/http/html.ts'

const words: Readonly<Record<Payout['state'], readonly [string, Tone]>> = {
  announced: ['Announced', 'calm'],
  on_its_way: ['On its way', 'calm'],
  arrived: ['Arrived', 'good'],
  failed: ['Failed', 'bad'],
  returned: ['Returned', 'bad'],
}

export function payoutPill(state: Payout['state']): Html {
  return pill(...words[state])
}

export function describeState(state: Payout['state']): string {
  return words[state][0]
}

/** A sentence for each row of a payout's history, the oldest first. */
export function describeHistory(
  network: string,
  history: readonly PayoutHistoryRow[],
): (readonly [what: string, row: PayoutHistoryRow])[] {
  return history.map((row, place) => {
    const isAgain = history.slice(0, place).some(({ state }) => state === 'failed' || state === 'returned')
    const [what, again] = {
      announced: [`${network} set the money aside for your bank`],
      on_its_way: [`${network} sent the money to your bank`, `${network} sent the money again`],
      arrived: ['Your bank has the money', 'Your bank has the money after all'],
      failed: ['Your bank didn’t take the money', 'Your bank didn’t take the money again'],
      returned: ['Your bank sent the money back', 'Your bank sent the money back again'],
    }[row.state]
    return [(isAgain ? again : undefined) ?? what ?? row.state, row]
  })
}

/** A network may name a currency that we do not know. */
export function money(minor: bigint, currency: string): Html {
  return isCurrency(currency) ? amount(minor, currency) : html`${String(minor)} ${currency}`
}

/** `2026-11-18` as people write it; the network named a day, without a zone. */
export function formatDay(day: string): string {
  return new Date(`${day}T12:00:00Z`).toLocaleDateString('en-GB', {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  })
}
