import { html, type Html } from '../../../platform/http/html.ts'
import type { DisputeRow } from '../find-dispute.ts'
import { isCurrency } from '../../../platform/money/currencies.ts'
import type { MemberAsk } from '../../../dashboard/ask.ts'
import { amount, pill, type Tone } from '../../../dashboard/parts/lists.ts'
import { formatExactly, type ShopTime } from '../../../dashboard/parts/parts.ts'

// Words for disputes, shared by the list and the page.

const labels: Readonly<Record<DisputeRow['state'], readonly [word: string, tone: Tone]>> = {
  evidence_due: ['needs an answer', 'warn'],
  under_review: ['under review', 'calm'],
  won: ['won', 'good'],
  lost: ['lost', 'bad'],
}

export function disputePill(state: DisputeRow['state']): Html {
  return pill(...labels[state])
}

/** Networks may use a currency Florin doesn't know: then we show its minor units. */
export function disputed({ amount_minor: minor, currency }: DisputeRow): Html {
  return isCurrency(currency) ? amount(minor, currency) : html`${minor} ${currency} (in minor units)`
}

const hourMs = 3_600_000

/** The time left, with the exact time as a tooltip. */
export function dueIn(due: Date, now: ShopTime): Html {
  const hours = Math.floor((due.getTime() - now.getTime()) / hourMs)
  const days = Math.floor(hours / 24)
  const word =
    hours < 0 ? 'over' : days > 1 ? `in ${days} days` : hours > 1 ? `in ${hours} hours` : 'within the hour'
  const isUrgent = hours >= 0 && hours < 72
  const time = html`<time datetime="${due.toISOString()}" title="${formatExactly(due, now)}">${word}</time>`
  return isUrgent ? html`<strong>${time}</strong>` : time
}

/** The network's public name: “Stripe”. */
export function networkLabel({ dashboard }: MemberAsk, { connector }: Pick<DisputeRow, 'connector'>): string {
  if (connector === 'test-network') return 'the test network'
  return dashboard.live.networks.find(({ name }) => name === connector)?.label ?? connector
}
