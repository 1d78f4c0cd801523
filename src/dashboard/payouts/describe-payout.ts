import type { Html } from '../../http/html.ts'
import { isCurrency } from '../../money/currencies.ts'
import type { Payout } from '../../payouts/find-payouts.ts'
import { amount, pill, type Tone } from '../parts/lists.ts'
import { html } from '../../http/html.ts'

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
