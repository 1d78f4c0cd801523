import { html, type Html } from '../../../platform/http/html.ts'
import type { MemberAsk } from '../../../dashboard/ask.ts'
import { formatExactly, shopTime } from '../../../dashboard/parts/parts.ts'
import type { DisputeRow } from '../list-disputes.ts'
import { disputed, dueIn } from './describe-dispute.ts'

/** On the page of a payment whose dispute waits for the merchant, above everything else. */
export function disputeNotice(ask: MemberAsk, disputes: readonly DisputeRow[]): Html | undefined {
  const waiting = disputes.find(({ state }) => state === 'evidence_due')
  if (!waiting) return undefined
  const now = shopTime(ask)
  const due = waiting.evidence_due_at === null ? undefined : new Date(waiting.evidence_due_at)
  return html`<div class="problem warn">
    <h2>The customer’s bank disputes ${disputed(waiting)}</h2>
    <p>
      ${due ? html`Your evidence is due ${dueIn(due, now)}: by ${formatExactly(due, now)}.` : 'The bank is waiting for your evidence.'}
      If you don’t answer, you lose the dispute.
    </p>
    <div><a class="button go" href="${ask.place.home}/disputes/${waiting.id}">View dispute</a></div>
  </div>`
}
